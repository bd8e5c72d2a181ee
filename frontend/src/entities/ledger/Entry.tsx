import { type LedgerEntry, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { EventLink } from './audit';
import { CauseLink } from './CauseLink';
import classes from './Ledger.module.css';
import { Transfers } from './Transfers';

/** What an event is called. */
export function useEventName(): (eventType: string) => string {
  const t = useTexts();
  return (eventType) => t(`entities:events.${eventType}` as 'entities:events.MovementPosted');
}

/** An entry and the event behind it: which one, when, by whom, what it is about, and what it moved. */
export function Entry({ entry }: { entry: LedgerEntry }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  const number = formatCount(entry.position, locale);
  const facts = [
    {
      label: t('entities:ledger.event'),
      value: <EventLink position={entry.position}>{`${number} · ${eventName(entry.eventType)}`}</EventLink>,
    },
    { label: t('entities:ledger.at'), value: formatDateTime(entry.at, locale, timeZone) },
    { label: t('entities:ledger.actor'), value: entry.actor.name ?? t('entities:ledger.system') },
    { label: t('entities:ledger.about'), value: <CauseLink entry={entry} /> },
  ];
  return (
    <div className={classes.entry}>
      <dl className={classes.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Transfers label={t('entities:ledger.entry', { number })} transfers={entry.transfers} />
    </div>
  );
}
