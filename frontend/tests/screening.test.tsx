/** Own lists for screening: a file is checked before it is loaded, and a chosen list is not removed. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type {
  OwnListCheck,
  ScreeningCase,
  ScreeningCaseDetail,
  ScreeningListView,
  ScreeningView,
} from '~/api';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([import('~/app/shell/Shell'), import('~/features/screening/ScreeningPage')]);
}, READING_MS);

const own: ScreeningListView = {
  name: 'blocked',
  enabled: true,
  threshold: 86,
  loaded: true,
  own: true,
  managed: true,
  version: '5f2a9c01d3b4',
  entries: 120,
  names: 214,
  published: null,
  loadedAt: '2026-11-20T12:00:00Z',
};
const ofac: ScreeningListView = { ...own, name: 'ofac-sdn', own: false, managed: false };
const view: ScreeningView = { lists: [own, ofac], run: null };
const check: OwnListCheck = {
  entries: 2,
  names: 3,
  version: '0a1b2c3d4e5f',
  sample: [{ names: ['Pedro PAEZ'], documents: [], born: ['1970'], countries: [], programs: [] }],
  warnings: [{ line: 4, code: 'screening_born_unknown', detail: 'No se entiende la fecha de nacimiento.' }],
  warned: 1,
};
const problem = (status: number, code: string, detail: string) =>
  HttpResponse.json({ type: `urn:caudal:problem:${code}`, title: 'No', status, code, detail }, { status });

it('an own list is checked, loaded in another version, and refused its removal while it is chosen', async () => {
  const calls: string[] = [];
  server.use(
    http.get('*/api/screening', () => HttpResponse.json(view)),
    http.get('*/api/screening/cases', () =>
      HttpResponse.json({ data: [], currentPage: 1, totalPages: 1, totalRecords: 0 }),
    ),
    http.get('*/api/screening/own-lists/:name/versions', () =>
      HttpResponse.json({
        results: [
          {
            version: '5f2a9c01d3b4',
            entries: 120,
            names: 214,
            at: '2026-11-20T12:00:00Z',
            by: { id: 'm', role: 'manager', name: 'Marta' },
          },
        ],
      }),
    ),
    http.post('*/api/screening/own-lists/check', () => {
      calls.push('check');
      return HttpResponse.json(check);
    }),
    http.post('*/api/screening/own-lists', () => {
      calls.push('load');
      return HttpResponse.json(view, { status: 201 });
    }),
    http.delete('*/api/screening/own-lists/:name', () =>
      problem(409, 'screening_list_chosen', 'Esta lista está elegida.'),
    ),
    ...makeBackend(profiles.manager).handlers,
  );
  renderApp('/screening/');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Listas propias' }, { timeout: 20_000 }));
  const lists = await screen.findByRole('dialog', { name: 'Listas propias' });
  within(lists).getByRole('heading', { name: 'blocked' });
  expect(within(lists).queryByRole('heading', { name: 'ofac-sdn' })).toBeNull();
  await user.click(within(lists).getByRole('button', { name: 'Versiones: blocked' }));
  await within(lists).findByText(/5f2a9c01d3b4: 120 entradas, Marta/);

  await user.click(within(lists).getByRole('button', { name: 'Cargar otra versión: blocked' }));
  const form = await screen.findByRole('dialog', { name: 'Cargar otra versión' });
  const file = new File(['name,born\nPedro PAEZ,1970\n'], 'own.csv', { type: 'text/csv' });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('no field for the file');
  await user.upload(input, file);
  await within(form).findByText('2 entradas con 3 nombres · versión 0a1b2c3d4e5f');
  within(form).getByText('Pedro PAEZ');
  within(form).getByText('Línea 4: No se entiende la fecha de nacimiento.');
  expect(new Set(calls)).toEqual(new Set(['check']));
  await user.click(within(form).getByRole('button', { name: 'Cargar' }));
  await screen.findByText('Lista cargada');
  expect(calls.filter((call) => call === 'load')).toHaveLength(1);

  await user.click(within(lists).getByRole('button', { name: 'Quitar: blocked' }));
  const removal = await screen.findByRole('dialog', { name: 'Quitar la lista' });
  await user.click(within(removal).getByRole('button', { name: 'Quitar' }));
  await within(removal).findByText('Esta lista está elegida.');
}, 120_000);

