import { MantineProvider } from '@mantine/core';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Preview } from '~/api';
import type { Expected } from '~/shared/lib/problem';
import { z } from '~/shared/lib/zod';
import { MoneyField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { ReviewedModal } from './ReviewedModal';
import { amount } from './schema';

const schema = z.object({ amount });
type Values = z.input<typeof schema>;

let keys = 0;

type Send = (values: Values, key: string, confirmed?: Expected) => Promise<void>;
type PreviewOf = (values: Values) => Promise<Preview>;

function Dialog({ send, preview }: { send: Send; preview?: PreviewOf }) {
  const [opened, setOpened] = useState(true);
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { amount: '' },
    newKey: () => `key-${++keys}`,
    send,
  });
  if (!opened) return <p>cerrado</p>;
  return (
    <ReviewedModal
      title="Dar"
      shell={shell}
      preview={preview}
      review={(values, told) => [
        { label: 'Se da', value: values.amount },
        ...(told?.figures ? [{ label: 'Se cobra', value: told.figures.totalToPay }] : []),
      ]}
      confirmLabel="Hacerlo"
      onClose={() => setOpened(false)}
    >
      <MoneyField<Values> name="amount" label="Importe" />
    </ReviewedModal>
  );
}

function open(send: Send, preview?: PreviewOf) {
  const router = createMemoryRouter(
    [
      { path: '/before', element: <p>antes</p> },
      { path: '/here', element: <Dialog send={send} preview={preview} /> },
    ],
    { initialEntries: ['/before', '/here'] },
  );
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} useTransitions={false} />
    </MantineProvider>,
  );
  return router;
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const CONTINUE = 'entities:money.review';

beforeAll(async () => {
  // Texts show as their keys.
  await i18next
    .use(initReactI18next)
    .init({ lng: 'es', resources: {}, nsSeparator: false, keySeparator: false });
});

it('shows the input for review before it is sent, and sends it without leaving the page', async () => {
  const send = vi.fn().mockResolvedValue(undefined);
  const left = vi.fn();
  document.addEventListener('submit', (event) => left(event.defaultPrevented));
  open(send);
  await press(CONTINUE);
  expect(await screen.findByText('common:errors.positive')).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '12,5');
  await press(CONTINUE);
  expect(await screen.findByText('Se da')).toBeVisible();
  expect(send).not.toHaveBeenCalled();
  await press('Hacerlo');
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  expect(send.mock.calls[0]?.[0]).toEqual({ amount: '12.5' });
  expect(left.mock.calls.flat()).not.toContain(false);
});

it('goes back to the field that the server refuses, and a second try has the first one’s key', async () => {
  const refusal = {
    status: 409,
    code: 'guard',
    detail: '',
    fields: [{ field: 'amount', code: 'guard', detail: 'No alcanza' }],
  };
  const send = vi.fn().mockRejectedValueOnce(refusal).mockResolvedValue(undefined);
  open(send);
  const field = screen.getByRole('textbox', { name: 'Importe' });
  await userEvent.type(field, '900');
  await press(CONTINUE);
  await press('Hacerlo');
  expect(await screen.findByText('No alcanza')).toBeVisible();
  expect(field).toHaveValue('900');
  await userEvent.clear(field);
  await userEvent.type(field, '90');
  await press(CONTINUE);
  await press('Hacerlo');
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect(send.mock.calls[1]?.[1]).toBe(send.mock.calls[0]?.[1]);
});

it('asks by the key what became of a lost attempt, where the preview refuses for what that attempt used up', async () => {
  const lost = { status: 0, code: 'lost', detail: '', fields: [] };
  const done = { status: 0, code: 'first_try_done', detail: '', fields: [] };
  const short = { status: 409, code: 'balance_insufficient', detail: 'No alcanza', fields: [] };
  const send = vi.fn().mockRejectedValueOnce(lost).mockRejectedValueOnce(done).mockResolvedValue(undefined);
  const preview = vi
    .fn()
    .mockResolvedValueOnce({ warnings: [], transfers: [] } as unknown as Preview)
    .mockRejectedValue(short);
  open(send, preview);
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '900');
  await press(CONTINUE);
  await press('Hacerlo');
  expect(await screen.findByText('common:failure.lost')).toBeVisible();
  await press(CONTINUE);
  expect(await screen.findByText('common:firstTry.title')).toBeVisible();
  expect(screen.queryByText('No alcanza')).toBeNull();
  await press('common:firstTry.goOn');
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(3));
  expect(new Set(send.mock.calls.map(([, key]) => key)).size).toBe(1);
});

