import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import {
  type ChangeEvent,
  type ClipboardEvent,
  type Ref,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
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

const MARK = /[.,]/;

/** One change of a field's text: what was put in before the caret, instead of what stood there. */
interface Edit {
  inserted: string;
  /** The replaced part of the old text. */
  from: number;
  through: number;
  /** By the Delete key, which removes what follows the caret. */
  forward: boolean;
}

/**
 * The last change of the text. Lengths don't tell it: a mark that replaces a selection makes the text shorter. Browsers
 * tell what was inserted, except of some pasted and all programmatic changes, where the texts are compared.
 */
function editOf(event: Event, text: string, at: number, old: string): Edit {
  const through = Math.max(old.length - (text.length - at), 0);
  const { data, inputType } = event as Partial<InputEvent>;
  let from = 0;
  if (data && text.slice(0, at).endsWith(data)) from = at - data.length;
  else if (inputType?.startsWith('delete')) from = at;
  else while (from < Math.min(at, through) && text.charAt(from) === old.charAt(from)) from++;
  return { inserted: text.slice(from, at), from, through, forward: inputType === 'deleteContentForward' };
}

/**
 * Puts a removed decimal mark back while decimals follow it: they would become whole digits, and the amount ten or a
 * hundred times as much. Digits that replace the mark and decimals are decimals; those that replace whole digits too are
 * whole digits.
 */
function keepMark(
  text: string,
  at: number,
  { inserted, from, through, forward }: Edit,
  old: string,
  decimal: string,
): { text: string; at: number } {
  const mark = old.indexOf(decimal);
  const removed = mark >= from && mark < through && !text.includes(decimal);
  if (!removed || !/\d/.test(text.slice(at))) return { text, at };
  const place = from === mark ? from : at;
  const kept = text.slice(0, place) + decimal + text.slice(place);
  return { text: kept, at: forward || (inserted !== '' && place < at) ? at + 1 : at };
}

/** A field for an amount: groups thousands while typing, and reports decimal strings, never numbers. */
export function MoneyInput(props: MoneyInputProps) {
  const { value, onChange, currency, limits = MONEY, onPaste, ref, ...input } = props;
  const locale = useLocale();
  const element = useRef<HTMLInputElement>(null);
  const refs = useMergedRef(element, ref);
  // The typed text may differ from the value ("12." is 12). A different value replaces it.
  const [typed, setTyped] = useState(value);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const caret = useRef<number | null>(null);
  const shownTyped = toRequest(typed) === toRequest(value) ? typed : value;
  const shown = formatTyped(shownTyped, locale);
  const { group, decimal } = marksOf(locale);

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
    // Also where the text stays: restoring it moves the caret to the end.
    redraw();
    onChange(toRequest(next));
  };

  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    const at = event.currentTarget.selectionStart ?? text.length;
    const edit = editOf(event.nativeEvent, text, at, shown);
    const whole = edit.inserted.length > 1 && edit.inserted === text && !MARK.test(text.slice(-1));
    const read = whole ? readPasted(text, locale, limits) : null;
    if (read !== null) {
      take(read, read.length);
      return;
    }
    const typedMark = MARK.test(edit.inserted.slice(-1)) ? at - 1 : undefined;
    const kept = typedMark === undefined ? keepMark(text, at, edit, shown, decimal) : { text, at };
    const next = readTyped(kept.text, locale, typedMark, limits);
    if (next === null) {
      // Input beyond the limits is rejected: text and caret stay.
      take(shownTyped, significantBefore(text, Math.max(at - 1, 0), group));
      return;
    }
    // A mark that begins the amount gets a zero before it.
    const mark = typedMark ?? kept.text.indexOf(decimal);
    const zeroAdded = mark >= 0 && !/\d/.test(kept.text.slice(0, mark));
    const before =
      significantBefore(kept.text, kept.at, group) +
      (typedMark !== undefined && text.charAt(typedMark) === group ? 1 : 0) +
      (zeroAdded ? 1 : 0);
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