it('lists are chosen on top of what another chose meanwhile, and a list that both changed is told', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/screening', () => HttpResponse.json(view)),
    http.get('*/api/screening/cases', () =>
      HttpResponse.json({ data: [], currentPage: 1, totalPages: 1, totalRecords: 0 }),
    ),
    http.put('*/api/screening/lists', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length > 1) return HttpResponse.json(view);
      const told = { field: 'lists.ofac-sdn', code: 'changed_since_read', detail: 'Otra persona lo cambió.' };
      const body = {
        type: 'urn:caudal:problem:changed_since_read',
        title: 'No',
        status: 409,
        code: 'changed_since_read',
        detail: 'Otra persona lo cambió.',
        errors: [{ ...told, now: null }],
      };
      return HttpResponse.json(body, { status: 409 });
    }),
    ...makeBackend(profiles.manager).handlers,
  );
  renderApp('/screening/');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Listas' }, { timeout: 20_000 }));
  const form = await screen.findByRole('dialog', { name: 'Listas contra las que se compara' });
  const threshold = within(form).getByRole('textbox', { name: 'Umbral de ofac-sdn (%)' });
  await user.clear(threshold);
  await user.type(threshold, '90');
  await user.click(within(form).getByRole('button', { name: /Guardar/ }));
  await within(form).findByText(/Ahora dice «sin usar»/);
  await user.click(within(form).getByRole('button', { name: /Guardar/ }));
  await screen.findByText('Se compara a todos los clientes de nuevo');
  const lists = { blocked: 86, 'ofac-sdn': 90 };
  expect(sent).toEqual([
    { lists, was: { lists: { blocked: 86, 'ofac-sdn': 86 } } },
    { lists, was: { lists: { blocked: 86, 'ofac-sdn': null } } },
  ]);
}, 60_000);

it('a confirmed match shows the listed person as it was when decided, and can be decided otherwise', async () => {
  const found: ScreeningCase = {
    customer: { id: 'c', name: 'Ana Alfonso' },
    customerType: 1,
    score: 97,
    lists: ['ofac-sdn'],
    status: 'confirmed',
    openCandidates: 0,
    found: '2026-11-20T12:00:00Z',
    decidedAt: '2026-11-20T13:00:00Z',
    decidedBy: { id: 'm', name: 'Marta' },
    heldRemittances: 1,
    openHolds: 0,
    waitingApprovals: 0,
  };
  const listed = { names: ['PÉREZ, Berta'], documents: [], born: ['1961'], countries: [], programs: [] };
  const pair = { list: 'ofac-sdn', score: 97, explanation: null, proposed: null };
  const decided = { at: '2026-11-20T13:00:00Z', by: { id: 'm', name: 'Marta' }, files: [] };
  const detail: ScreeningCaseDetail = {
    ...found,
    person: null,
    proposedReleases: [],
    candidates: [
      {
        ...pair,
        entry: '7',
        name: 'PÉREZ, Berta',
        listed,
        decision: { ...decided, outcome: 'same', reason: 'Su carné' },
      },
      {
        ...pair,
        entry: '8',
        name: 'PÉREZ, Bruna',
        listed: null,
        decision: { ...decided, outcome: 'different', reason: 'Otra edad' },
      },
    ],
  };
  server.use(
    http.get('*/api/screening', () => HttpResponse.json(view)),
    http.get('*/api/screening/cases', () =>
      HttpResponse.json({ data: [found], currentPage: 1, totalPages: 1, totalRecords: 1 }),
    ),
    http.get('*/api/screening/cases/:id', () => HttpResponse.json(detail)),
    ...makeBackend(profiles.manager).handlers,
  );
  renderApp('/screening/');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Comparar y decidir/ }, { timeout: 20_000 }));
  const shown = await screen.findByRole('dialog', { name: 'Ana Alfonso y las listas' });
  await within(shown).findByText('1961');
  within(shown).getByText(/^Misma persona: Su carné/);
  const decides = within(shown).getAllByRole('button', { name: /^Decidir/ });
  expect(decides.map((button) => button.getAttribute('aria-label'))).toEqual(['Decidir PÉREZ, Berta']);
}, 120_000);

