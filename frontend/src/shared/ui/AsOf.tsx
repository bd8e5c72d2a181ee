import { DateTimePicker } from '@mantine/dates';
import { IconHistory } from '@tabler/icons-react';
import { useId } from 'react';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/es';
import { toMoment, toWallClock } from '~/shared/lib/moments';
import { useLanguage, useTexts } from '~/shared/lib/texts';
import { HIDDEN_LABEL } from './hiddenLabel';

interface AsOfProps {
  /** RFC 3339; absent for the present. */
  at: string | undefined;
  /** Time zone of the displayed times. */
  zone: string;
  onChange: (at: string | undefined) => void;
}

const SHOWN = { es: 'DD/MM/YYYY HH:mm', en: 'MM/DD/YYYY HH:mm' };

/** Selects a past time for which figures are shown. */
export function AsOf({ at, zone, onChange }: AsOfProps) {
  const t = useTexts();
  const language = useLanguage();
  const id = useId();
  return (
    <DateTimePicker
      id={id}
      // Mantine does not label the calendar; this id points to the field's label.
      popoverProps={{ id: `${id}-label` }}
      w={210}
      maw="100%"
      locale={language}
      firstDayOfWeek={language === 'es' ? 1 : 0}
      valueFormat={SHOWN[language]}
      maxDate={toWallClock(new Date().toISOString(), zone) ?? undefined}
      // A day without a time includes the whole day.
      defaultTimeValue="23:59:59"
      hideOutsideDates
      weekendDays={[]}
      clearable
      label={t('common:dates.asOf')}
      styles={{ label: HIDDEN_LABEL }}
      placeholder={t('common:dates.asOf')}
      leftSection={<IconHistory size={16} aria-hidden />}
      clearButtonProps={{ 'aria-label': t('common:dates.now') }}
      submitButtonProps={{ 'aria-label': t('common:dates.choose') }}
      timePickerProps={{
        hoursInputLabel: t('common:dates.hours'),
        minutesInputLabel: t('common:dates.minutes'),
      }}
      // The month and year buttons are labelled by their content.
      ariaLabels={{
        previousMonth: t('common:dates.previousMonth'),
        nextMonth: t('common:dates.nextMonth'),
        previousYear: t('common:dates.previousYear'),
        nextYear: t('common:dates.nextYear'),
        previousDecade: t('common:dates.previousDecade'),
        nextDecade: t('common:dates.nextDecade'),
      }}
      value={toWallClock(at, zone)}
      onChange={(wall) => onChange(wall ? toMoment(wall, zone) : undefined)}
    />
  );
}
