import type { Commission } from '~/api';
import { formatDecimal, formatMoney } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';

const FIXED = 0;

/** "5 %", and with a floor "5 % · below 50.00 USD: 4.00 USD". */
export function commissionText(t: Texts, locale: string, commission: Commission | null): string {
  if (!commission) return '–';
  const rate = `${formatDecimal(commission.rate, locale)} %`;
  const { minimalAmount, utilityValue, utilityType } = commission;
  if (minimalAmount === null || utilityValue === null) return rate;
  const value =
    utilityType === FIXED
      ? `${formatMoney(utilityValue, locale)} USD`
      : `${formatDecimal(utilityValue, locale)} %`;
  return `${rate} · ${t('entities:commission.below', { amount: formatMoney(minimalAmount, locale), value })}`;
}