it('what a corrected name left in review is released in one act with a reason', async () => {
  const found: ScreeningCase = {
    customer: { id: 'c', name: 'Nikolai Alfonso' },
    customerType: 1,
    score: null,
    lists: [],
    status: 'cleared',
    openCandidates: 0,
    found: '2026-11-20T12:00:00Z',
    decidedAt: null,
    decidedBy: null,
    heldRemittances: 2,
    openHolds: 2,
    waitingApprovals: 0,
  };
  const detail: ScreeningCaseDetail = { ...found, person: null, proposedReleases: [], candidates: [] };
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/screening', () => HttpResponse.json(view)),
    http.get('*/api/screening/cases', () =>
      HttpResponse.json({ data: [found], currentPage: 1, totalPages: 1, totalRecords: 1 }),
    ),
    http.get('*/api/screening/cases/:id', () => HttpResponse.json(detail)),
    http.get('*/api/customer/:id/document/pictures', () => HttpResponse.json({ files: [] })),
    http.post('*/api/screening/cases/:id/release', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...detail, openHolds: 0 });
    }),
    ...makeBackend(profiles.manager).handlers,
  );
  await renderApp('/screening/');
  const user = userEvent.setup();
  // Nobody decided that it is somebody else: there is something to do.
  await screen.findByText('Por liberar');
  await user.click(await screen.findByRole('button', { name: /Comparar y decidir/ }));
  const dialog = await screen.findByRole('dialog', { name: /Nikolai Alfonso/ });
  await within(dialog).findByText(/Siguen en revisión 2 remesas/);
  await user.click(within(dialog).getByRole('button', { name: 'Liberar' }));
  const release = await screen.findByRole('dialog', { name: 'Liberar lo que sigue en revisión' });
  await user.click(within(release).getByRole('button', { name: 'Liberar' }));
  expect(sent).toEqual([]);
  await user.type(await within(release).findByRole('textbox'), 'El pasaporte dice Alfonso');
  await user.click(within(release).getByRole('button', { name: 'Liberar' }));
  await screen.findByText('Remesas liberadas');
  expect(sent).toEqual([{ reason: 'El pasaporte dice Alfonso' }]);
}, 60_000);

it('a proposed decision is told before somebody decides it a second time, with the way to the proposal', async () => {
  const found: ScreeningCase = {
    customer: { id: 'c', name: 'Ana Alfonso' },
    customerType: 1,
    score: 97,
    lists: ['ofac-sdn'],
    status: 'open',
    openCandidates: 1,
    found: '2026-11-20T12:00:00Z',
    decidedAt: null,
    decidedBy: null,
    heldRemittances: 1,
    openHolds: 1,
    waitingApprovals: 1,
  };
  const detail: ScreeningCaseDetail = {
    ...found,
    person: null,
    proposedReleases: [],
    candidates: [
      {
        list: 'ofac-sdn',
        entry: '7',
        name: 'PÉREZ, Berta',
        score: 97,
        explanation: null,
        listed: null,
        decision: null,
        proposed: {
          id: 'p-7',
          by: { id: 'm', name: 'Marta' },
          at: '2026-11-20T13:00:00Z',
          expiresAt: '2026-11-21T13:00:00Z',
          remittance: null,
        },
      },
    ],
  };
  server.use(
    http.get('*/api/screening', () => HttpResponse.json(view)),
    http.get('*/api/screening/cases', () =>
      HttpResponse.json({ data: [found], currentPage: 1, totalPages: 1, totalRecords: 1 }),
    ),
    http.get('*/api/screening/cases/:id', () => HttpResponse.json(detail)),
    http.get('*/api/customer/:id/document/pictures', () => HttpResponse.json({ files: [] })),
    ...makeBackend(profiles.manager).handlers,
  );
  renderApp('/screening/');
  const user = userEvent.setup();
  await screen.findByText('Decisión propuesta', {}, { timeout: 20_000 });
  await user.click(await screen.findByRole('button', { name: /^Comparar y decidir/ }));
  const shown = await screen.findByRole('dialog', { name: 'Ana Alfonso y las listas' });
  await within(shown).findByText(/^Marta propuso el .* que es otra persona/);
  const way = within(shown).getByRole('link', { name: 'Ver la propuesta' });
  expect(way.getAttribute('href')).toContain('/approvals/?proposal=p-7');
  await user.click(within(shown).getByRole('button', { name: /^Decidir/ }));
  const form = await screen.findByRole('dialog', { name: '¿Es la misma persona?' });
  within(form).getByText(/^Marta propuso el .* que es otra persona/);
}, 60_000);
