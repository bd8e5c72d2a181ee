import {
  Alert,
  Box,
  Button,
  Input,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { skipToken } from '@reduxjs/toolkit/query';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import {
  type Customer,
  newKey,
  type Preview,
  type Quote,
  type Remittance,
  type RemittanceCreated,
  underKey,
  useCreateRemittanceMutation,
  useGetCustomerQuery,
  useLazyGetCustomerQuery,
  useLazyGetRemittanceQuery,
  usePreview,
  wasDoneBefore,
} from '~/api';
import { hasCards } from '~/entities/cards/brands';
import { Effect } from '~/entities/money/Effect';
import {
  asProblem,
  FIRST_TRY_DONE,
  isWithoutOutcome,
  messageOf,
  NOT_DONE,
  QUOTE_CHANGED,
} from '~/shared/lib/problem';
import { recall, remember } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '~/shared/ui/Confirm';
import { FiguresChanged } from '~/shared/ui/FiguresChanged';
import { FormProblem } from '~/shared/ui/form/FormProblem';
import { FormShell } from '~/shared/ui/form/FormShell';
import { SelectField, TextareaField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { UnsavedGuard } from '~/shared/ui/form/UnsavedGuard';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AmountFields } from './AmountFields';
import { CardChoice } from './CardChoice';
import { RecipientPicker, SenderPicker } from './people';
import { QuoteSummary } from './QuoteSummary';
import { RepeatLast } from './RepeatLast';
import classes from './SaleForm.module.css';
import { Section } from './Section';
import { type BegunPeople, type SaleDraft, type SalePlace, useKeptSale } from './saleDraft';
import { EMPTY, type RemittanceValues, remittanceSchema, type SaleValues } from './schema';
import { useOnceQuoted } from './useOnceQuoted';
import { useQuote } from './useQuote';
import { useSeller } from './useSeller';
import { noteGroup, usualFirst } from './usualGroups';

const FORM = 'sale';
/** Code of the server's duplicate warning. */
const SOLD_JUST_NOW = 'sold_just_now';
const METHOD = 'sale-method';
/** Storage key of the manager's last seller. */
const LAST_SELLER = 'caudal.lastSeller';
const LAST_SENDER = 'caudal.lastSender';
/** Storage key of the last payment group. */
const LAST_GROUP = 'caudal.lastGroup';

/** A sale as its ticket tells it. */
export interface Sale {
  sold: RemittanceCreated;
  sender: Customer;
  recipient: Customer;
  method: 'home' | 'card';
  seller: { name: string; phone: string | null };
  /** Found after its answer was lost. */
  recovered: boolean;
}

interface SaleFormProps {
  firstSender: Customer | null;
  place: SalePlace;
  /** An unfinished sale. */
  draft: SaleDraft | null;
  onDiscard: () => void;
  onSold: (sale: Sale) => void;
}

/** Sale form on one page: sender, recipient, delivery, and amount from either side. */
export function SaleForm({ firstSender, place, draft, onDiscard, onSold }: SaleFormProps) {
  const t = useTexts();
  const toast = useToast();
  const [create] = useCreateRemittanceMutation();
  const [readSale] = useLazyGetRemittanceQuery();
  const [readCustomer] = useLazyGetCustomerQuery();
  const [sender, setSender] = useState(draft?.sender ?? firstSender);
  const [recipient, setRecipient] = useState<Customer | null>(draft?.recipient ?? null);
  const [people, setPeople] = useState<BegunPeople>(draft?.people ?? {});
  const [typesCard, setTypesCard] = useState(false);
  /** The quote being confirmed; later quotes are not what the reader saw. */
  const [confirming, setConfirming] = useState<Quote | null>(null);
  const confirmedQuote = useRef<Quote | null>(null);
  /** What the confirmed sale would do. */
  const [preview, setPreview] = useState<Preview | null>(null);
  const [asking, setAsking] = useState(false);
  const { ask: previewSale } = usePreview();
  const amountField = useRef<HTMLInputElement>(null);
  const recipientBox = useRef<HTMLDivElement>(null);

  const noQuote = () => ({ status: 0, code: 'no_quote', detail: t('remittances:new.noQuote'), fields: [] });
  const bodyOf = (values: SaleValues, sold: Pick<Quote, 'amount'>) => ({
    senderId: values.senderId,
    recipientId: values.recipientId,
    paymentGroupId: values.paymentGroupId,
    amount: sold.amount,
    deliveryMethod: values.deliveryMethod,
    ...(values.deliveryMethod === 'card' && values.cardId && { cardId: values.cardId }),
    ...(values.reference && { reference: values.reference }),
    ...(values.notes && { notes: values.notes }),
    ...(values.purpose && { purpose: values.purpose }),
    ...(values.sourceOfFunds && { sourceOfFunds: values.sourceOfFunds }),
    ...(seller?.agencyId && { agencyId: seller.agencyId }),
    ...(seller?.agentId && { agentId: seller.agentId }),
  });
  const shell = useFormShell({
    resolver: zodForm(remittanceSchema),
    defaults: { ...EMPTY, seller: recall(LAST_SELLER), senderId: firstSender?.id ?? null },
    newKey,
    pending: draft?.attempt,
    send: async (values, key, confirmed) => {
      const { senderId, paymentGroupId } = values;
      const quoted = confirmedQuote.current;
      const recovered = wasDoneBefore(key);
      if (!recovered && (!quoted || !sender || !recipient)) throw noQuote();
      const figures = quoted && { payout: quoted.payout, totalToPay: quoted.totalToPay };
      const body = { ...bodyOf(values, quoted ?? values), expected: confirmed ?? figures ?? undefined };
      if (!recovered) await kept.begin(key, values, body);
      const sold = await create({ remittanceInput: underKey(body, key) })
        .unwrap()
        .catch(async (thrown: unknown) => {
          const refused = asProblem(thrown);
          if (refused.status > 0 && !isWithoutOutcome(refused)) await kept.refused();
          throw thrown;
        });
      const by = { name: seller?.name ?? '', phone: seller?.phone ?? null };
      const sale = recovered ? await soldBefore(sold, by) : soldNow(sold, values, by);
      await kept.forget();
      toast('good', t('remittances:done.create'));
      remember(LAST_GROUP, paymentGroupId);
      if (paymentGroupId) noteGroup(paymentGroupId);
      if (mustChoose) remember(LAST_SENDER, senderId);
      if (sale) onSold(sale);
    },
  });
  const soldNow = (sold: RemittanceCreated, values: SaleValues, by: Sale['seller']): Sale | null =>
    sender &&
    recipient && { sold, sender, recipient, method: values.deliveryMethod, seller: by, recovered: false };
  /** The first try was sold to its own recipient, whatever the fields contain now. */
  const soldBefore = async (sold: RemittanceCreated, by: Sale['seller']): Promise<Sale | null> => {
    const first = await readSale({ id: sold.id }).unwrap();
    const [from, to] = await Promise.all(
      [first.sender, first.recipient].map(({ id }) => readCustomer({ id }).unwrap()),
    );
    const soldBy = first.agency?.name ?? first.agent?.name;
    const of = !soldBy || soldBy === by.name ? by : { name: soldBy, phone: null };
    return from && to
      ? { sold, sender: from, recipient: to, method: first.deliveryMethod, seller: of, recovered: true }
      : null;
  };
  const { form } = shell;
  useEffect(() => {
    for (const [name, value] of Object.entries(draft?.values ?? {}))
      form.setValue(name as keyof RemittanceValues, value, { shouldDirty: true });
  }, [draft, form]);
  const unsaved = shell.unsaved || Boolean(people.sender || people.recipient) || typesCard;
  const kept = useKeptSale(
    place,
    { values: form.watch(), sender, recipient, people, attempt: draft?.attempt },
    unsaved,
  );
  const isFree = shell.problem?.code === NOT_DONE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the server said so
  useEffect(() => {
    if (isFree) void kept.refused();
  }, [isFree]);
  const [sellerChoice, groupId, side, amount, payout, method, purpose, sourceOfFunds] = form.watch([
    'seller',
    'paymentGroupId',
    'side',
    'amount',
    'payout',
    'deliveryMethod',
    'purpose',
    'sourceOfFunds',
  ]);
  const { errors } = form.formState;
  // Asked for by the server, when a sale is beyond a limit.
  const asksDeclaration = Boolean(purpose || sourceOfFunds || errors.purpose || errors.sourceOfFunds);
  const { mustChoose, options, seller } = useSeller(sellerChoice);
  const groups = usualFirst((seller?.groups ?? []).filter((group) => group.isActive && group.paymentGroupId));
  const group = groups.find((one) => one.paymentGroupId === groupId);
  const {
    quote,
    asking: quoting,
    problem,
    again,
  } = useQuote({
    paymentGroupId: group?.paymentGroupId ?? null,
    sellerId: seller?.id,
    side,
    value: side === 'amount' ? amount : payout,
  });

  const chooseSender = (customer: Customer | null) => {
    setSender(customer);
    setRecipient(null);
    setPeople({});
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
    // Saving takes a moment: focus must not return if the reader has moved on.
    const here = document.activeElement;
    if (!customer || (here && here !== document.body && !recipientBox.current?.contains(here))) return;
    // Focus goes to the amount, or to the payment group when several are available.
    if (form.getValues('paymentGroupId')) amountField.current?.focus();
    else form.setFocus('paymentGroupId');
  };
  const repeat = (last: Remittance, to: Customer) => {
    form.setValue('paymentGroupId', last.paymentGroupId, { shouldDirty: true });
    form.setValue('side', 'amount');
    form.setValue('amount', last.amount ?? '', { shouldDirty: true });
    form.setValue('deliveryMethod', last.deliveryMethod, { shouldDirty: true });
    chooseRecipient(to);
    form.setValue('cardId', last.card?.id ?? null);
    amountField.current?.focus();
  };
  const chooseMethod = (value: string) => {
    form.setValue('deliveryMethod', value === 'card' ? 'card' : 'home', { shouldDirty: true });
    form.setValue('cardId', null);
  };

  // A single group needs no choice.
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

  // What the server would refuse stands at its field before anything is confirmed.
  const review = form.handleSubmit(async (values) => {
    if (!quote || asking) return shell.refuse(noQuote());
    setAsking(true);
    shell.dismiss();
    try {
      const body = bodyOf(values, quote);
      setPreview(await previewSale({ url: '/api/remittances', method: 'POST', body }));
      confirmedQuote.current = quote;
      setConfirming(quote);
    } catch (refused) {
      confirmedQuote.current = quote;
      await shell.refusePreview(refused, values);
    } finally {
      setAsking(false);
    }
  });
  const { awaiting, ask: onceQuoted } = useOnceQuoted({ quote, asking: quoting, again }, () => void review());
  const ask = form.handleSubmit(onceQuoted);
  const changed = shell.problem?.code === QUOTE_CHANGED;
  // An equal sale within minutes must be confirmed.
  const twin = preview?.warnings.find(({ code }) => code === SOLD_JUST_NOW);
  const isDoneBefore = shell.problem?.code === FIRST_TRY_DONE;
  const sell = async () => {
    if (changed) await shell.confirmAnew();
    else await shell.submit();
  };
  // The dialog stays for a confirmation of changed figures; other refusals show in the form.
  const seen = useRef(0);
  useEffect(() => {
    if (seen.current === shell.settled) return;
    seen.current = shell.settled;
    if (!changed) setConfirming(null);
  }, [shell.settled, changed]);
  const backToForm = () => {
    if (changed) shell.dismiss();
    setConfirming(null);
  };

  return (
    <FormProvider {...form}>
      <UnsavedGuard unsaved={unsaved} />
      <PageHeader title={t('remittances:new.title')} />
      {draft && (
        <Alert
          variant="light"
          color="blue"
          role="status"
          mb="sm"
          icon={<IconHistory size={18} aria-hidden />}
        >
          <Text size="sm">{t('remittances:new.restored')}</Text>
          {/* What was sent is not let go before it is known what became of it. */}
          {!shell.unanswered && (
            <Button variant="subtle" size="compact-sm" mih={44} onClick={onDiscard}>
              {t('remittances:new.startAnew')}
            </Button>
          )}
        </Alert>
      )}
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
              <>
                <SenderPicker
                  ownerId={seller.ownerId}
                  chosen={sender}
                  onChoose={chooseSender}
                  begun={people.sender}
                  onBegun={(begun) => setPeople((before) => ({ ...before, sender: begun }))}
                />
                {sender && !recipient && (
                  <RepeatLast key={sender.id} senderId={sender.id} groups={groups} onRepeat={repeat} />
                )}
              </>
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
                begun={people.recipient}
                onBegun={(begun) => setPeople((before) => ({ ...before, recipient: begun }))}
              />
            ) : (
              <Text size="sm" c="dimmed">
                {t('remittances:new.senderFirst')}
              </Text>
            )}
          </Section>
          <FormShell
            shell={{ ...shell, submit: ask, problem: isDoneBefore ? shell.problem : null }}
            id={FORM}
            label={t('remittances:new.title')}
          >
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
                onTyping={setTypesCard}
                onAdded={(id) => form.setValue('cardId', id, { shouldDirty: true, shouldValidate: true })}
              />
            </Section>
          )}
          {asksDeclaration && (
            <Section title={t('remittances:new.declaration')}>
              <Stack gap="sm">
                <TextField<RemittanceValues>
                  name="purpose"
                  label={t('remittances:new.purpose')}
                  autoComplete="off"
                />
                <TextField<RemittanceValues>
                  name="sourceOfFunds"
                  label={t('remittances:new.sourceOfFunds')}
                  autoComplete="off"
                />
              </Stack>
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
          <QuoteSummary quote={quote} asking={quoting} group={group} />
          {!changed && !isDoneBefore && (
            <Box mt="md">
              <FormProblem shell={shell} />
            </Box>
          )}
          <Button
            type="submit"
            form={FORM}
            size="md"
            fullWidth
            mt="lg"
            loading={shell.sending || awaiting || asking}
            disabled={isDoneBefore}
          >
            {t('remittances:new.sell')}
          </Button>
        </Paper>
      </div>
      {confirming && (
        <Confirm
          opened
          title={t('remittances:confirmSale.title')}
          facts={[
            { label: t('remittances:columns.sender'), value: sender?.fullName },
            { label: t('remittances:columns.recipient'), value: recipient?.fullName },
            { label: t('remittances:detail.method'), value: t(`remittances:method.${method}`) },
            {
              label: t('remittances:money.payout'),
              value: <Money value={confirming.payout} currency={confirming.currencyTo} />,
            },
            {
              label: t('remittances:money.total'),
              value: <Money value={confirming.totalToPay} currency="USD" />,
            },
          ]}
          confirmLabel={
            changed
              ? t('common:figures.confirm')
              : t(twin ? 'remittances:confirmSale.again' : 'remittances:confirmSale.confirm')
          }
          busy={shell.sending}
          onConfirm={() => void sell()}
          onClose={backToForm}
          // Changed figures have other postings.
          aside={!changed && <Effect preview={preview} />}
        >
          {twin && !changed && (
            <Alert
              color="yellow"
              variant="light"
              icon={<IconAlertTriangle size={18} aria-hidden />}
              role="alert"
            >
              {messageOf(twin)}
            </Alert>
          )}
          {changed && shell.problem && <FiguresChanged problem={shell.problem} />}
        </Confirm>
      )}
    </FormProvider>
  );
}
