import { ActionIcon, Indicator, Popover, ScrollArea, Text } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import classes from './NoticeBell.module.css';
import { NoticeItem } from './NoticeItem';
import type { NoticeState } from './useNotices';

/** More than these are "99+". */
const MOST_SHOWN = 99;

/** The bell: how much others changed since the reader last looked, and what. */
export function NoticeBell({ notices }: { notices: NoticeState }) {
  const t = useTexts();
  const [opened, setOpened] = useState(false);
  /** Where "new" began when the panel was opened: opening it counts as seeing. */
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
            aria-label={t('common:notices.bell', { count: unseen })}
            onClick={() => toggle(!opened)}
          >
            <IconBell size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t('common:notices.title')} maw="calc(100vw - 16px)">
        <Text fw={650} mb={4}>
          {t('common:notices.title')}
        </Text>
        {changes.length === 0 ? (
          <Empty icon={IconBellOff} title={t('common:notices.none')} hint={t('common:notices.noneHint')} />
        ) : (
          <ScrollArea.Autosize mah="min(60vh, 460px)" type="auto" tabIndex={0}>
            <ul className={classes.list}>
              {changes.map((change) => (
                <li key={`${change.kind}-${change.id}`}>
                  <NoticeItem
                    change={change}
                    isNew={change.position > newSince}
                    onChoose={() => setOpened(false)}
                  />
                </li>
              ))}
            </ul>
          </ScrollArea.Autosize>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
