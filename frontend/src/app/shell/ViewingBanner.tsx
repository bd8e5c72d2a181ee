import { Button, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { useEndViewingMutation, useProfile } from '~/api';
import { endSeeing } from '~/api/viewing';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './ViewingBanner.module.css';

/** Banner over every screen while a manager sees as another party. */
export function ViewingBanner({ until }: { until: number }) {
  const t = useTexts();
  const locale = useLocale();
  const navigate = useNavigate();
  const { name, timeZone } = useProfile();
  const [end] = useEndViewingMutation();

  useEffect(() => {
    const timer = setTimeout(endSeeing, Math.max(0, until - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);

  const stop = async () => {
    // It ends by itself where the server can't be reached.
    await end();
    // A form that was filled in as the other can't be saved, and does not hold up the way back.
    flushSync(endSeeing);
    await navigate('/users/list/');
  };
  return (
    <div className={classes.banner} role="status" data-viewing>
      <IconEye size={24} aria-hidden className={classes.sign} />
      <div className={classes.text}>
        <Text fw={650}>{t('account:viewing.title', { name })}</Text>
        <Text size="sm">
          {t('account:viewing.hint', {
            time: formatDateTime(new Date(until).toISOString(), locale, timeZone),
          })}
        </Text>
      </div>
      <Button variant="default" mih={44} onClick={() => void stop()}>
        {t('account:viewing.end')}
      </Button>
    </div>
  );
}
