import { ActionIcon, Slider } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import classes from './Audit.module.css';

interface TimeSliderProps {
  /** What is slid through. */
  label: string;
  /** How many events there are. */
  count: number;
  /** How many of them have happened at the moment that shows. */
  value: number;
  onChoose: (value: number) => void;
}

/** Slides through the events of a record or an account; from before the first to now. */
export function TimeSlider({ label, count, value, onChoose }: TimeSliderProps) {
  const t = useTexts();
  const locale = useLocale();
  const [slid, setSlid] = useState(value);
  useEffect(() => setSlid(value), [value]);
  const said = (at: number) =>
    t('audit:past.of', { number: formatCount(at, locale), count, all: formatCount(count, locale) });
  const step = (to: number, name: string, Sign: typeof IconChevronLeft) => (
    <ActionIcon
      variant="default"
      size={44}
      aria-label={name}
      disabled={to < 0 || to > count}
      onClick={() => onChoose(to)}
    >
      <Sign size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <div className={classes.slider}>
      {step(value - 1, t('audit:past.earlier'), IconChevronLeft)}
      <Slider
        min={0}
        max={Math.max(count, 1)}
        disabled={count === 0}
        value={slid}
        onChange={setSlid}
        onChangeEnd={onChoose}
        label={said}
        thumbLabel={label}
        thumbProps={{ 'aria-valuetext': said(slid) }}
        size="lg"
        thumbSize={24}
      />
      {step(value + 1, t('audit:past.later'), IconChevronRight)}
    </div>
  );
}
