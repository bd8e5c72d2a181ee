import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type { Profile, QuarantineState } from '~/api';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

/** Reading the screens' code takes a busy machine longer than a test may wait for its first row. */
const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/remittances/RemittancesPage'),
    import('~/features/audit/QuarantinePage'),
  ]);
}, READING_MS);

const NOTHING_SAVED = 'Ahora no se puede guardar nada';
const state = { diverged: false };

/** Every answer says whose it is, and whether the log is in question; writes are refused while it is. */
function divergingBackend(profile: Profile = profiles.clerk) {
  state.diverged = true;
  const headers = () => ({
    'X-Request-Id': 'r',
    'X-Ledger-Position': '7',
    ...(state.diverged && { 'X-Log-State': 'diverged' }),
  });
  const minimum: (string | null)[] = [];
  const backend = makeBackend(profile);
  server.use(
    http.get('*/api/users/profile', ({ request }) => {
      if (state.diverged) minimum.push(request.headers.get('X-Min-Ledger-Position'));
      return HttpResponse.json(profile, { headers: headers() });
    }),
    http.post('*/api/remittances/:id/cancel', () =>
      state.diverged
        ? HttpResponse.json(
            { status: 503, code: 'log_diverged', title: 'x', detail: 'the log diverged' },
            { status: 503, headers: { ...headers(), 'Content-Type': 'application/problem+json' } },
          )
        : undefined,
    ),
    ...backend.handlers,
  );
  return { backend, minimum };
}

it('during a quarantine every screen shows that nothing can be saved, and the notice disappears by itself', async () => {
  const { minimum } = divergingBackend();
  const { router } = renderApp('/invoice/list/');
  const notice = await screen.findByText(NOTHING_SAVED);
  expect(notice.closest('[role=alert]')).toBeVisible();
  // An agent cannot look into the log.
  expect(screen.queryByRole('link', { name: 'Ver qué ha pasado' })).toBeNull();
  await screen.findByText('R-000023');
  await router.navigate('/users/password/change/');
  await screen.findByLabelText(/Contraseña actual/);
  expect(screen.getByText(NOTHING_SAVED)).toBeVisible();
  state.diverged = false;
  await waitFor(() => expect(screen.queryByText(NOTHING_SAVED)).toBeNull(), { timeout: 15_000 });
  // No read waits for a position of a history that may be gone.
  expect(new Set(minimum)).toEqual(new Set([null]));
}, 40_000);

it('a write during the quarantine shows at its button that it was not saved and why', async () => {
  divergingBackend(profiles.agency);
  renderApp('/invoice/list/?status=0');
  await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancelar remesa' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByLabelText(/Motivo/), 'a petición del emisor');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar remesa' }));
  const refused = await within(dialog).findByRole('alert');
  expect(refused).toHaveTextContent(NOTHING_SAVED);
  expect(refused).not.toHaveTextContent('the log diverged');
}, 40_000);

it('a manager sees both histories, the lost positions, the lost answers, and how an operator ends the quarantine', async () => {
  divergingBackend(profiles.manager);
  const found: QuarantineState = {
    active: true,
    since: '2026-11-22T10:00:00Z',
    reports: [
      {
        id: 'report-1',
        node: 'node-a',
        noticedAt: '2026-11-22T10:00:01Z',
        kind: 'shortened',
        known: { position: 1791, hash: 'aa'.repeat(32) },
        found: { position: 1788, hash: 'bb'.repeat(32) },
        lastSeenAt: '2026-11-22T09:59:58Z',
        numbers: { remittances: 349, movements: 120, closures: 4 },
      },
    ],
    losses: {
      end: { position: 1788, hash: 'bb'.repeat(32) },
      common: { position: 1788, hash: 'bb'.repeat(32) },
      lostFrom: 1789,
      lostTo: 1791,
      unsignedFrom: null,
      answers: [
        {
          position: 1790,
          at: '2026-11-22T09:59:58Z',
          actor: 'system',
          request: '0190-request',
          id: 'remittance-1',
          number: 'R-000349',
        },
      ],
    },
    ended: [],
  };
  server.use(
    http.get('*/api/audit/quarantine', () => HttpResponse.json(found)),
    http.get('*/api/users', () =>
      HttpResponse.json({ data: [], itemsPerPage: 0, currentPage: 1, totalPages: 1, totalRecords: 0 }),
    ),
  );
  renderApp('/invoice/list/');
  await userEvent.click(await screen.findByRole('link', { name: 'Ver qué ha pasado' }));
  const report = await screen.findByRole('region', { name: 'Lo que vio el nodo node-a' });
  expect(within(report).getByRole('row', { name: /La que se conocía 1\.?791 aaaaaaaaaaaa…/ })).toBeVisible();
  expect(within(report).getByRole('row', { name: /La que hay ahora 1\.?788 bbbbbbbbbbbb…/ })).toBeVisible();
  expect(within(report).getByText('El registro es más corto')).toBeVisible();
  const lost = screen.getByRole('region', { name: 'Lo que falta o sobra en el registro' });
  expect(within(lost).getByText(/los eventos 1\.?789 a 1\.?791 \(3\)/)).toBeVisible();
  expect(within(report).getByText(/remesas 349, movimientos 120, cierres 4/)).toBeVisible();
  expect(within(lost).getByRole('row', { name: /R-000349 .* el sistema/ })).toBeVisible();
  expect(screen.getByText('caudal quarantine end default --accept-loss --reason "…"')).toBeVisible();
}, 40_000);

it('events that no node had seen are named, with the option that accepts them', async () => {
  divergingBackend(profiles.manager);
  const found: QuarantineState = {
    active: true,
    since: '2026-11-22T10:00:00Z',
    reports: [],
    losses: {
      end: { position: 1793, hash: 'bb'.repeat(32) },
      common: { position: 1791, hash: 'aa'.repeat(32) },
      lostFrom: null,
      lostTo: null,
      unsignedFrom: 1792,
      answers: [],
    },
    ended: [],
  };
  server.use(http.get('*/api/audit/quarantine', () => HttpResponse.json(found)));
  renderApp('/audit/quarantine/');
  const region = await screen.findByRole('region', { name: 'Lo que falta o sobra en el registro' });
  expect(within(region).getByText(/los eventos 1\.?792 a 1\.?793 \(2\)/)).toBeVisible();
  expect(screen.getByText('caudal quarantine end default --accept-unsigned --reason "…"')).toBeVisible();
}, 40_000);
