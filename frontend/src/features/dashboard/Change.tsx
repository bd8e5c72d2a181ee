import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react';
import { formatDecimal, isNegative, isZero } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Dashboard.module.css';

/** By how much a figure changed against the period before; "0,0 %" where there is nothing to compare. */
export function Change({ change }: { change: string | null }) {
  const t = useTexts();
  const locale = useLocale();
  const value = change ?? '0';
  const none = isZero(value);
  const down = isNegative(value);
  const Sign = none ? IconMinus : down ? IconArrowDownRight : IconArrowUpRight;
  const zero = locale === 'es-ES' ? '0,0' : '0.0';
  const text = `${none || down ? '' : '+'}${none ? zero : formatDecimal(value, locale)} %`;
  return (
    <span
      className={classes.change}
      data-tone={none ? 'neutral' : down ? 'bad' : 'good'}
      title={t('dashboard:totals.changeHint')}
    >
      <Sign size={15} stroke={2.2} aria-hidden />
      {text}
    </span>
  );
}
