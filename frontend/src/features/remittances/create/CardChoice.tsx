import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { newKey, underKey, useAddCardMutation, useListCardsQuery } from '~/api';
import { brandOf, CARD_DIGITS, fitsCurrency, groupDigits, shownNumber } from '~/entities/cards/brands';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormShell } from '~/shared/ui/form/FormShell';
import { SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import classes from './CustomerPicker.module.css';
import type { RemittanceValues } from './schema';

const schema = z.object({
  cardNumber: z
    .string()
    .transform((text) => text.replace(/\D/g, ''))
    .pipe(
      z
        .string()
        .length(CARD_DIGITS, 'remittances:card.digits')
        .refine((number) => brandOf(number) !== null, 'remittances:card.unknown'),
    ),
});
type Values = z.input<typeof schema>;

interface CardChoiceProps {
  recipientId: string;
  currency: string;
  onAdded: (id: string) => void;
  /** Whether a new card's number is being typed. It is asked for before it is left, and kept nowhere. */
  onTyping: (typing: boolean) => void;
}

function NewCard({
  recipientId,
  currency,
  onAdded,
  onTyping,
  onCancel,
}: CardChoiceProps & { onCancel: () => void }) {
  const t = useTexts();
  const [add] = useAddCardMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { cardNumber: '' },
    newKey,
    send: async ({ cardNumber }, key) => {
      const brand = brandOf(cardNumber);
      if (!brand)
        throw { status: 0, code: 'card_unknown', detail: t('remittances:card.unknown'), fields: [] };
      const body = { customerId: recipientId, cardNumber, brand };
      const card = await add({ addCardInput: underKey(body, key) }).unwrap();
      onAdded(card.id);
    },
  });
  const { unsaved } = shell;
  const tell = useRef(onTyping);
  tell.current = onTyping;
  useEffect(() => {
    tell.current(unsaved);
    return () => tell.current(false);
  }, [unsaved]);
  const typed = shell.form.watch('cardNumber');
  const brand = brandOf(typed);
  const note = !brand
    ? t('remittances:card.hint')
    : fitsCurrency(brand, currency)
      ? t(`entities:brand.${brand}`)
      : t('remittances:card.otherCurrency', { currency });
  return (
    <div className={classes.creation}>
      <FormShell
        shell={shell}
        label={t('remittances:card.add')}
        actions={
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onCancel} disabled={shell.sending}>
              {t('common:actions.back')}
            </Button>
            <Button type="submit" loading={shell.sending}>
              {t('common:actions.save')}
            </Button>
          </Group>
        }
      >
        <TextField<Values>
          name="cardNumber"
          label={t('remittances:card.number')}
          description={note}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          required
          onInput={(event) => {
            const field = event.currentTarget;
            field.value = groupDigits(field.value);
          }}
        />
      </FormShell>
    </div>
  );
}

/** One of the recipient's cards that takes the group's currency, or a new one. */
export function CardChoice(props: CardChoiceProps) {
  const t = useTexts();
  const [adding, setAdding] = useState(false);
  const { data } = useListCardsQuery({ id: props.recipientId, recordsPerPage: 0 });
  const cards = (data?.data ?? []).filter(({ brand }) => fitsCurrency(brand, props.currency));

  if (adding) {
    return (
      <NewCard
        {...props}
        onCancel={() => setAdding(false)}
        onAdded={(id) => {
          setAdding(false);
          props.onAdded(id);
        }}
      />
    );
  }
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <SelectField<RemittanceValues>
          name="cardId"
          style={{ flex: 1 }}
          label={t('remittances:card.label')}
          placeholder={
            cards.length === 0
              ? t('remittances:card.none', { currency: props.currency })
              : t('remittances:card.choose')
          }
          required
          data={cards.map((card) => ({
            value: card.id,
            label: `${shownNumber(card.cardNumber) ?? ''} · ${t(`entities:brand.${card.brand}`)}`,
          }))}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('remittances:card.add')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('remittances:card.currencyHint', { currency: props.currency })}
      </Text>
    </Stack>
  );
}
