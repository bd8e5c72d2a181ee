import { Stack, Text } from '@mantine/core';
import { useFormContext } from 'react-hook-form';
import type { Card, CardBrand } from '~/api';
import { CARD_BRANDS, groupDigits, maskOf, shownNumber } from '~/entities/cards/brands';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { MultiSelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { firstDigits, type RecipientValues } from './recipientForm';

/** Cards to keep: the types that one chooses, and a number for each. */
export function CardFields({ kept }: { kept: Card[] }) {
  const t = useTexts();
  const { watch, getValues, setValue } = useFormContext<RecipientValues>();
  const chosen = CARD_BRANDS.filter((brand) => watch('brands').includes(brand));

  // A number begins with its brand's own digits: nobody need type them.
  const begin = (brands: string[]) => {
    for (const brand of brands) {
      const number = `numbers.${brand}` as const;
      if (!getValues(number)) setValue(number, firstDigits(brand as CardBrand));
    }
  };

  return (
    <Stack gap="xs" style={{ gridColumn: '1 / -1' }}>
      {kept.length > 0 && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            {t('recipients:cards.kept')}
          </Text>
          <Facts
            facts={kept.map(({ id, brand, cardNumber }) => ({
              key: id,
              label: t(`entities:brand.${brand}`),
              value: shownNumber(cardNumber) ?? t('entities:erased'),
            }))}
          />
        </div>
      )}
      <MultiSelectField<RecipientValues>
        name="brands"
        label={kept.length > 0 ? t('recipients:cards.more') : t('recipients:cards.types')}
        placeholder={chosen.length === 0 ? t('recipients:cards.choose') : undefined}
        clearable
        data={CARD_BRANDS.map((brand) => ({ value: brand, label: t(`entities:brand.${brand}`) }))}
        onChange={begin}
      />
      {chosen.map((brand) => (
        <TextField<RecipientValues>
          key={brand}
          name={`numbers.${brand}`}
          label={t('recipients:cards.number', { brand: t(`entities:brand.${brand}`) })}
          placeholder={maskOf(brand)}
          required
          inputMode="numeric"
          autoComplete="off"
          onInput={(event) => {
            const field = event.currentTarget;
            field.value = groupDigits(field.value);
          }}
        />
      ))}
    </Stack>
  );
}
