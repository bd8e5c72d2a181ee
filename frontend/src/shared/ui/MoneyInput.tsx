import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ChangeEvent, type ClipboardEvent, type Ref, useLayoutEffect, useRef, useState } from 'react';
import {
  type DecimalLimits,
  formatTyped,
  MONEY,
  marksOf,
  readPasted,
  readTyped,
  toRequest,
} from '~/shared/lib/decimal';
import { useLocale } from '~/shared/lib/texts';

interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'> {
  /** Decimal string with a point; "" if empty. */
  value: string;
  onChange: (value: string) => void;
  /** A currency's code or another unit, shown at the end. */
  currency?: string;
  /** Accepted range; that of an amount of money by default. */
  limits?: DecimalLimits;
  ref?: Ref<HTMLInputElement>;
}

/** Number of digits and decimal marks before the caret; grouping marks are not counted because they move. */
function significantBefore(text: string, caret: number, group: string): number {
  return Array.from(text.slice(0, caret)).filter((char) => char !== group).length;
}

/** A field for an amount: groups thousands while typing, and reports decimal strings, never numbers. */
export function MoneyInput(props: MoneyInputProps) {
  const { value, onChange, currency, limits = MONEY, onPaste, ref, ...input } = props;
  const locale = useLocale();
  const element = useRef<HTMLInputElement>(null);
  const refs = useMergedRef(element, ref);
  // The typed text may differ from the value ("12." is 12). A different value replaces it.
  const [typed, setTyped] = useState(value);
  const caret = useRef<number | null>(null);
  const shownTyped = toRequest(typed) === toRequest(value) ? typed : value;
  const shown = formatTyped(shownTyped, locale);
  const { group } = marksOf(locale);

  useLayoutEffect(() => {
    if (caret.current === null || !element.current) return;
    let at = 0;
    for (let left = caret.current; at < shown.length && left > 0; at++) {
      if (shown.charAt(at) !== group) left--;
    }
    element.current.setSelectionRange(at, at);
    caret.current = null;
  });

  const take = (next: string, before: number) => {
    caret.current = before;
    setTyped(next);
    onChange(toRequest(next));
  };

  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    const at = event.currentTarget.selectionStart ?? text.length;
    const last = text.charAt(at - 1);
    const inserted = text.length > shown.length;
    const typedMark = inserted && /[.,]/.test(last) ? at - 1 : undefined;
    const next = readTyped(text, locale, typedMark, limits);
    if (next === null) {
      // Input beyond the limits is rejected: text and caret stay.
      take(shownTyped, significantBefore(text, Math.max(at - 1, 0), group));
      return;
    }
    const before = significantBefore(text, at, group) + (typedMark !== undefined && last === group ? 1 : 0);
    take(next, before);
  };

  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    onPaste?.(event);
    const field = event.currentTarget;
    const whole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    if (!whole && field.value !== '') return;
    const read = readPasted(event.clipboardData.getData('text'), locale, limits);
    event.preventDefault();
    if (read !== null) take(read, read.length);
  };

  return (
    <TextInput
      {...input}
      ref={refs}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={change}
      onPaste={paste}
      rightSection={currency ? <span aria-hidden>{currency}</span> : undefined}
      rightSectionWidth={currency ? 52 : undefined}
      rightSectionPointerEvents="none"
      styles={{
        input: { fontVariantNumeric: 'tabular-nums lining-nums' },
        section: { color: 'var(--mantine-color-dimmed)' },
      }}
    />
  );
}
