/** Imports: what can't be read is told with a way to try again, and is no endless wait or empty list. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type { ImportDetail, ImportKinds, ImportRow } from '~/api';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/imports/ImportPage'),
    import('~/features/imports/ImportsPage'),
  ]);
}, READING_MS);

const ID = '0b8e2c7a-1111-4111-8111-000000000001';
const none = { added: 0, there: 0, waiting: 0, refused: 0, leftOut: 0 };
const detail: ImportDetail = {
  id: ID,
  kind: 'issuers',
  state: 'mapping',
  name: 'clientes.csv',
  rows: 2,
  done: 0,
  previewed: null,
  imported: null,
  failure: null,
  maker: { id: 'm', name: 'Marta Ríos' },
  createdAt: '2026-11-20T12:00:00Z',
  changedAt: '2026-11-20T12:00:00Z',
  eraseAt: '2026-12-20T12:00:00Z',
  own: true,
  stoppable: true,
  headers: ['Nombre'],
  sample: [['Ana'], ['Eva']],
  mapping: {
    columns: { name: 0 },
    constants: {},
    decimal: 'point',
    dates: 'dayFirst',
    expected: {},
    owner: null,
  },
  seller: null,
  proofs: null,
  notices: [],
  previewCounts: none,
  runCounts: none,
  shownCounts: none,
  balances: [],
  sums: [],
  expected: [],
};
const kinds: ImportKinds = {
  results: [
    {
      kind: 'issuers',
      owned: true,
      proofs: false,
      fields: [{ name: 'name', required: true, shape: 'text' }],
    },
  ],
};
const problem = (status: number, code: string, detail: string) =>
  HttpResponse.json({ type: `urn:caudal:problem:${code}`, title: 'No', status, code, detail }, { status });

it.each([`/imports/${ID}`, '/imports/'])(
  'kinds that can not be read are asked for again at %s',
  async (path) => {
    let fails = true;
    server.use(
      http.get('*/api/imports', () => HttpResponse.json({ results: [] })),
      http.get('*/api/imports/kinds', () =>
        fails ? problem(500, 'internal', 'Algo falló en el servidor.') : HttpResponse.json(kinds),
      ),
      http.get(`*/api/imports/${ID}`, () => HttpResponse.json(detail)),
      ...makeBackend(profiles.agency).handlers,
    );
    renderApp(path);
    const user = userEvent.setup();
    if (path === '/imports/') {
      const buttons = await screen.findAllByRole('button', { name: 'Subir un archivo' }, { timeout: 20_000 });
      if (buttons[0]) await user.click(buttons[0]);
    }
    const told = await screen.findByRole('alert', {}, { timeout: 20_000 });
    within(told).getByText('Algo falló en el servidor.');
    fails = false;
    await user.click(within(told).getByRole('button', { name: 'Reintentar' }));
    if (path === '/imports/') await screen.findByRole('combobox', { name: /Qué contiene/ });
    else await screen.findByRole('button', { name: 'Guardar y previsualizar' });
  },
  120_000,
);

it('a kind that may not be imported any more is told', async () => {
  server.use(
    http.get('*/api/imports/kinds', () => HttpResponse.json({ results: [] })),
    http.get(`*/api/imports/${ID}`, () => HttpResponse.json(detail)),
    ...makeBackend(profiles.agency).handlers,
  );
  renderApp(`/imports/${ID}`);
  await screen.findByText(/no puede importar archivos de este tipo/, {}, { timeout: 20_000 });
}, 120_000);

it('who does not read agencies is told so where one is chosen', async () => {
  server.use(
    http.get('*/api/imports/kinds', () => HttpResponse.json(kinds)),
    http.get(`*/api/imports/${ID}`, () => HttpResponse.json(detail)),
    http.get('*/api/agency', () => problem(403, 'permission_missing', 'Le falta un permiso.')),
    http.get('*/api/agent', () => problem(403, 'permission_missing', 'Le falta un permiso.')),
    ...makeBackend(profiles.manager).handlers,
  );
  renderApp(`/imports/${ID}`);
  const told = await screen.findByRole('alert', {}, { timeout: 20_000 });
  within(told).getByText('Le falta un permiso.');
  expect(screen.queryByRole('combobox', { name: /Agencia o agente/ })).toBeNull();
}, 120_000);

it('an empty cell in error is saved as empty', async () => {
  const sent: unknown[] = [];
  const row: ImportRow = {
    row: 0,
    line: 2,
    cells: ['', 'nota'],
    preview: 'refused',
    result: null,
    errors: [
      {
        code: 'import_formula_without_value',
        column: 0,
        field: 'name',
        detail: 'La fórmula no tiene valor.',
      },
    ],
    record: null,
    code: null,
    balance: null,
    leftOut: false,
  };
  const previewed: ImportDetail = {
    ...detail,
    state: 'previewed',
    headers: ['Nombre', 'Nota'],
    mapping: detail.mapping && { ...detail.mapping, columns: { name: 0, note: 1 } },
    previewCounts: { ...none, refused: 1 },
    shownCounts: { ...none, refused: 1 },
  };
  server.use(
    http.get('*/api/imports/kinds', () => HttpResponse.json(kinds)),
    http.get(`*/api/imports/${ID}`, () => HttpResponse.json(previewed)),
    http.get(`*/api/imports/${ID}/rows`, () =>
      HttpResponse.json({ data: [row], currentPage: 1, itemsPerPage: 25, totalPages: 1, totalRecords: 1 }),
    ),
    http.put(`*/api/imports/${ID}/rows/0`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(previewed);
    }),
    ...makeBackend(profiles.agency).handlers,
  );
  renderApp(`/imports/${ID}`);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /Corregir/ }, { timeout: 20_000 }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /Guardar/ }));
  await screen.findByText(/Fila corregida/);
  expect(sent).toEqual([{ cells: [{ column: 0, text: '' }] }]);
}, 120_000);

it.each([
  { chosen: null, sends: null },
  { chosen: '31/12/2026', sends: 'dayFirst' },
])(
  'an order of dates that nobody knows is not guessed: $sends',
  async ({ chosen, sends }) => {
    const sent: unknown[] = [];
    const ofDates: ImportDetail = {
      ...detail,
      headers: ['Nombre', 'Vence'],
      mapping: detail.mapping && { ...detail.mapping, dates: null },
    };
    const expires = { name: 'personalIdentificationExpirationDate', required: false, shape: 'date' };
    const fields = [...kinds.results.flatMap((kind) => kind.fields), expires];
    server.use(
      http.get('*/api/imports/kinds', () =>
        HttpResponse.json({ results: kinds.results.map((kind) => ({ ...kind, fields })) }),
      ),
      http.get(`*/api/imports/${ID}`, () => HttpResponse.json(ofDates)),
      http.put(`*/api/imports/${ID}/mapping`, async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(ofDates);
      }),
      http.post(`*/api/imports/${ID}/preview`, () => HttpResponse.json(ofDates)),
      ...makeBackend(profiles.agency).handlers,
    );
    renderApp(`/imports/${ID}`);
    const user = userEvent.setup();
    const label = { name: /Cómo están escritas las fechas/ };
    const dates = await screen.findByRole('combobox', label, { timeout: 20_000 });
    expect(dates).toHaveProperty('value', 'Según cada fecha; 03/04/2026 se rechaza');
    if (chosen) {
      await user.click(dates);
      await user.click(await screen.findByRole('option', { name: chosen }));
    }
    await user.click(screen.getByRole('button', { name: 'Guardar y previsualizar' }));
    await waitFor(() => expect(sent).toEqual([expect.objectContaining({ dates: sends })]));
  },
  120_000,
);
