import { Anchor, Text } from '@mantine/core';
import { IconShieldX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router';
import { api, may, SELLERS, useProfile } from '~/api';
import { EVERYTHING } from '~/api/invalidation';
import { isQuarantined } from '~/api/quarantine';
import { useTexts } from '~/shared/lib/texts';
import classes from './QuarantineBanner.module.css';

/** Poll interval during a quarantine; an idle screen makes no other calls. */
const ASK_EVERY_MS = 10_000;

/** Banner over every screen during a quarantine. */
export function QuarantineBanner() {
  const t = useTexts();
  const dispatch = useDispatch();
  const { role } = useProfile();
  api.useGetProfileQuery(undefined, { pollingInterval: ASK_EVERY_MS });

  // At the start and at the end, displayed data belongs to another history.
  useEffect(() => {
    const readAnew = () => void dispatch(api.util.invalidateTags(EVERYTHING));
    readAnew();
    return () => {
      if (!isQuarantined()) readAnew();
    };
  }, [dispatch]);

  return (
    <div className={classes.banner} role="alert" data-quarantine>
      <IconShieldX size={24} aria-hidden className={classes.sign} />
      <div>
        <Text fw={650}>{t('common:quarantine.title')}</Text>
        <Text size="sm">
          {t('common:quarantine.hint')} {!SELLERS.includes(role) && `${t('common:quarantine.carrier')} `}
          {may.getQuarantine.includes(role) && (
            <Anchor component={Link} to="/audit/quarantine/" fz="inherit" c="inherit" underline="always">
              {t('common:quarantine.more')}
            </Anchor>
          )}
        </Text>
      </div>
    </div>
  );
}
