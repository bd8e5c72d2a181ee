import { SimpleGrid } from '@mantine/core';
import { type FieldValues, type Path, useFormContext } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { MoneyField, RateField, SelectField } from '~/shared/ui/form/fields';

const FIXED = '0';

interface CommissionFieldsProps {
  /** Where the commission stands in the form: `agencyCommission`, or nothing when its fields are the form's own. */
  prefix?: string;
}

/** The four fields of a commission. */
export function CommissionFields<Values extends FieldValues>({ prefix }: CommissionFieldsProps) {
  const t = useTexts();
  const { watch } = useFormContext<Values>();
  const at = (field: string) => (prefix ? `${prefix}.${field}` : field) as Path<Values>;
  const fixed = watch(at('utilityType')) === FIXED;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
      <RateField<Values> name={at('rate')} label={t('entities:commission.rate')} required unit="%" />
      <MoneyField<Values>
        name={at('minimalAmount')}
        label={t('entities:commission.minimalAmount')}
        description={t('entities:commission.minimalHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        currency="USD"
      />
      <SelectField<Values>
        name={at('utilityType')}
        label={t('entities:commission.utilityType')}
        allowDeselect={false}
        data={[
          { value: '1', label: t('entities:commission.percentage') },
          { value: FIXED, label: t('entities:commission.fixed') },
        ]}
      />
      <RateField<Values>
        name={at('utilityValue')}
        label={t('entities:commission.utilityValue')}
        unit={fixed ? 'USD' : '%'}
      />
    </SimpleGrid>
  );
}
