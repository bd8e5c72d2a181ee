import { Button, Input, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import {
  type Customer,
  newKey,
  type RemittanceCreated,
  underKey,
  useCreateRemittanceMutation,
  useGetCustomerQuery,
  useLazyGetCustomerQuery,
  useLazyGetRemittanceQuery,
  wasDoneBefore,
} from '~/api';
import { hasCards } from '~/entities/cards/brands';
import { recall, remember } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '~/shared/ui/Confirm';
import { FormShell } from '~/shared/ui/form/FormShell';
import { SelectField, TextareaField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { UnsavedGuard } from '~/shared/ui/form/UnsavedGuard';
import { FIRST_TRY_DONE, useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AmountFields } from './AmountFields';
import { CardChoice } from './CardChoice';
import { RecipientPicker, SenderPicker } from './people';
import { QuoteSummary } from './QuoteSummary';
import classes from './SaleForm.module.css';
import { Section } from './Section';
import { EMPTY, type RemittanceValues, remittanceSchema } from './schema';
import { useOnceQuoted } from './useOnceQuoted';
import { useQuote } from './useQuote';
import { useSeller } from './useSeller';

const FORM = 'sale';
const METHOD = 'sale-method';
/** The manager's last choices (domain design, section 9). */
const LAST_SELLER = 'caudal.lastSeller';
const LAST_SENDER = 'caudal.lastSender';
/** Most of a queue sends the same way. */
const LAST_GROUP = 'caudal.lastGroup';

interface SaleFormProps {
  firstSender: Customer | null;
  onSold: (sold: RemittanceCreated, sender: Customer, recipient: Customer) => void;
}

/** One page to sell a remittance: who, to whom, how, and how much both ways. */
export function SaleForm({ firstSender, onSold }: SaleFormProps) {
  const t = useTexts();
  const toast = useToast();
  const [create] = useCreateRemittanceMutation();
  const [readSale] = useLazyGetRemittanceQuery();
  const [readCustomer] = useLazyGetCustomerQuery();
  const [sender, setSender] = useState(firstSender);
  const [recipient, setRecipient] = useState<Customer | null>(null);
  const [confirming, setConfirming] = useState(false);
  const amountField = useRef<HTMLInputElement>(null);
  const recipientBox = useRef<HTMLDivElement>(null);

  const shell = useFormShell({
    resolver: zodForm(remittanceSchema),
    defaults: { ...EMPTY, seller: recall(LAST_SELLER), senderId: firstSender?.id ?? null },
    newKey,
    send: async (values, key) => {
      const { senderId, recipientId, paymentGroupId, cardId, reference, notes } = values;
      if (!quote || !sender || !recipient)
        throw { status: 0, code: 'no_quote', detail: t('remittances:new.noQuote'), fields: [] };
      const body = {
        senderId,
        recipientId,
        paymentGroupId,
        amount: quote.amount,
        deliveryMethod: values.deliveryMethod,
        ...(values.deliveryMethod === 'card' && cardId && { cardId }),
        ...(reference && { reference }),
        ...(notes && { notes }),
        ...(seller?.agencyId && { agencyId: seller.agencyId }),
        ...(seller?.agentId && { agentId: seller.agentId }),
      };
      const sold = await create({ remittanceInput: underKey(body, key) }).unwrap();
      toast('good', t('remittances:done.create'));
      remember(LAST_GROUP, paymentGroupId);
      if (mustChoose) remember(LAST_SENDER, senderId);
      if (!wasDoneBefore(key)) return onSold(sold, sender, recipient);
      // A first try was sold to whom it named, whoever stands in the fields by now.
      const first = await readSale({ id: sold.id }).unwrap();
      const [from, to] = await Promise.all(
        [first.sender, first.recipient].map(({ id }) => readCustomer({ id }).unwrap()),
      );
      if (from && to) onSold(sold, from, to);
    },
  });
  const { form } = shell;
  const [sellerChoice, groupId, side, amount, payout, method] = form.watch([
    'seller',
    'paymentGroupId',
    'side',
    'amount',
    'payout',
    'deliveryMethod',
  ]);
  const { mustChoose, options, seller } = useSeller(sellerChoice);
  const groups = (seller?.groups ?? []).filter((group) => group.isActive && group.paymentGroupId);
  const group = groups.find((one) => one.paymentGroupId === groupId);
  const { quote, asking, problem } = useQuote({
    paymentGroupId: group?.paymentGroupId ?? null,
    sellerId: seller?.id,
    side,
    value: side === 'amount' ? amount : payout,
  });

  const chooseSender = (customer: Customer | null) => {
    setSender(customer);
    setRecipient(null);
    form.setValue('senderId', customer?.id ?? null, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
    form.setValue('recipientId', null);
    form.setValue('cardId', null);
  };
  const chooseRecipient = (customer: Customer | null) => {
    setRecipient(customer);
    form.setValue('recipientId', customer?.id ?? null, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
    form.setValue('cardId', null);
    // Saving somebody new takes a moment: who has gone on to another field meanwhile is not called back.
    const here = document.activeElement;
    if (!customer || (here && here !== document.body && !recipientBox.current?.contains(here))) return;
    // The next thing to type is how much, or before it in which group.
    if (form.getValues('paymentGroupId')) amountField.current?.focus();
    else form.setFocus('paymentGroupId');
  };
  const chooseMethod = (value: string) => {
    form.setValue('deliveryMethod', value === 'card' ? 'card' : 'home', { shouldDirty: true });
    form.setValue('cardId', null);
  };

  // A seller with one group has nothing to choose.
  const onlyGroup = groups.length === 1 ? groups[0]?.paymentGroupId : undefined;
  const lastGroup = groups.find((one) => one.paymentGroupId === recall(LAST_GROUP))?.paymentGroupId;
  const groupGone = groupId !== null && seller !== null && !group;
  useEffect(() => {
    if (onlyGroup && groupId !== onlyGroup) form.setValue('paymentGroupId', onlyGroup);
    else if (groupGone) form.setValue('paymentGroupId', null);
    else if (groupId === null && lastGroup) form.setValue('paymentGroupId', lastGroup);
  }, [onlyGroup, groupId, groupGone, lastGroup, form]);

  // The manager goes on with the sender of last time, as long as nobody else was chosen.
  const [lastSender] = useState(() => (firstSender ? null : recall(LAST_SENDER)));
  const { data: remembered } = useGetCustomerQuery(mustChoose && lastSender ? { id: lastSender } : skipToken);
  const [usedMemory, setUsedMemory] = useState(false);
  useEffect(() => {
    if (!remembered || usedMemory || !seller) return;
    setUsedMemory(true);
    if (remembered.agencyId === seller.ownerId && !form.getValues('senderId')) {
      setSender(remembered);
      form.setValue('senderId', remembered.id);
    }
  }, [remembered, usedMemory, seller, form]);

  const cardsExist = group !== undefined && hasCards(group.currencyTo);
  useEffect(() => {
    if (group && !cardsExist && method === 'card') form.setValue('deliveryMethod', 'home');
  }, [group, cardsExist, method, form]);

  const { awaiting, ask: onceQuoted } = useOnceQuoted({ quote, asking }, () => setConfirming(true));
  const ask = form.handleSubmit(onceQuoted);
  const sell = async () => {
    await shell.submit();
    setConfirming(false);
  };

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={shell.unsaved} />
      <PageHeader title={t('remittances:new.title')} />
      <div className={classes.page}>
        <Stack gap="sm">
          {mustChoose && (
            <Section title={t('remittances:new.seller')}>
              <SelectField<RemittanceValues>
                name="seller"
                aria-label={t('remittances:new.seller')}
                placeholder={t('remittances:new.chooseSeller')}
                searchable
                allowDeselect={false}
                data={[
                  {
                    group: t('remittances:new.agencies'),
                    items: options.agencies.map(({ id, name }) => ({ value: `agency:${id}`, label: name })),
                  },
                  {
                    group: t('remittances:new.agents'),
                    items: options.agents.map(({ id, name }) => ({ value: `agent:${id}`, label: name })),
                  },
                ]}
                onChange={(value) => {
                  remember(LAST_SELLER, value);
                  chooseSender(null);
                }}
              />
            </Section>
          )}
          <Section title={t('remittances:columns.sender')}>
            {seller ? (
              <SenderPicker ownerId={seller.ownerId} chosen={sender} onChoose={chooseSender} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('remittances:new.sellerFirst')}
              </Text>
            )}
          </Section>
          <Section title={t('remittances:columns.recipient')} ref={recipientBox}>
            {sender ? (
              <RecipientPicker
                key={sender.id}
                senderId={sender.id}
                home={method === 'home'}
                chosen={recipient}
                onChoose={chooseRecipient}
              />
            ) : (
              <Text size="sm" c="dimmed">
                {t('remittances:new.senderFirst')}
              </Text>
            )}
          </Section>
          <FormShell shell={{ ...shell, submit: ask }} id={FORM} label={t('remittances:new.title')}>
            <Section title={t('remittances:new.howMuch')}>
              <AmountFields
                groups={groups}
                quote={quote}
                problem={problem}
                onGroup={() => form.setValue('cardId', null)}
                amountRef={amountField}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt="sm">
                <Input.Wrapper
                  label={t('remittances:detail.method')}
                  labelElement="div"
                  labelProps={{ id: METHOD }}
                >
                  <SegmentedControl
                    fullWidth
                    aria-labelledby={METHOD}
                    value={method}
                    onChange={chooseMethod}
                    data={[
                      { value: 'home', label: t('remittances:method.home') },
                      { value: 'card', label: t('remittances:method.card'), disabled: !cardsExist },
                    ]}
                  />
                </Input.Wrapper>
                <TextField<RemittanceValues>
                  name="reference"
                  label={t('remittances:detail.reference')}
                  placeholder={t('remittances:new.optional')}
                  autoComplete="off"
                />
              </SimpleGrid>
            </Section>
          </FormShell>
          {method === 'card' && group && recipient && (
            <Section title={t('remittances:card.label')}>
              <CardChoice
                key={recipient.id}
                recipientId={recipient.id}
                currency={group.currencyTo}
                onAdded={(id) => form.setValue('cardId', id, { shouldDirty: true, shouldValidate: true })}
              />
            </Section>
          )}
          <Section title={t('remittances:detail.notes')}>
            <TextareaField<RemittanceValues>
              name="notes"
              aria-label={t('remittances:detail.notes')}
              placeholder={t('remittances:new.optional')}
            />
          </Section>
        </Stack>
        <Paper
          withBorder
          p="md"
          className={classes.summary}
          component="section"
          aria-label={t('remittances:new.summary')}
        >
          <Title order={2} size="h4" mb="sm">
            {t('remittances:new.summary')}
          </Title>
          <QuoteSummary quote={quote} asking={asking} group={group} />
          <Button
            type="submit"
            form={FORM}
            size="md"
            fullWidth
            mt="lg"
            loading={shell.sending || awaiting}
            disabled={shell.problem?.code === FIRST_TRY_DONE}
          >
            {t('remittances:new.sell')}
          </Button>
        </Paper>
      </div>
      {quote && (
        <Confirm
          opened={confirming}
          title={t('remittances:confirmSale.title')}
          facts={[
            { label: t('remittances:columns.sender'), value: sender?.fullName },
            { label: t('remittances:columns.recipient'), value: recipient?.fullName },
            { label: t('remittances:detail.method'), value: t(`remittances:method.${method}`) },
            {
              label: t('remittances:money.payout'),
              value: <Money value={quote.payout} currency={quote.currencyTo} />,
            },
            { label: t('remittances:money.total'), value: <Money value={quote.totalToPay} currency="USD" /> },
          ]}
          confirmLabel={t('remittances:confirmSale.confirm')}
          busy={shell.sending}
          onConfirm={() => void sell()}
          onClose={() => setConfirming(false)}
        />
      )}
    </FormProvider>
  );
}
