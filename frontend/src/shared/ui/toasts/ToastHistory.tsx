import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import { useDispatch, useSelector } from 'react-redux';
import { formatTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '../Empty';
import classes from './ToastHistory.module.css';
import { toastsSlice } from './toasts';

/** The session's messages, for readers who missed a toast. */
export function ToastHistory({ zone }: { zone: string }) {
  const t = useTexts();
  const locale = useLocale();
  const dispatch = useDispatch();
  const toasts = useSelector(
    (state: { toasts: ReturnType<typeof toastsSlice.reducer> }) => state.toasts.toasts,
  );
  if (toasts.length === 0) return <Empty icon={IconMessageOff} title={t('common:toasts.none')} />;
  return (
    <Stack gap="sm">
      <ScrollArea.Autosize mah="min(60vh, 420px)" type="auto" tabIndex={0}>
        <ul className={classes.list}>
          {toasts.map((toast) => (
            <li key={toast.id} className={classes.item} data-tone={toast.tone}>
              <Text size="sm">{toast.message}</Text>
              <Text size="xs" c="dimmed">
                {formatTime(new Date(toast.at).toISOString(), locale, zone)}
              </Text>
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
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
  );
}
