import { Group, SimpleGrid } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useFormContext } from 'react-hook-form';
import type { ProfilePaymentGroup, Quote } from '~/api';
import { formatDecimal } from '~/shared/lib/decimal';
import type { Problem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { SelectField } from '~/shared/ui/form/fields';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { MoneyInput } from '~/shared/ui/MoneyInput';
import { problemText } from '~/shared/ui/problemText';
import classes from './AmountFields.module.css';
import type { AmountValues } from './schema';

/** What is shown of a group. */
export type AmountGroup = Pick<
  ProfilePaymentGroup,
  'paymentGroupId' | 'groupName' | 'currencyFrom' | 'currencyTo' | 'exchangeRate'
>;

interface AmountFieldsProps {
  groups: AmountGroup[];
  quote: Quote | undefined;
  problem: Problem | undefined;
  onGroup: (id: string | null) => void;
  amountRef?: Ref<HTMLInputElement>;
}

/** The group, and the amount or the payout: whichever is typed, the server quotes the other. */
export function AmountFields({ groups, quote, problem, onGroup, amountRef }: AmountFieldsProps) {
  const t = useTexts();
  const locale = useLocale();
  const { watch, setValue, formState } = useFormContext<AmountValues>();
  const [side, amount, payout, groupId] = watch(['side', 'amount', 'payout', 'paymentGroupId']);
  const group = groups.find((one) => one.paymentGroupId === groupId);
  const amountError = useFieldText(formState.errors.amount?.message);
  const payoutError = useFieldText(formState.errors.payout?.message);
  const refused = problem && (problem.fields[0]?.detail || problemText(t, problem));

  const type = (typedSide: 'amount' | 'payout') => (value: string) => {
    setValue('side', typedSide, { shouldDirty: true });
    setValue(typedSide, value, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  };

  return (
    <>
      <SelectField<AmountValues>
        name="paymentGroupId"
        label={t('remittances:new.group')}
        required
        allowDeselect={false}
        mb="sm"
        data={groups.map((one) => ({
          value: one.paymentGroupId ?? '',
          label: t('remittances:new.groupOption', {
            name: one.groupName,
            rate: formatDecimal(one.exchangeRate ?? '1', locale),
            currency: one.currencyTo,
          }),
        }))}
        onChange={onGroup}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" className={classes.pair}>
        <MoneyInput
          ref={amountRef}
          label={t('remittances:new.amount')}
          size="md"
          required
          currency={group?.currencyFrom ?? 'USD'}
          value={side === 'amount' ? amount : (quote?.amount ?? '')}
          onChange={type('amount')}
          error={amountError ?? (side === 'amount' ? refused : undefined)}
        />
        <MoneyInput
          label={t('remittances:new.payout')}
          size="md"
          required
          disabled={!group}
          currency={group?.currencyTo ?? ''}
          value={side === 'payout' ? payout : (quote?.payout ?? '')}
          onChange={type('payout')}
          error={payoutError ?? (side === 'payout' ? refused : undefined)}
        />
        <Group className={classes.sign} aria-hidden>
          <IconArrowsLeftRight size={16} />
        </Group>
      </SimpleGrid>
    </>
  );
}
