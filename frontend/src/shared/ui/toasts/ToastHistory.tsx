import { ActionIcon, Button, Drawer, Group, Indicator, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formatTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '../Empty';
import classes from './ToastHistory.module.css';
import { toastsSlice } from './toasts';

/** A button that opens the messages of this session, for who looked away. */
export function ToastHistory() {
  const t = useTexts();
  const locale = useLocale();
  const dispatch = useDispatch();
  const toasts = useSelector(
    (state: { toasts: ReturnType<typeof toastsSlice.reducer> }) => state.toasts.toasts,
  );
  const [opened, { open, close }] = useDisclosure(false);
  const [readUntil, setReadUntil] = useState(0);
  const unread = toasts.some((toast) => toast.tone === 'bad' && toast.at > readUntil);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

  const show = () => {
    setReadUntil(Date.now());
    open();
  };

  return (
    <>
      <Indicator disabled={!unread} color="red" size={9} offset={6}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('common:toasts.history')}
          onClick={show}
        >
          <IconMessages size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Indicator>
      <Drawer
        opened={opened}
        onClose={close}
        position="right"
        size={360}
        title={t('common:toasts.history')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        {toasts.length === 0 ? (
          <Empty icon={IconMessages} title={t('common:toasts.none')} />
        ) : (
          <Stack gap="sm">
            <ul className={classes.list}>
              {toasts.map((toast) => (
                <li key={toast.id} className={classes.item} data-tone={toast.tone}>
                  <Text size="sm">{toast.message}</Text>
                  <Text size="xs" c="dimmed">
                    {formatTime(new Date(toast.at).toISOString(), locale, here)}
                  </Text>
                </li>
              ))}
            </ul>
            <Group justify="flex-end">
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => dispatch(toastsSlice.actions.historyCleared())}
              >
                {t('common:toasts.clear')}
              </Button>
            </Group>
          </Stack>
        )}
      </Drawer>
    </>
  );
}
