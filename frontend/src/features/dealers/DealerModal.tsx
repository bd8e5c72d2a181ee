import { SimpleGrid } from '@mantine/core';
import { useController, useFormContext } from 'react-hook-form';
import {
  DEALER_TYPE,
  type Dealer,
  type DealerChangeInput,
  type DeliveryManChangeInput,
  may,
  newKey,
  SEE_ALL_DEALERS,
  underKey,
  useCreateDealerMutation,
  useCreateDeliveryManMutation,
  useListDealerDirectoryQuery,
  useListMunicipalitiesQuery,
  useListProvincesQuery,
  useProfile,
  useUpdateDealerMutation,
  useUpdateDeliveryManMutation,
} from '~/api';
import { NewPasswordField } from '~/entities/parties/PasswordFields';
import { useToCorrect } from '~/entities/parties/ToCorrect';
import { placeOptions } from '~/entities/places/CubanPlaceFields';
import { useTexts } from '~/shared/lib/texts';
import { CountedSelect } from '~/shared/ui/form/CountedSelect';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField, SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { namedOptions } from '~/shared/ui/table/FilterSelect';
import { useToast } from '~/shared/ui/toasts/toasts';
import {
  change,
  type DealerKind,
  type DealerValues,
  dealerBody,
  dealerSchema,
  dealerValues,
  deliveryManBody,
} from './dealerForm';

/** Where a dealer distributes: a province, where in it he is, and the municipalities he covers. */
function TerritoryFields() {
  const t = useTexts();
  const { watch, setValue, control } = useFormContext<DealerValues>();
  const { field, fieldState } = useController({ control, name: 'zones' });
  const error = useFieldText(fieldState.error?.message);
  const provinceId = watch('provinceId');
  const { data: provinces } = useListProvincesQuery();
  const { data: municipalities } = useListMunicipalitiesQuery(
    { provinceId: provinceId ?? undefined },
    { skip: !provinceId },
  );
  return (
    <>
      <SelectField<DealerValues>
        name="provinceId"
        label={t('entities:place.province')}
        searchable
        allowDeselect={false}
        data={placeOptions(provinces?.results, provinceId)}
        onChange={() => setValue('zones', [], { shouldDirty: true })}
      />
      <TextField<DealerValues>
        name="municipality"
        label={t('dealers:form.municipality')}
        autoComplete="off"
      />
      <CountedSelect
        label={t('dealers:form.zones')}
        placeholder={provinceId ? t('dealers:form.chooseZones') : t('dealers:form.provinceFirst')}
        counted={(count) => t('dealers:form.zoneCount', { count })}
        selectAll={t('dealers:form.allZones')}
        disabled={!provinceId}
        data={namedOptions(provinceId ? municipalities?.results : [])}
        ref={field.ref}
        value={field.value}
        onChange={field.onChange}
        error={error}
      />
    </>
  );
}

interface DealerModalProps {
  kind: DealerKind;
  /** Null for a new one. */
  dealer: Dealer | null;
  onClose: () => void;
}

/** Makes or changes a dealer or a delivery man. */
export function DealerModal({ kind, dealer, onClose }: DealerModalProps) {
  const t = useTexts();
  const toast = useToast();
  const { role } = useProfile();
  const isNew = dealer === null;
  const courier = kind === DEALER_TYPE.deliveryMan;
  const choosesDealer = courier && isNew && SEE_ALL_DEALERS.includes(role);
  const [createDealer] = useCreateDealerMutation();
  const [updateDealer] = useUpdateDealerMutation();
  const [createDeliveryMan] = useCreateDeliveryManMutation();
  const [updateDeliveryMan] = useUpdateDeliveryManMutation();
  const { data: directory } = useListDealerDirectoryQuery({ recordsPerPage: 0 }, { skip: !choosesDealer });

  const bodyOf = (values: DealerValues) =>
    change(courier ? deliveryManBody(dealer, values) : dealerBody(dealer, values));
  const edits = useChanges(() => bodyOf(dealerValues(dealer)));
  const save = (values: DealerValues, key: string): Promise<unknown> => {
    if (dealer) {
      return edits.send(edits.changed(bodyOf(values)), (changes) => {
        const body = underKey({ ...changes }, key);
        return courier
          ? updateDeliveryMan({
              id: dealer.id,
              deliveryManChangeInput: body as DeliveryManChangeInput,
            }).unwrap()
          : updateDealer({ id: dealer.id, dealerChangeInput: body as DealerChangeInput }).unwrap();
      });
    }
    return courier
      ? createDeliveryMan({ deliveryManInput: underKey(deliveryManBody(dealer, values), key) }).unwrap()
      : createDealer({ dealerInput: underKey(dealerBody(dealer, values), key) }).unwrap();
  };
  const shell = useFormShell({
    resolver: zodForm(dealerSchema(isNew, choosesDealer)),
    defaults: dealerValues(dealer),
    newKey,
    fieldNames: { phone: 'phoneNumber', city: 'municipality' },
    send: async (values, key) => {
      await save(values, key);
      const said = courier
        ? isNew
          ? t('dealers:done.addedCourier')
          : t('dealers:done.editedCourier')
        : isNew
          ? t('dealers:done.added')
          : t('dealers:done.edited');
      toast('good', said);
      onClose();
    },
  });
  useToCorrect(shell, dealer?.toCorrect);
  const title = courier
    ? isNew
      ? t('dealers:form.newCourier')
      : t('dealers:form.editCourier')
    : isNew
      ? t('dealers:form.new')
      : t('dealers:form.edit');

  return (
    <FormModal title={title} shell={shell} onClose={onClose}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        {choosesDealer && (
          <SelectField<DealerValues>
            name="dealerId"
            label={t('dealers:form.dealer')}
            required
            searchable
            data={namedOptions(directory?.data)}
            style={{ gridColumn: '1 / -1' }}
          />
        )}
        <TextField<DealerValues>
          name="name"
          label={t('entities:party.name')}
          required
          autoComplete="off"
          data-autofocus
        />
        <TextField<DealerValues>
          name="identificationNumber"
          label={t('entities:identification.ci')}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField<DealerValues>
          name="email"
          label={t('entities:party.email')}
          type="email"
          required
          autoComplete="off"
        />
        <NewPasswordField<DealerValues>
          name="password"
          label={t('entities:party.password')}
          description={isNew ? undefined : t('entities:party.passwordStays')}
          required={isNew}
        />
        <TextField<DealerValues>
          name="phoneNumber"
          label={t('entities:party.phone')}
          type="tel"
          autoComplete="off"
        />
        <TextField<DealerValues> name="license" label={t('dealers:form.license')} autoComplete="off" />
        <TextField<DealerValues>
          name="addressLine1"
          label={t('entities:party.address1')}
          autoComplete="off"
        />
        <TextField<DealerValues>
          name="addressLine2"
          label={t('entities:party.address2')}
          autoComplete="off"
        />
        <TextField<DealerValues>
          name="addressLine3"
          label={t('entities:party.address3')}
          autoComplete="off"
        />
        {!courier && may.updateDealer.includes(role) && <TerritoryFields />}
        <SwitchField<DealerValues>
          name="isActive"
          label={t('entities:active.label')}
          mt={{ base: 0, sm: 30 }}
        />
        <SwitchField<DealerValues>
          name="handleMLC"
          label={t('dealers:form.handleMlc')}
          mt={{ base: 0, sm: 30 }}
        />
      </SimpleGrid>
    </FormModal>
  );
}
