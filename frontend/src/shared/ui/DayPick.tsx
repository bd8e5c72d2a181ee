import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useId } from 'react';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/es';
import { fromFilterDay, toFilterDay } from '~/shared/lib/dates';
import { useLanguage, useTexts } from '~/shared/lib/texts';
import { HIDDEN_LABEL } from './hiddenLabel';

interface DayPickProps {
  label: string;
  /** Shows the label above the field; screen readers get it in any case. */
  labelled?: boolean;
  description?: string;
  /** Meaning of an empty field. */
  placeholder: string;
  /** YYYYMMDD in the tenant's zone. */
  day: string | undefined;
  /** Last selectable day, YYYYMMDD. */
  latest?: string;
  onChange: (day: string | undefined) => void;
}

const SHOWN = { es: 'DD/MM/YYYY', en: 'MM/DD/YYYY' };

/** One calendar day. */
export function DayPick(props: DayPickProps) {
  const t = useTexts();
  const language = useLanguage();
  const id = useId();
  return (
    <DatePickerInput
      id={id}
      // Mantine does not label the calendar; this id points to the field's label.
      popoverProps={{ id: `${id}-label` }}
      w={props.labelled ? undefined : 170}
      maw="100%"
      locale={language}
      firstDayOfWeek={language === 'es' ? 1 : 0}
      valueFormat={SHOWN[language]}
      maxDate={fromFilterDay(props.latest) ?? undefined}
      hideOutsideDates
      weekendDays={[]}
      clearable
      label={props.label}
      styles={props.labelled ? undefined : { label: HIDDEN_LABEL }}
      description={props.description}
      placeholder={props.placeholder}
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
      value={fromFilterDay(props.day)}
      onChange={(day) => props.onChange(toFilterDay(day))}
    />
  );
}
