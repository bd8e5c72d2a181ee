import { Alert, Input, SegmentedControl } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import {
  LIMITS,
  newKey,
  type Remittance,
  type RemittanceDetailsInput,
  underKey,
  useListCardsQuery,
  useListRecipientsQuery,
  useUpdateRemittanceDetailsMutation,
} from '~/api';
import { fitsCurrency, hasCards, shownNumber } from '~/entities/cards/brands';
import { CubanPlaceFields } from '~/entities/places/CubanPlaceFields';
import { STATUS } from '~/entities/remittances/status';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField, TextareaField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from '../dialogs/facts';

const LONGEST = LIMITS.RemittanceDetailsInput;
const METHOD = 'edit-method';

const schema = z
  .object({
    recipientId: z.string(),
    deliveryMethod: z.enum(['home', 'card']),
    address: z.string().trim().max(LONGEST.address, 'common:errors.tooLong'),
    provinceId: z.string().nullable(),
    municipalityId: z.string().nullable(),
    cardId: z.string().nullable(),
    notes: z.string().trim().max(LONGEST.notes, 'common:errors.tooLong'),
    reference: z.string().trim().max(LONGEST.reference, 'common:errors.tooLong'),
  })
  .check(({ value, issues }) => {
    const needed = value.deliveryMethod === 'card' ? 'cardId' : 'municipalityId';
    if (value[needed] !== null) return;
    // Without a place, delivery goes to the recipient's residence.
    if (needed === 'municipalityId' && value.provinceId === null) return;
    issues.push({ code: 'custom', path: [needed], message: 'common:errors.required', input: value });
  });
type Values = z.input<typeof schema>;

/** What the fields hold at first. */
export function valuesOf(row: Remittance): Values {
  return {
    recipientId: row.recipient.id,
    deliveryMethod: row.deliveryMethod,
    address: row.address?.addressLine ?? '',
    provinceId: row.address?.provinceId ?? null,
    municipalityId: row.address?.municipalityId ?? null,
    cardId: row.card?.id ?? null,
    notes: row.notes ?? '',
    reference: row.reference ?? '',
  };
}

/** The same as a request says it. */
function readOf(row: Remittance): RemittanceDetailsInput {
  const { address, notes, reference, provinceId, municipalityId, cardId, ...rest } = valuesOf(row);
  return {
    ...rest,
    address: address || null,
    notes: notes || null,
    reference: reference || null,
    cardId,
    ...(provinceId !== null && { provinceId }),
    ...(municipalityId !== null && { municipalityId }),
  };
}

/** What differs from what stands there: a call changes nothing else. */
export function changesOf(row: Remittance, values: Values): RemittanceDetailsInput {
  const before = valuesOf(row);
  const home = values.deliveryMethod === 'home';
  const moved = values.deliveryMethod !== before.deliveryMethod;
  const changed = (name: keyof Values) => values[name] !== before[name];
  return {
    ...(changed('recipientId') && { recipientId: values.recipientId }),
    ...((moved || (!home && changed('cardId'))) && { deliveryMethod: values.deliveryMethod }),
    ...(!home && (moved || changed('cardId')) && { cardId: values.cardId }),
    ...(home && changed('address') && { address: values.address || null }),
    ...(home &&
      changed('municipalityId') &&
      values.municipalityId !== null && {
        municipalityId: values.municipalityId,
        ...(values.provinceId !== null && { provinceId: values.provinceId }),
      }),
    ...(changed('notes') && { notes: values.notes || null }),
    ...(changed('reference') && { reference: values.reference || null }),
  };
}

