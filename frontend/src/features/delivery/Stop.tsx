import { Button, Text } from '@mantine/core';
import { IconCircleCheck, IconMapPin, IconPhone, IconShieldSearch, IconX } from '@tabler/icons-react';
import { useProfile } from '~/api';
import { shownNumber } from '~/entities/cards/brands';
import type { Act } from '~/offline/database';
import { callLink } from '~/shared/lib/callLink';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { CopyValue } from '~/shared/ui/CopyValue';
import { Money } from '~/shared/ui/Money';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import classes from './Delivery.module.css';
import { addressText, mapLink } from './links';
import type { RoundStop } from './round';

interface StopProps {
  stop: RoundStop;
  /** The last attempt that failed there, as far as this telephone knows. */
  attempted: Act | undefined;
  /** A photograph or signature was taken and not sent. */
  drafted: boolean;
  /** Whether to say which delivery man carries it: to his dealer. */
  named: boolean;
  onDeliver: () => void;
  onFail: () => void;
}

/** One door of the round: who, where, how much, and everything to do there under a thumb. */
export function Stop({ stop, attempted, drafted, named, onDeliver, onFail }: StopProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const [row] = stop.rows;
  const codes = stop.rows.map(({ code }) => code).join(', ');
  const card = row.deliveryMethod === 'card';
  const name = row.recipient.name ?? t('delivery:erased');
  const phone = row.recipient.phoneNumber;
  const address = addressText(row);
  return (
    <li className={classes.stop}>
      <div className={classes.head}>
        <div>
          <Text component="h3" className={classes.name}>
            {name}
          </Text>
          <Text size="sm" c="dimmed" className={classes.code}>
            {codes}
            {row.recipient.identificationNumber && ` · ${row.recipient.identificationNumber}`}
          </Text>
        </div>
        <span className={classes.payout}>
          {card ? (
            <CopyValue value={row.payout} label={t('delivery:amount')}>
              <Money value={row.payout} currency={row.currencyTo} />
            </CopyValue>
          ) : (
            stop.rows.map((one) => <Money key={one.id} value={one.payout} currency={one.currencyTo} />)
          )}
        </span>
      </div>
      {row.held && (
        <div>
          <StatusBadge tone="waiting" icon={IconShieldSearch} label={t('entities:inReview')} />
          <Text size="sm" id={`held-${row.id}`}>
            {t('delivery:held')}
          </Text>
        </div>
      )}
      {stop.rows.length > 1 && (
        <Text size="sm" className={classes.together}>
          {t('delivery:together', { count: stop.rows.length })}
        </Text>
      )}
      {row.card && (
        <div className={classes.card}>
          <Text size="sm" c="dimmed">
            {t(`entities:brand.${row.card.brand}`)}
          </Text>
          {row.card.cardNumber ? (
            <CopyValue value={row.card.cardNumber.replace(/\s/g, '')} label={t('delivery:card')}>
              <span className={classes.digits}>{shownNumber(row.card.cardNumber)}</span>
            </CopyValue>
          ) : (
            t('delivery:erased')
          )}
        </div>
      )}
      {row.address?.addressLine && <Text className={classes.line}>{row.address.addressLine}</Text>}
      {row.notes && (
        <Text size="sm" className={classes.notes}>
          {row.notes}
        </Text>
      )}
      {row.representative && (
        <Text size="sm">
          {t('delivery:representative')}{' '}
          {[row.representative.name, row.representative.identificationNumber].filter(Boolean).join(' · ')}
          {row.representative.phoneNumber && (
            <>
              {' · '}
              <a className={classes.phone} href={callLink(row.representative.phoneNumber)}>
                {row.representative.phoneNumber}
              </a>
            </>
          )}
        </Text>
      )}
      {attempted?.kind === 'attempt' && (
        <Text size="sm" className={classes.attempted}>
          {t('delivery:attempt.last', {
            reason: t(`entities:attempt.${attempted.reason}`),
            time: formatDateTime(attempted.made, locale, timeZone),
          })}
        </Text>
      )}
      {drafted && (
        <Text size="sm" className={classes.attempted}>
          {t('delivery:draft.there')}
        </Text>
      )}
      {named && row.deliveryMan && (
        <Text size="sm" c="dimmed">
          {t('delivery:carriedBy', { name: row.deliveryMan.name })}
        </Text>
      )}
      <div className={classes.links}>
        {phone && (
          <Button
            component="a"
            href={callLink(phone)}
            variant="default"
            h={44}
            leftSection={<IconPhone size={18} aria-hidden />}
            aria-label={t('delivery:callTo', { name })}
          >
            {t('delivery:call')}
          </Button>
        )}
        {!card && address && (
          <Button
            component="a"
            href={mapLink(address)}
            target="_blank"
            rel="noreferrer"
            variant="default"
            h={44}
            leftSection={<IconMapPin size={18} aria-hidden />}
            aria-label={t('delivery:mapOf', { address })}
          >
            {t('delivery:map')}
          </Button>
        )}
        <Button
          variant="default"
          h={44}
          leftSection={<IconX size={18} aria-hidden />}
          onClick={onFail}
          aria-label={t('delivery:failOf', { code: codes })}
        >
          {t('delivery:fail')}
        </Button>
        <Button
          className={classes.deliver}
          h={44}
          leftSection={<IconCircleCheck size={18} aria-hidden />}
          onClick={onDeliver}
          disabled={row.held}
          aria-describedby={row.held ? `held-${row.id}` : undefined}
          aria-label={t(card ? 'delivery:transferredOf' : 'delivery:deliverOf', { code: codes })}
        >
          {t(card ? 'delivery:transferred' : 'delivery:deliver')}
        </Button>
      </div>
    </li>
  );
}
