import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import {
  DEALER_TYPE,
  type Dealer,
  newKey,
  type Remittance,
  underKey,
  useAssignDealerMutation,
  useListDealersQuery,
  useProfile,
} from '~/api';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOf } from '~/entities/money/usePreviewOf';
import { messageOf } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from './facts';

const schema = z.object({
  dealerId: z
    .string()
    .nullable()
    .refine((id) => id !== null, 'common:errors.required'),
  deliveryManId: z.string().nullable(),
});
type Values = z.input<typeof schema>;

function useParties(type: 0 | 1, dealerId: string | null, skip: boolean): Dealer[] {
  const { data } = useListDealersQuery(
    { type, dealerId: dealerId ?? undefined, recordsPerPage: 0 },
    { skip },
  );
  if (!data || !('data' in data)) return [];
  return data.data.filter((dealer) => dealer.isActive);
}

/** Gives a remittance to a dealer (the manager) or to one of the dealer's delivery men (either). */
export function AssignDialog({ remittance, onClose }: { remittance: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const profile = useProfile();
  // A dealer gives it on himself.
  const dealer = profile.role === 'dealer';
  const [assign] = useAssignDealerMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      dealerId: dealer ? profile.id : (remittance.dealer?.id ?? null),
      deliveryManId: remittance.deliveryMan?.id ?? null,
    },
    newKey,
    send: async (values, key) => {
      const body = { dealerId: values.dealerId, deliveryManId: values.deliveryManId ?? undefined };
      const answer = await assign({ id: remittance.id, assignDealerInput: underKey(body, key) }).unwrap();
      toast('good', t('remittances:done.assign'));
      for (const warning of answer.warnings ?? []) toast('info', messageOf(warning));
      onClose();
    },
  });

  const [dealerId, deliveryManId] = shell.form.watch(['dealerId', 'deliveryManId']);
  const dealers = useParties(DEALER_TYPE.dealer, null, dealer);
  const deliveryMen = useParties(DEALER_TYPE.deliveryMan, dealer ? null : dealerId, !dealerId);
  const card = remittance.deliveryMethod === 'card';
  const municipality = remittance.address?.municipalityId;
  const covers = (dealer: Dealer) => !card && dealer.zones.some((zone) => zone.id === municipality);
  const eligible = dealers.filter((dealer) => !card || dealer.handleMLC);
  const near = eligible.filter(covers);
  const far = eligible.filter((dealer) => !covers(dealer));
  const options = (rows: Dealer[]) => rows.map(({ id, name }) => ({ value: id, label: name }));
  const chosen = eligible.find(({ id }) => id === dealerId);
  const { answer: preview, refusal } = usePreviewOf(
    dealerId
      ? {
          url: `/api/remittances/${remittance.id}/assign/dealer`,
          method: 'PUT',
          body: { dealerId, deliveryManId: deliveryManId ?? undefined },
        }
      : null,
  );

  return (
    <FormConfirm
      title={t('remittances:assign.title')}
      facts={[
        ...remittanceFacts(t, remittance),
        ...(remittance.address?.municipality
          ? [
              {
                label: t('remittances:columns.place'),
                value: [remittance.address.municipality, remittance.address.province]
                  .filter(Boolean)
                  .join(', '),
              },
            ]
          : []),
      ]}
      confirmLabel={t('remittances:assign.confirm')}
      shell={shell}
      onClose={onClose}
    >
      {!dealer && (
        <SelectField<Values>
          name="dealerId"
          label={t('remittances:columns.dealer')}
          required
          searchable
          data-autofocus
          openOnFocus={false}
          data={
            near.length > 0
              ? [
                  { group: t('remittances:assign.inZone'), items: options(near) },
                  { group: t('remittances:assign.outOfZone'), items: options(far) },
                ]
              : options(far)
          }
          nothingFoundMessage={t('remittances:assign.noDealer')}
          onChange={() => shell.form.setValue('deliveryManId', null)}
        />
      )}
      {chosen && !card && !covers(chosen) && (
        <Alert variant="light" color="yellow" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t('remittances:assign.warning', { name: chosen.name })}
        </Alert>
      )}
      {(deliveryMen.length > 0 || dealer) && (
        <SelectField<Values>
          name="deliveryManId"
          label={t('remittances:detail.deliveryMan')}
          description={dealer ? undefined : t('remittances:assign.optional')}
          clearable
          searchable
          data={options(deliveryMen)}
          nothingFoundMessage={t('remittances:assign.noDeliveryMan')}
        />
      )}
      <Effect preview={preview} refusal={shell.problem ? null : refusal} />
    </FormConfirm>
  );
}