it('reports that a lost first attempt was done, sends no other in its place, and continues with it on request', async () => {
  const lost = { status: 0, code: 'lost', detail: '', fields: [] };
  const done = { status: 0, code: 'first_try_done', detail: '', fields: [] };
  const send = vi.fn().mockRejectedValueOnce(lost).mockRejectedValueOnce(done).mockResolvedValue(undefined);
  open(send);
  const field = screen.getByRole('textbox', { name: 'Importe' });
  await userEvent.type(field, '900');
  await press(CONTINUE);
  await press('Hacerlo');
  expect(await screen.findByText('common:failure.lost')).toBeVisible();
  await userEvent.clear(field);
  await userEvent.type(field, '90');
  await press(CONTINUE);
  await press('Hacerlo');
  expect(await screen.findByText('common:firstTry.title')).toBeVisible();
  // Neither a button nor the keyboard sends what stands in the fields.
  expect(screen.queryByRole('button', { name: CONTINUE })).toBeNull();
  expect(screen.queryByRole('textbox')).toBeNull();
  await press('common:firstTry.goOn');
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(3));
  expect(new Set(send.mock.calls.map(([, key]) => key)).size).toBe(1);
});

it('is a history entry: Back closes it, asks about unsaved input every time, and stays on the screen', async () => {
  const router = open(vi.fn());
  const back = () => act(() => router.navigate(-1));
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '900');
  await back();
  const asked = await screen.findByRole('dialog', { name: 'common:unsaved.title' });
  await userEvent.click(within(asked).getByRole('button', { name: 'common:actions.back' }));
  expect(screen.getByRole('textbox', { name: 'Importe' })).toHaveValue('900');
  await back();
  const again = await screen.findByRole('dialog', { name: 'common:unsaved.title' });
  await userEvent.click(within(again).getByRole('button', { name: 'common:unsaved.leave' }));
  expect(await screen.findByText('cerrado')).toBeVisible();
  await back();
  expect(await screen.findByText('antes')).toBeVisible();
});

const FIGURES = {
  payout: '3000.00',
  payoutCurrency: 'CUP',
  totalToPay: '10.67',
  totalCurrency: 'USD',
  exchangeRate: '300',
  totalFee: null,
};

it('previews the write before confirmation, with refusals at their fields', async () => {
  const refusal = { status: 409, code: 'balance_insufficient', detail: 'No alcanza', fields: [] };
  const told = { figures: FIGURES, transfers: [], warnings: [], status: null, remainingBalance: null };
  const preview = vi.fn().mockRejectedValueOnce(refusal).mockResolvedValue(told);
  const send = vi.fn().mockResolvedValue(undefined);
  open(send, preview);
  const field = screen.getByRole('textbox', { name: 'Importe' });
  await userEvent.type(field, '900');
  await press(CONTINUE);
  expect(await screen.findByText('No alcanza')).toBeVisible();
  expect(field).toHaveAccessibleDescription('No alcanza');
  expect(screen.queryByText('Se da')).toBeNull();
  await userEvent.clear(field);
  await userEvent.type(field, '32');
  await press(CONTINUE);
  expect(await screen.findByText('10.67')).toBeVisible();
  expect(send).not.toHaveBeenCalled();
  await press('Hacerlo');
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
});

