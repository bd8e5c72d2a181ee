import {
  type Municipality,
  type MunicipalityInput,
  newKey,
  underKey,
  useListCurrenciesQuery,
  useUpdateMunicipalityMutation,
} from '~/api';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOfForm } from '~/entities/money/usePreviewOfForm';
import { isNegative } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MoneyField, SelectField } from '~/shared/ui/form/fields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z
  .object({
    distributionFee: z.string().refine((value) => !isNegative(value), 'common:errors.positive'),
    distributionFeeCurrency: z.string().nullable(),
  })
  .check(({ value, issues }) => {
    if (value.distributionFee !== '' && value.distributionFeeCurrency === null) {
      issues.push({
        code: 'custom',
        path: ['distributionFeeCurrency'],
        message: 'common:errors.required',
        input: value,
      });
    }
  });
type Values = z.input<typeof schema>;

/** The form as a request carries it: without a fee there is no currency of it. */
function bodyOf({ distributionFee, distributionFeeCurrency }: Values) {
  const fee = distributionFee !== '';
  return {
    distributionFee: fee ? distributionFee : null,
    distributionFeeCurrency: fee ? distributionFeeCurrency : null,
  };
}

interface MunicipalityModalProps {
  municipality: Municipality;
  onClose: () => void;
}

/** What distributing to a municipality costs, where that differs from the currency's own rate. */
export function MunicipalityModal({ municipality, onClose }: MunicipalityModalProps) {
  const t = useTexts();
  const toast = useToast();
  const [update] = useUpdateMunicipalityMutation();
  const { data: currencies } = useListCurrenciesQuery({ recordsPerPage: 0 });
  const read: Values = {
    distributionFee: municipality.distributionFee ?? '',
    distributionFeeCurrency: municipality.distributionFeeCurrency,
  };
  const edits = useChanges(() => bodyOf(read));
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    send: async (values, key) => {
      await edits.send(edits.changed(bodyOf(values)), (changes) => {
        const municipalityInput = underKey({ ...changes } as MunicipalityInput, key);
        return update({ id: municipality.id, municipalityInput }).unwrap();
      });
      toast('good', t('nomenclators:place.edited'));
      onClose();
    },
  });
  const { preview, refusal } = usePreviewOfForm(shell, schema, (values) => ({
    url: `/api/nomenclators/municipality/${municipality.id}`,
    method: 'PUT',
    body: { ...edits.changed(bodyOf(values)), was: {} },
  }));
  return (
    <FormModal
      title={t('nomenclators:place.editOf', { name: municipality.name })}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={preview?.approval ? t('entities:approval.propose') : undefined}
    >
      <MoneyField<Values>
        name="distributionFee"
        label={t('nomenclators:place.fee')}
        description={t('nomenclators:place.feeHint')}
        currency={shell.form.watch('distributionFeeCurrency') ?? undefined}
        data-autofocus
      />
      <SelectField<Values>
        name="distributionFeeCurrency"
        label={t('nomenclators:place.feeCurrency')}
        clearable
        data={(currencies?.data ?? []).filter(({ enabled }) => enabled).map(({ code }) => code)}
      />
      <Effect preview={preview} refusal={refusal} />
    </FormModal>
  );
}
