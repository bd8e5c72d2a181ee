import { ActionIcon, Indicator, Popover, Tabs } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { ToastHistory } from '~/shared/ui/toasts/ToastHistory';
import { NoticeList } from './NoticeList';
import type { NoticeState } from './useNotices';

/** Larger counts show as "99+". */
const MOST_SHOWN = 99;

/** Notification bell: unseen changes by others, and this session's messages. */
export function NoticeBell({ notices }: { notices: NoticeState }) {
  const t = useTexts();
  const { timeZone } = useProfile();
  const [opened, setOpened] = useState(false);
  /** Position from which changes were new when the panel opened: opening marks them as seen. */
  const [newSince, setNewSince] = useState(0);
  const { changes, seen, unseen, markSeen } = notices;

  const toggle = (open: boolean) => {
    if (open) {
      setNewSince(seen);
      markSeen();
    }
    setOpened(open);
  };

  return (
    <Popover
      position="bottom-end"
      width={360}
      shadow="md"
      trapFocus
      opened={opened}
      onChange={toggle}
      withinPortal
    >
      <Indicator
        disabled={unseen === 0}
        label={unseen > MOST_SHOWN ? `${MOST_SHOWN}+` : unseen}
        size={17}
        offset={6}
        color="red.8"
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={40}
            aria-label={t('entities:notices.bell', { count: unseen })}
            onClick={() => toggle(!opened)}
          >
            <IconBell size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t('entities:notices.title')} maw="calc(100vw - 16px)">
        <Tabs defaultValue="others" keepMounted={false}>
          <Tabs.List mb="xs">
            <Tabs.Tab value="others">{t('entities:notices.others')}</Tabs.Tab>
            <Tabs.Tab value="session">{t('common:toasts.history')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="others">
            <NoticeList changes={changes} newSince={newSince} onChoose={() => setOpened(false)} />
          </Tabs.Panel>
          <Tabs.Panel value="session">
            <ToastHistory zone={timeZone} />
          </Tabs.Panel>
        </Tabs>
      </Popover.Dropdown>
    </Popover>
  );
}