it('shows old and new figures side by side, and sends again only once the new ones are confirmed', async () => {
  const changed = {
    status: 409,
    code: 'quote_changed',
    detail: '',
    fields: [],
    figures: FIGURES,
    expected: { payout: '3200.00', totalToPay: '10.00' },
  };
  const send = vi.fn().mockRejectedValueOnce(changed).mockResolvedValue(undefined);
  open(send);
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '10');
  await press(CONTINUE);
  await press('Hacerlo');
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('3.200,00')).toBeVisible();
  expect(within(alert).getByText('3.000,00')).toBeVisible();
  expect(within(alert).getByText('10,67')).toBeVisible();
  expect(send).toHaveBeenCalledOnce();
  await press('common:figures.confirm');
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect(send.mock.calls[1]?.[2]).toEqual({ payout: '3000.00', totalToPay: '10.67' });
  expect(send.mock.calls[1]?.[1]).toBe(send.mock.calls[0]?.[1]);
});

it('proposes what a rule of approvals covers: the review says which rule asks', async () => {
  const approval = { kind: 'expense', approvers: 'manager', expiresAfterHours: 24 };
  const told = { figures: null, transfers: [], warnings: [], status: null, remainingBalance: null };
  const preview = vi
    .fn()
    .mockResolvedValueOnce({ ...told, approval })
    .mockResolvedValue({ ...told, approval: null });
  const send = vi.fn().mockResolvedValue(undefined);
  open(send, preview);
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '900');
  await press(CONTINUE);
  expect(await screen.findByText('entities:approval.asks')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Hacerlo' })).toBeNull();
  await press('common:actions.back');
  expect(screen.queryByText('entities:approval.asks')).toBeNull();
  // The rule does not ask of this one.
  await press(CONTINUE);
  expect(await screen.findByRole('button', { name: 'Hacerlo' })).toBeVisible();
  await press('Hacerlo');
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
});

it('shows the postings with the balances before and after once they are asked for', async () => {
  const account = (kind: string, ownerName: string | null, before: string | null, after: string | null) => ({
    ...{ kind, ownerName, before, after },
    normalSide: kind === 'balance' ? 'credit' : 'debit',
    ownerId: null,
    paymentGroupId: null,
  });
  const transfer = {
    ...{ code: 'expense', amount: '900.00', currency: 'CUP' },
    debit: account('expenses', null, null, null),
    credit: account('field_cash', 'Yoel', '2500.00', '1600.00'),
  };
  const told = { figures: null, warnings: [], status: null, remainingBalance: null, approval: null };
  open(vi.fn().mockResolvedValue(undefined), vi.fn().mockResolvedValue({ ...told, transfers: [transfer] }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '900');
  await press(CONTINUE);
  const fold = await screen.findByRole('button', { name: 'entities:ledger.postings' });
  expect(fold).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByText(/Yoel/)).toBeNull();
  await userEvent.click(fold);
  expect(fold).toHaveAttribute('aria-expanded', 'true');
  expect(await screen.findByText(/Yoel/)).toHaveTextContent(/2[.,\s]?500.*→.*1[.,\s]?600/);
});

it('shows what is available of a prepaid balance as in the balances, and only a debt as one', async () => {
  const account = (kind: string, ownerName: string, before: string, after: string) => ({
    ...{ kind, ownerName, before, after },
    normalSide: kind === 'balance' ? 'credit' : 'debit',
    ownerId: null,
    paymentGroupId: null,
  });
  const transfer = {
    ...{ code: 'sale', amount: '900.00', currency: 'CUP' },
    // Debits less credits: 2,500 are available.
    debit: account('balance', 'Agencia', '-2500.00', '-1600.00'),
    credit: account('field_cash', 'Yoel', '-100.00', '-1000.00'),
  };
  const told = { figures: null, warnings: [], status: null, remainingBalance: null, approval: null };
  open(vi.fn().mockResolvedValue(undefined), vi.fn().mockResolvedValue({ ...told, transfers: [transfer] }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Importe' }), '900');
  await press(CONTINUE);
  await userEvent.click(await screen.findByRole('button', { name: 'entities:ledger.postings' }));
  const balance = await screen.findByText(/Agencia/);
  expect(balance).toHaveTextContent(/: 2[.,\s]?500.*→ 1[.,\s]?600/);
  expect(balance.querySelector('[data-negative]')).toBeNull();
  expect(screen.getByText(/Yoel/).querySelectorAll('[data-negative]')).toHaveLength(2);
});
