/** Closing a seller's period: up to yesterday where nobody says otherwise, and not before it is said what is frozen. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type { ClosurePreview } from '~/api';
import { filterYesterday } from '~/entities/filters/period';
import { makeBackend } from './mocks/backend';
import { agencies, profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([import('~/app/shell/Shell'), import('~/features/accounting/closures/ClosuresPage')]);
}, READING_MS);

const [agency] = agencies;
const none = '0.00';
const preview: ClosurePreview = {
  actions: [{ action: 'closePeriod', refusal: null }],
  agencyFeeAccrued: none,
  debitsBilled: none,
  debitsOpening: none,
  figures: {
    agencyCommission: none,
    agentCommission: none,
    amount: '1250.00',
    commissionAccrued: '37.50',
    debitsOpened: none,
    debitsOutstanding: none,
    debitsPaid: none,
    groups: [],
    managerCommission: none,
    remittances: 12,
  },
  from: null,
  party: { id: agency?.id ?? '', name: agency?.name ?? '' },
  to: '2026-11-21T04:00:00Z',
};

let approval: unknown = null;

it('closes yesterday unless another day is chosen, once its figures are there', async () => {
  const asked: unknown[] = [];
  const closed: unknown[] = [];
  let tell = () => {};
  const told = new Promise<void>((done) => {
    tell = done;
  });
  const page = { currentPage: 1, itemsPerPage: 10, totalPages: 1, totalRecords: 1, data: [preview] };
  const made = { id: 'c-1', number: 'C-000001', party: preview.party, figures: preview.figures };
  server.use(
    ...makeBackend(profiles.manager).handlers,
    http.post('*/api/dashboard/agency/report', async ({ request }) => {
      const body = (await request.json()) as { agencyId?: string };
      if (!body.agencyId) return HttpResponse.json(page);
      asked.push(body);
      await told;
      return HttpResponse.json(page);
    }),
    http.post('*/api/accounting/closures', async ({ request }) => {
      if (new URL(request.url).searchParams.get('preview') === 'true') {
        return HttpResponse.json({ approval, transfers: [], warnings: [] });
      }
      closed.push(await request.json());
      return HttpResponse.json(made, { status: 201 });
    }),
    http.get('*/api/accounting/closures/:id', () =>
      HttpResponse.json({ ...made, from: null, to: preview.to }),
    ),
  );
  renderApp('/accounting/closures/?tab=preview');
  await userEvent.click(await screen.findByRole('button', { name: `Abrir ${agency?.name}` }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar período' }));
  const dialog = await screen.findByRole('dialog', { name: `Cerrar el período de ${agency?.name}` });
  expect(
    within(dialog).getByText(/Quedan fijas las ventas, las asignaciones y las comisiones/),
  ).toBeVisible();
  const confirm = within(dialog).getByRole('button', { name: 'Cerrar período' });
  // Nobody confirms what he has not seen.
  expect(confirm).toBeDisabled();
  const yesterday = filterYesterday(profiles.manager.timeZone);
  await waitFor(() => expect(asked).toEqual([{ agencyId: agency?.id, finalDate: yesterday }]));
  tell();
  await within(dialog).findByText(/37,50/);
  expect(within(dialog).getByText('12')).toBeVisible();
  expect(confirm).toBeEnabled();
  await userEvent.click(confirm);
  await waitFor(() => expect(closed).toEqual([{ partyId: agency?.id, to: yesterday }]));
}, 60_000);

it('proposes the closing where a rule asks for an approval, and says which rule', async () => {
  approval = { kind: 'closing', approvers: 'manager', expiresAfterHours: 24 };
  const page = { currentPage: 1, itemsPerPage: 10, totalPages: 1, totalRecords: 1, data: [preview] };
  server.use(
    ...makeBackend(profiles.manager).handlers,
    http.post('*/api/dashboard/agency/report', () => HttpResponse.json(page)),
    http.post('*/api/accounting/closures', () =>
      HttpResponse.json({ approval, transfers: [], warnings: [] }),
    ),
  );
  renderApp('/accounting/closures/?tab=preview');
  await userEvent.click(await screen.findByRole('button', { name: `Abrir ${agency?.name}` }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar período' }));
  const dialog = await screen.findByRole('dialog', { name: `Cerrar el período de ${agency?.name}` });
  expect(await within(dialog).findByRole('button', { name: 'Proponer' })).toBeEnabled();
  expect(within(dialog).getByRole('status').textContent).toContain('Cierre');
}, 60_000);
