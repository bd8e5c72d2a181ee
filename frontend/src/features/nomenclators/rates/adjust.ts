/** Exact arithmetic of rates on decimal digits; binary floats are never used. */

/** Ways to change several rates. */
export type Adjustment = 'percent' | 'spread' | 'set';
export const ADJUSTMENTS: readonly Adjustment[] = ['percent', 'spread', 'set'];
/** Decimals of a computed rate; a typed one keeps its own. */
const COMPUTED_DECIMALS = 4;
const PERCENT_DECIMALS = 2;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

interface Exact {
  digits: bigint;
  /** Number of decimals. */
  scale: number;
}

function read(text: string): Exact | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  return { digits: BigInt(sign + whole + fraction), scale: fraction.length };
}

/** numerator / denominator with `decimals` decimals, half away from zero, without trailing zeros. */
function quotient(numerator: bigint, denominator: bigint, decimals: number): string {
  const below = numerator < 0n !== denominator < 0n;
  const of = (value: bigint) => (value < 0n ? -value : value);
  const doubled = of(numerator) * 10n ** BigInt(decimals) * 2n + of(denominator);
  const rounded = doubled / (of(denominator) * 2n);
  const text = rounded.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  const whole = text.slice(0, text.length - decimals);
  return (below && rounded > 0n ? '-' : '') + whole + (fraction && `.${fraction}`);
}

/**
 * A rate changed by a percentage, by an amount, or set; null for an invalid value or a result that is not positive.
 */
export function adjusted(rate: string, by: Adjustment, value: string): string | null {
  const now = read(rate);
  const change = read(value);
  if (!now || !change) return null;
  const ten = (scale: number) => 10n ** BigInt(scale);
  let result: string;
  if (by === 'set') result = quotient(change.digits, ten(change.scale), change.scale);
  else if (by === 'spread') {
    const sum = now.digits * ten(change.scale) + change.digits * ten(now.scale);
    result = quotient(
      sum,
      ten(now.scale + change.scale),
      Math.max(COMPUTED_DECIMALS, now.scale, change.scale),
    );
  } else {
    const hundred = 100n * ten(change.scale);
    result = quotient(now.digits * (hundred + change.digits), ten(now.scale) * hundred, COMPUTED_DECIMALS);
  }
  return result.startsWith('-') || !/[1-9]/.test(result) ? null : result;
}

/** Difference of `to` from `from` in percent, signed. */
export function percentBetween(from: string, to: string): string | null {
  const [before, after] = [read(from), read(to)];
  if (!before || !after || before.digits === 0n) return null;
  const [left, right] = [
    after.digits * 10n ** BigInt(before.scale),
    before.digits * 10n ** BigInt(after.scale),
  ];
  return quotient((left - right) * 100n, right, PERCENT_DECIMALS);
}

/** Whether two decimal texts are the same number. */
export function isSameRate(one: string, other: string): boolean {
  return percentBetween(one, other) === '0' && adjusted(one, 'set', one) === adjusted(other, 'set', other);
}
