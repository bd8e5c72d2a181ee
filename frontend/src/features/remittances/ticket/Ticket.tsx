import { Portal } from '@mantine/core';
import { formatDateTime } from '~/shared/lib/dates';
import { formatMoney } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Ticket.module.css';

/** What a ticket says of a sale. */
export interface TicketFacts {
  code: string;
  /** When it was sold; now when absent. */
  created?: string;
  seller: string;
  /** Null where none is known. */
  sellerPhone: string | null;
  sender: string;
  recipient: string;
  recipientPhone: string | null;
  method: 'home' | 'card';
  payout: string;
  currencyTo: string;
  amount: string;
  fees: string;
  total: string;
}

interface TicketProps {
  facts: TicketFacts;
  zone: string;
}

/** A sale on the roll of a thermal printer: not on the screen, and alone on the paper. */
export function Ticket({ facts, zone }: TicketProps) {
  const t = useTexts();
  const locale = useLocale();
  const money = (value: string, currency: string) => `${formatMoney(value, locale)} ${currency}`;
  const lines: [string, string | null][] = [
    [t('remittances:columns.sender'), facts.sender],
    [t('remittances:columns.recipient'), facts.recipient],
    [t('remittances:person.phone'), facts.recipientPhone],
    [t('remittances:detail.method'), t(`remittances:method.${facts.method}`)],
    [t('remittances:money.amount'), money(facts.amount, 'USD')],
    [t('remittances:columns.fees'), money(facts.fees, 'USD')],
  ];
  return (
    <Portal>
      <section className={classes.ticket} data-ticket aria-hidden>
        <strong className={classes.seller}>{facts.seller}</strong>
        {facts.sellerPhone && <span>{facts.sellerPhone}</span>}
        <span>{formatDateTime(facts.created ?? new Date().toISOString(), locale, zone)}</span>
        <strong className={classes.code}>{facts.code}</strong>
        <dl className={classes.lines}>
          {lines.map(([label, value]) =>
            value ? (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ) : null,
          )}
          <div className={classes.strong}>
            <dt>{t('remittances:money.total')}</dt>
            <dd>{money(facts.total, 'USD')}</dd>
          </div>
          <div className={classes.strong}>
            <dt>{t('remittances:money.payout')}</dt>
            <dd>{money(facts.payout, facts.currencyTo)}</dd>
          </div>
        </dl>
        <span>{t('remittances:ticket.caption')}</span>
      </section>
    </Portal>
  );
}
