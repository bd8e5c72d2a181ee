/**
 * A form says why its write would be refused as soon as it is complete, and nothing while it is not. What the write itself is
 * refused for stands in its place.
 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type { ClosurePreview, Profile } from '~/api';
import { isPreview, makeBackend } from './mocks/backend';
import { agencies, profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/remittances/RemittancesPage'),
    import('~/features/accounting/closures/ClosuresPage'),
  ]);
}, READING_MS);

const WOULD_BE = 'El saldo no alcanza para esto.';
const IS = 'Otra persona la cambió entretanto.';
/** Long enough for a preview to be asked and answered. */
const ANSWERED_MS = 300;

/** A backend that refuses previews of the path for one reason and writes to it for another. */
function refusing(profile: Profile, method: 'post' | 'put', path: string) {
  const backend = makeBackend(profile);
  const asked: unknown[] = [];
  const sent: unknown[] = [];
  server.use(
    http[method](path, async ({ request }) => {
      (isPreview(request) ? asked : sent).push(await request.json());
      return isPreview(request)
        ? backend.problem(409, 'balance_insufficient', WOULD_BE)
        : backend.problem(409, 'wrong_state', IS);
    }),
    ...backend.handlers,
  );
  return { backend, asked, sent };
}

async function openDialog(action: string): Promise<HTMLElement> {
  renderApp('/invoice/list/?status=0');
  await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }, { timeout: 20_000 }));
  await userEvent.click(await screen.findByRole('button', { name: action }));
  return screen.findByRole('dialog');
}

const pause = () => new Promise((done) => setTimeout(done, ANSWERED_MS));

it.each([
  { action: 'Cancelar remesa', method: 'post', path: 'cancel' },
  { action: 'Marcar error', method: 'put', path: 'error' },
] as const)('$action: before the reason, which it does not depend on', async ({ action, method, path }) => {
  const { sent } = refusing(profiles.manager, method, `*/api/remittances/:id/${path}`);
  const dialog = await openDialog(action);
  expect(await within(dialog).findByText(WOULD_BE)).toHaveAttribute('role', 'status');
  await userEvent.type(within(dialog).getByLabelText(/Motivo/), 'a petición');
  await userEvent.click(within(dialog).getByRole('button', { name: action }));
  expect(await within(dialog).findByText(IS)).toBeVisible();
  expect(within(dialog).queryByText(WOULD_BE)).toBeNull();
  expect(sent).toEqual([{ reason: 'a petición' }]);
});

it('an assignment: once a dealer is chosen', async () => {
  const { asked, sent } = refusing(profiles.manager, 'put', '*/api/remittances/:id/assign/dealer');
  const dialog = await openDialog('Asignar');
  await pause();
  expect(asked).toEqual([]);
  expect(within(dialog).queryByRole('status')).toBeNull();
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Distribuidor/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Distribuidora Habana' }));
  expect(await within(dialog).findByText(WOULD_BE)).toBeVisible();
  expect(sent).toEqual([]);
});

it('an edit of the amount: of an amount that is quoted, not of one that is being typed', async () => {
  const { asked, sent } = refusing(profiles.agency, 'put', '*/api/remittances/:id');
  const dialog = await openDialog('Editar importe');
  expect(await within(dialog).findByText(WOULD_BE)).toBeVisible();
  const before = asked.length;
  const amount = within(dialog).getByRole('textbox', { name: 'Envía' });
  await userEvent.clear(amount);
  await waitFor(() => expect(within(dialog).queryByText(WOULD_BE)).toBeNull());
  await pause();
  expect(asked).toHaveLength(before);
  await userEvent.type(amount, '77');
  expect(await within(dialog).findByText(WOULD_BE)).toBeVisible();
  expect(asked.at(-1)).toMatchObject({ amount: '77' });
  expect(sent).toEqual([]);
});

it('an assignment of several: where all of them would be refused', async () => {
  const { backend, sent } = refusing(profiles.manager, 'put', '*/api/remittances/assign/dealer');
  const [one] = backend.remittances.filter(({ status }) => status === 0);
  renderApp('/invoice/list/?status=0');
  await userEvent.click(
    await screen.findByRole('checkbox', { name: new RegExp(one?.code ?? '') }, { timeout: 20_000 }),
  );
  await userEvent.click(await screen.findByRole('button', { name: /^Asignar/ }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByText(WOULD_BE)).toBeNull();
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Distribuidor/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Distribuidora Habana' }));
  expect(await within(dialog).findByText(WOULD_BE)).toBeVisible();
  expect(sent).toEqual([]);
});

it('a release of a hold', async () => {
  const { backend, sent } = refusing(profiles.manager, 'post', '*/api/remittances/:id/holds/:number/review');
  for (const row of backend.remittances) row.held = true;
  const hold = { number: 1, reason: 'manual', at: '2026-11-21T04:00:00Z', files: [] };
  server.use(http.get('*/api/remittances/:id/holds', () => HttpResponse.json({ results: [hold] })));
  const dialog = await openDialog('Liberar');
  expect(await within(dialog).findByText(WOULD_BE)).toBeVisible();
  expect(sent).toEqual([]);
});

it('a closing: once its figures are there, until it is tried', async () => {
  const [agency] = agencies;
  const none = '0.00';
  const figures = { agencyCommission: none, agentCommission: none, amount: none, commissionAccrued: none };
  const preview = {
    actions: [{ action: 'closePeriod', refusal: null }],
    figures: { ...figures, groups: [], remittances: 0 },
    from: null,
    party: { id: agency?.id ?? '', name: agency?.name ?? '' },
    to: '2026-11-21T04:00:00Z',
  } as unknown as ClosurePreview;
  const page = { currentPage: 1, itemsPerPage: 10, totalPages: 1, totalRecords: 1, data: [preview] };
  const { sent } = refusing(profiles.manager, 'post', '*/api/accounting/closures');
  server.use(http.post('*/api/dashboard/agency/report', () => HttpResponse.json(page)));
  renderApp('/accounting/closures/?tab=preview');
  await userEvent.click(
    await screen.findByRole('button', { name: `Abrir ${agency?.name}` }, { timeout: 20_000 }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar período' }));
  const dialog = await screen.findByRole('dialog', { name: `Cerrar el período de ${agency?.name}` });
  expect(await within(dialog).findByText(WOULD_BE)).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar período' }));
  expect(await within(dialog).findByText(IS)).toBeVisible();
  expect(within(dialog).queryByText(WOULD_BE)).toBeNull();
  expect(sent).toHaveLength(1);
}, 60_000);
