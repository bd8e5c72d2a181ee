import { formatMoney, isNegative } from '~/shared/lib/decimal';
import { useLocale } from '~/shared/lib/texts';
import classes from './Money.module.css';

interface MoneyProps {
  /** Decimal string from the server. Null if the reader may not see the amount, which shows a dash. */
  value: string | null | undefined;
  currency?: string;
  /** Shows amounts below zero in the warning colour. */
  signed?: boolean;
}

/** An amount in the reader's locale, with tabular digits. */
export function Money({ value, currency, signed = false }: MoneyProps) {
  const locale = useLocale();
  if (value == null) return <span className={classes.money}>–</span>;
  return (
    <span className={classes.money} data-negative={(signed && isNegative(value)) || undefined}>
      {formatMoney(value, locale)}
      {currency && <span className={classes.currency} data-currency>{` ${currency}`}</span>}
    </span>
  );
}
