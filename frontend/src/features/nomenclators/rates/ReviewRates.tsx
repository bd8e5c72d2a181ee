import { ScrollArea, Table, Text } from '@mantine/core';
import { newKey, type TodaysRate, underKey, useChangeRatesMutation, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatDecimal } from '~/shared/lib/decimal';
import { toMoment } from '~/shared/lib/moments';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { percentBetween } from './adjust';
import { rateKey, wanted } from './rows';
import { useOwnerName } from './useOwnerName';

export interface Proposed {
  rate: TodaysRate;
  to: string;
}

const schema = z.object({ later: z.boolean(), wall: z.string() }).check(({ value, issues }) => {
  if (value.later && value.wall === '')
    issues.push({ code: 'custom', path: ['wall'], message: 'common:errors.required', input: value });
});
type Values = z.input<typeof schema>;

interface ReviewRatesProps {
  proposed: Proposed[];
  onDone: () => void;
  onClose: () => void;
}

/** What changes for whom, and when: to be looked at before it is confirmed. */
export function ReviewRates({ proposed, onDone, onClose }: ReviewRatesProps) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const ownerName = useOwnerName();
  const { timeZone } = useProfile();
  const [change] = useChangeRatesMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { later: false, wall: '' },
    newKey,
    fieldNames: { at: 'wall' },
    send: async (values, key) => {
      const at = values.later ? toMoment(values.wall, timeZone) : undefined;
      const rates = proposed.map(({ rate, to }) => wanted(rate, to));
      await change({ rateChangeInput: underKey({ rates, at }, key) }).unwrap();
      toast(
        'good',
        at
          ? t('nomenclators:rates.scheduled', { time: formatDateTime(at, locale, timeZone) })
          : t('nomenclators:rates.done'),
      );
      onDone();
    },
  });
  const later = shell.form.watch('later');

  return (
    <FormModal
      title={t('nomenclators:rates.review', { count: proposed.length })}
      size="xl"
      // What was typed is behind the dialog, and stays.
      shell={{ ...shell, unsaved: false }}
      saveLabel={later ? t('nomenclators:rates.schedule') : t('nomenclators:rates.confirm')}
      cancelLabel={t('common:actions.back')}
      onClose={onClose}
    >
      <ScrollArea.Autosize mah="45dvh" viewportProps={{ tabIndex: 0 }}>
        <Table aria-label={t('nomenclators:rates.review', { count: proposed.length })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('nomenclators:rates.whose')}</Table.Th>
              <Table.Th ta="right">{t('nomenclators:rates.now')}</Table.Th>
              <Table.Th ta="right">{t('nomenclators:rates.new')}</Table.Th>
              <Table.Th ta="right">%</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {proposed.map(({ rate, to }) => (
              <Table.Tr key={rateKey(rate)}>
                <Table.Td>
                  {ownerName(rate)}
                  <Text size="xs" c="dimmed">
                    {[rate.paymentGroupName, rate.currency].filter(Boolean).join(' · ')}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{formatDecimal(rate.rate, locale)}</Table.Td>
                <Table.Td ta="right" fw={600}>
                  {formatDecimal(to, locale)}
                </Table.Td>
                <Table.Td ta="right">{formatDecimal(percentBetween(rate.rate, to) ?? '', locale)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <SwitchField<Values> name="later" label={t('nomenclators:rates.later')} />
      {later && (
        <TextField<Values>
          name="wall"
          type="datetime-local"
          label={t('nomenclators:rates.at', { zone: timeZone })}
          required
        />
      )}
      <Text size="sm" c="dimmed">
        {t('nomenclators:rates.soldStays')}
      </Text>
    </FormModal>
  );
}
