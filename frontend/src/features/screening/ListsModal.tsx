import { Stack, Text } from '@mantine/core';
import { newKey, type ScreeningView, underKey, useProfile, useSetScreeningListsMutation } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

/** Of the server's rule. */
const [LEAST, MOST] = [70, 100];
const percent = z
  .string()
  .trim()
  .regex(/^\d{1,3}$/, 'screening:errors.threshold')
  .refine((text) => Number(text) >= LEAST && Number(text) <= MOST, 'screening:errors.threshold');
const schema = z.object({ lists: z.array(z.object({ enabled: z.boolean(), threshold: percent })) });
type Values = z.input<typeof schema>;

/** Chooses the lists that customers are compared with, each with its threshold. */
export function ListsModal({ screening, onClose }: { screening: ScreeningView; onClose: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const { timeZone } = useProfile();
  const [save] = useSetScreeningListsMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      lists: screening.lists.map(({ enabled, threshold }) => ({ enabled, threshold: String(threshold) })),
    },
    newKey,
    send: async ({ lists }, key) => {
      const chosen = lists.flatMap(({ enabled, threshold }, place) => {
        const name = screening.lists[place]?.name;
        return enabled && name ? [[name, Number(threshold)] as const] : [];
      });
      const body = underKey({ lists: Object.fromEntries(chosen) }, key);
      await save({ screeningRuleInput: body }).unwrap();
      toast('good', t('screening:lists.saved'));
      onClose();
    },
  });
  return (
    <FormModal title={t('screening:lists.title')} shell={shell} onClose={onClose} size="md">
      {screening.lists.length === 0 && <Text size="sm">{t('screening:lists.none')}</Text>}
      {screening.lists.map((list, place) => (
        <Stack key={list.name} gap={4}>
          <SwitchField<Values>
            name={`lists.${place}.enabled`}
            label={t('screening:lists.use', { name: list.name })}
            description={
              list.loaded
                ? t('screening:lists.facts', {
                    entries: formatCount(list.entries, locale),
                    version: list.version,
                    loaded: list.loadedAt ? formatDateTime(list.loadedAt, locale, timeZone) : '–',
                  })
                : t(list.managed ? 'screening:lists.missingOwn' : 'screening:lists.missing')
            }
          />
          <TextField<Values>
            name={`lists.${place}.threshold`}
            label={t('screening:lists.threshold', { name: list.name })}
            description={t('screening:lists.hint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            inputMode="numeric"
            autoComplete="off"
          />
        </Stack>
      ))}
    </FormModal>
  );
}
