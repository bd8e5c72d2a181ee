import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId, useState } from 'react';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/es';
import { fromFilterDay, toFilterDay } from '~/shared/lib/dates';
import { useLanguage, useTexts } from '~/shared/lib/texts';
import { HIDDEN_LABEL } from './hiddenLabel';

interface DateRangeProps {
  /** YYYYMMDD in the tenant's zone. */
  from: string | undefined;
  to: string | undefined;
  onChange: (from: string | undefined, to: string | undefined) => void;
  /** What the days are of, where that is not the list's own time. */
  label?: string;
}

const SHOWN = { es: 'DD/MM/YYYY', en: 'MM/DD/YYYY' };

/** Two calendar days, both inclusive; reported once both are chosen. */
export function DateRange({ from, to, onChange, label }: DateRangeProps) {
  const t = useTexts();
  const language = useLanguage();
  const outer: [string | null, string | null] = [fromFilterDay(from), fromFilterDay(to)];
  const id = useId();
  const [half, setHalf] = useState<[string | null, string | null] | null>(null);

  const take = (range: [string | null, string | null]) => {
    const [first, last] = range;
    if (first && !last) {
      setHalf(range);
      return;
    }
    setHalf(null);
    onChange(toFilterDay(first), toFilterDay(last));
  };

  return (
    <DatePickerInput
      type="range"
      id={id}
      // Mantine does not label the calendar; this id points to the field's label.
      popoverProps={{ id: `${id}-label` }}
      w={236}
      maw="100%"
      locale={language}
      firstDayOfWeek={language === 'es' ? 1 : 0}
      valueFormat={SHOWN[language]}
      allowSingleDateInRange
      hideOutsideDates
      weekendDays={[]}
      clearable
      label={label ?? t('common:dates.range')}
      styles={{ label: HIDDEN_LABEL }}
      placeholder={label ?? t('common:dates.range')}
      leftSection={<IconCalendar size={16} aria-hidden />}
      clearButtonProps={{ 'aria-label': t('common:dates.clear') }}
      // The month and year buttons are labelled by their content.
      ariaLabels={{
        previousMonth: t('common:dates.previousMonth'),
        nextMonth: t('common:dates.nextMonth'),
        previousYear: t('common:dates.previousYear'),
        nextYear: t('common:dates.nextYear'),
        previousDecade: t('common:dates.previousDecade'),
        nextDecade: t('common:dates.nextDecade'),
      }}
      value={half ?? outer}
      onChange={take}
      onDropdownClose={() => setHalf(null)}
    />
  );
}
