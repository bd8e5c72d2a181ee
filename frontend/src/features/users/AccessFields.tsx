import { useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { SelectField } from '~/shared/ui/form/fields';
import { DAYS, KEEP, NEVER, useSetOptions } from './office';

export interface AccessValues {
  permissionSet: string;
  ends: string;
}

/** What a member of the office may do, and until when. */
export function AccessFields({ ends }: { ends: string | null }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const sets = useSetOptions();
  const kept = ends
    ? [{ value: KEEP, label: t('users:access.keep', { time: formatDateTime(ends, locale, timeZone) }) }]
    : [];
  return (
    <>
      <SelectField<AccessValues>
        name="permissionSet"
        label={t('users:access.set')}
        description={t('users:access.hint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        data={sets}
      />
      <SelectField<AccessValues>
        name="ends"
        label={t('users:access.until')}
        required
        data={[
          ...kept,
          { value: NEVER, label: t('users:access.never') },
          ...DAYS.map((days) => ({ value: days, label: t(`users:access.days.${days}`) })),
        ]}
      />
    </>
  );
}
