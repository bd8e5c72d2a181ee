import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import {
  newKey,
  type ScreeningListView,
  type ScreeningRuleInput,
  type ScreeningView,
  underKey,
  useProfile,
  useSetScreeningListsMutation,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
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

const valuesOf = (lists: ScreeningListView[]): Values => ({
  lists: lists.map(({ enabled, threshold }) => ({ enabled, threshold: String(threshold) })),
});

/** Threshold of each chosen list by its name. */
const bodyOf = (lists: ScreeningListView[], values: Values) => {
  const chosen = values.lists.flatMap(({ enabled, threshold }, place) => {
    const name = lists[place]?.name;
    return enabled && name ? [[name, Number(threshold)] as const] : [];
  });
  return { lists: Object.fromEntries(chosen) as ScreeningRuleInput['lists'] };
};

/**
 * Chooses the lists that customers are compared with, each with its threshold: of the lists that were there when the form
 * opened.
 */
export function ListsModal({ screening, onClose }: { screening: ScreeningView; onClose: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const { timeZone } = useProfile();
  const [save] = useSetScreeningListsMutation();
  // The lists behind the form may load anew, with another one among them.
  const [lists] = useState(screening.lists);
  const edits = useChanges(
    () => bodyOf(lists, valuesOf(lists)),
    (_, now) => (now === null || now === undefined ? t('screening:lists.unused') : `${now} %`),
  );
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: valuesOf(lists),
    fieldNames: Object.fromEntries(
      lists.map(({ name }, place) => [`lists.${name}`, `lists.${place}.threshold` as const]),
    ),
    newKey,
    send: async (values, key) => {
      await edits.send(edits.changed(bodyOf(lists, values)), (changes) => {
        const screeningRuleInput = underKey({ ...changes } as ScreeningRuleInput, key);
        return save({ screeningRuleInput }).unwrap();
      });
      toast('good', t('screening:lists.saved'));
      onClose();
    },
  });
  return (
    <FormModal title={t('screening:lists.title')} shell={shell} onClose={onClose} size="md">
      {lists.length === 0 && <Text size="sm">{t('screening:lists.none')}</Text>}
      {lists.map((list, place) => (
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