/** Who is paid, where and how, the seller's reference and the notes. */
export function EditDetailsDialog({ remittance, onClose }: { remittance: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [update] = useUpdateRemittanceDetailsMutation();
  // Initial values: the row behind the dialog may reload while typing.
  const [first] = useState(remittance);
  const edits = useChanges((): RemittanceDetailsInput => readOf(first));
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: valuesOf(remittance),
    newKey,
    send: async (values, key) => {
      await edits.send(changesOf(first, values), (changes) =>
        update({ id: remittance.id, remittanceDetailsInput: underKey({ ...changes }, key) }).unwrap(),
      );
      toast('good', t('remittances:done.editDetails'));
      onClose();
    },
  });
  const { form } = shell;
  const [recipientId, method] = form.watch(['recipientId', 'deliveryMethod']);
  const { data: recipients } = useListRecipientsQuery({ senderId: remittance.sender.id, recordsPerPage: 0 });
  const { data: cards } = useListCardsQuery(
    { id: recipientId, recordsPerPage: 0 },
    { skip: method !== 'card' },
  );
  const people = (recipients?.data ?? []).filter(({ isActive, id }) => isActive || id === recipientId);
  const options = people.map(({ id, fullName }) => ({
    value: id,
    label: fullName ?? t('remittances:erased'),
  }));
  if (!people.some(({ id }) => id === remittance.recipient.id)) {
    options.unshift({
      value: remittance.recipient.id,
      label: remittance.recipient.name ?? t('remittances:erased'),
    });
  }
  const fitting = (cards?.data ?? []).filter(({ brand }) => fitsCurrency(brand, remittance.currencyTo));

  const chooseRecipient = (id: string | null) => {
    // Another recipient lives elsewhere and has other cards: left empty, the address is his own.
    const before = id === remittance.recipient.id ? valuesOf(remittance) : null;
    form.setValue('address', before?.address ?? '');
    form.setValue('provinceId', before?.provinceId ?? null);
    form.setValue('municipalityId', before?.municipalityId ?? null);
    form.setValue('cardId', before?.cardId ?? null);
  };

  return (
    <FormModal title={t('remittances:edit.detailsTitle')} shell={shell} onClose={onClose}>
      <Facts facts={remittanceFacts(t, remittance)} />
      {remittance.status === STATUS.error && (
        <Alert variant="light" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t('remittances:edit.reopens')}
        </Alert>
      )}
      <SelectField<Values>
        name="recipientId"
        label={t('remittances:columns.recipient')}
        required
        searchable
        allowDeselect={false}
        data={options}
        onChange={chooseRecipient}
      />
      {(hasCards(remittance.currencyTo) || remittance.card) && (
        <Input.Wrapper label={t('remittances:detail.method')} labelElement="div" labelProps={{ id: METHOD }}>
          <SegmentedControl
            fullWidth
            aria-labelledby={METHOD}
            value={method}
            onChange={(value) =>
              form.setValue('deliveryMethod', value === 'card' ? 'card' : 'home', { shouldDirty: true })
            }
            data={[
              { value: 'home', label: t('remittances:method.home') },
              { value: 'card', label: t('remittances:method.card') },
            ]}
          />
        </Input.Wrapper>
      )}
      {method === 'card' ? (
        <SelectField<Values>
          name="cardId"
          label={t('remittances:card.label')}
          required
          placeholder={
            fitting.length === 0
              ? t('remittances:card.none', { currency: remittance.currencyTo })
              : t('remittances:card.choose')
          }
          data={fitting.map((card) => ({
            value: card.id,
            label: `${shownNumber(card.cardNumber) ?? ''} · ${t(`entities:brand.${card.brand}`)}`,
          }))}
        />
      ) : (
        <>
          <TextField<Values>
            name="address"
            label={t('remittances:detail.address')}
            description={t('remittances:edit.addressHint')}
          />
          <CubanPlaceFields<Values> province="provinceId" municipality="municipalityId" />
        </>
      )}
      <TextField<Values> name="reference" label={t('remittances:detail.reference')} autoComplete="off" />
      <TextareaField<Values> name="notes" label={t('remittances:detail.notes')} />
    </FormModal>
  );
}
