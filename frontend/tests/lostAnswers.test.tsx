/** A write whose answer is lost: the form asks by its key what became of it, and tells, also after a reload. */
import 'fake-indexeddb/auto';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '~/api/session';
import { dropDatabase } from '~/offline/database';
import { fillSale } from './fillSale';
import { isPreview, makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

/** Reading the screens' code takes a busy machine longer than a test may wait for its first row. */
const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/remittances/create/NewRemittancePage'),
    import('~/features/nomenclators/rates/RatesPage'),
    import('~/features/nomenclators/CurrenciesPage'),
  ]);
}, READING_MS);
afterEach(dropDatabase);

type Backend = ReturnType<typeof makeBackend>;
interface Losing {
  /** Whether the lost requests take effect. */
  arrives: boolean;
  /** How many of the next answers are lost. */
  times: number;
}

/** Does each key once, and answers a question about a key; the next answers are lost. */
function oneEffectPerKey(backend: Backend, losing: Losing) {
  const done = new Map<string, { request: string; answer: object }>();
  const asked: string[] = [];
  const act = async (request: Request, answer: (body: string) => object) => {
    const key = request.headers.get('Idempotency-Key') ?? '';
    const body = await request.text();
    const lost = losing.times > 0;
    if (lost) losing.times -= 1;
    if (lost && !losing.arrives) return HttpResponse.error();
    const before = done.get(key);
    const sent = `${request.method} ${new URL(request.url).pathname} ${body}`;
    if (before && before.request !== sent)
      return backend.problem(422, 'idempotency_key_reused', 'La clave ya se usó');
    const made = before?.answer ?? answer(body);
    done.set(key, { request: sent, answer: made });
    return lost ? HttpResponse.error() : HttpResponse.json(made);
  };
  /** The key is looked up before it is seen that there is no such remittance. */
  const question = ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
    if (!/^[0-]+$/.test(String(params.id))) return undefined;
    const key = request.headers.get('Idempotency-Key') ?? '';
    asked.push(key);
    return done.has(key)
      ? backend.problem(422, 'idempotency_key_reused', 'La clave ya se usó')
      : backend.problem(404, 'remittance_not_found', 'No existe esta remesa.');
  };
  const handlers = [
    http.post('*/api/remittances/:id/cancel', question),
    http.put('*/api/remittances/:id/error', question),
    http.post('*/api/remittances', ({ request }) => {
      if (isPreview(request)) return undefined;
      return act(request, () => {
        const row = backend.remittances.find(({ code }) => code === 'R-000021');
        const quote = { payout: '31850.00', currencyTo: 'CUP', totalToPay: '107.00', amount: '100.00' };
        return { id: row?.id, code: row?.code, status: 0, quote };
      });
    }),
    http.get('*/api/remittances/:id', ({ params }) => {
      const row = backend.remittances.find(({ id }) => id === params.id);
      return row && HttpResponse.json(row);
    }),
    http.delete('*/api/nomenclators/currency/:id', ({ request }) => act(request, () => ({}))),
    http.post('*/api/rates/changes', ({ request }) =>
      act(request, () => ({ id: 'c-1', rates: [], status: 'effective' })),
    ),
  ];
  return { done, asked, handlers };
}

/** As the agency, whose drafts are kept. */
const logIn = () => {
  const whose = btoa(JSON.stringify({ tenant: 'default', sub: profiles.agency.id }));
  openSession(`header.${whose}.signature`, 900);
};

describe('a sale', () => {
  let backend: Backend;
  let losing: Losing;
  let effects: ReturnType<typeof oneEffectPerKey>;
  beforeEach(() => {
    backend = makeBackend(profiles.agency);
    losing = { arrives: true, times: 1 };
    effects = oneEffectPerKey(backend, losing);
    server.use(...effects.handlers, ...backend.handlers);
    logIn();
  });

  async function typeAndSell() {
    await fillSale();
    await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Confirmar venta' }));
  }
  const LOST = /puede que se haya guardado o no/;

  it('that was made is told by itself, with its code, and nothing is pressed', async () => {
    renderApp('/invoice/new/', false);
    await typeAndSell();
    expect(await screen.findByText(LOST)).toBeVisible();
    expect(await screen.findByText('R-000021')).toBeVisible();
    expect(screen.getByText(/La respuesta se había perdido/)).toBeVisible();
    expect(effects.done.size).toBe(1);
    expect(new Set(effects.asked)).toEqual(new Set(effects.done.keys()));
  }, 60_000);

  it('that never arrived is told to be free to send again, and is sent under the same key', async () => {
    losing.arrives = false;
    renderApp('/invoice/new/', false);
    await typeAndSell();
    expect(await screen.findByText(/no llegó/)).toBeVisible();
    expect(effects.done.size).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Confirmar venta' }));
    expect(await screen.findByText('R-000021')).toBeVisible();
    expect(screen.queryByText(/La respuesta se había perdido/)).toBeNull();
    expect([...effects.done.keys()]).toEqual([effects.asked[0]]);
  }, 60_000);

  it('that was edited meanwhile is not sent in the place of the first one', async () => {
    renderApp('/invoice/new/', false);
    await typeAndSell();
    await screen.findByText(LOST);
    await userEvent.type(screen.getByLabelText(/Referencia/), 'x');
    expect(await screen.findByText('El primer intento sí se guardó')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Ver lo que se guardó' }));
    expect(await screen.findByText('R-000021')).toBeVisible();
    expect(effects.done.size).toBe(1);
  }, 60_000);

  /** The page goes as a killed tab does, while the answer is still on the way; another one begins. */
  async function killTab(first: ReturnType<typeof renderApp>) {
    await waitFor(() => expect(losing.times).toBe(0));
    const { closeSession } = await import('~/api/session');
    closeSession('expired');
    first.unmount();
    const { forgetEverything } = await import('~/api/tries');
    forgetEverything();
    logIn();
    return renderApp('/invoice/new/', false);
  }

  it('that was made before the page was loaded again is told with its code', async () => {
    const first = renderApp('/invoice/new/', false);
    await typeAndSell();
    await killTab(first);
    expect(await screen.findByText('R-000021', undefined, { timeout: 20_000 })).toBeVisible();
    expect(screen.getByText(/La respuesta se había perdido/)).toBeVisible();
    expect(effects.done.size).toBe(1);
  }, 60_000);

  it('that never arrived before the page was loaded again is told to be free, and is still there', async () => {
    losing.arrives = false;
    const first = renderApp('/invoice/new/', false);
    await typeAndSell();
    await killTab(first);
    await screen.findByText('Aquí está la venta que dejó a medias.', undefined, { timeout: 20_000 });
    expect(await screen.findByText(/no llegó/)).toBeVisible();
    expect(screen.getByLabelText(/^Envía/)).toHaveValue('100');
    expect(effects.done.size).toBe(0);
  }, 60_000);
});

describe('an act without fields', () => {
  it('is repeated under one key, and tells by itself that it was done', async () => {
    const backend = makeBackend(profiles.manager);
    const losing = { arrives: true, times: 1 };
    const effects = oneEffectPerKey(backend, losing);
    server.use(...effects.handlers, ...backend.handlers);
    renderApp('/nomenclators/currencies/');
    await userEvent.click(await screen.findByRole('button', { name: /^Eliminar.*MLC/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Eliminar' }));
    expect(await within(dialog).findByText(/puede que se haya guardado o no/)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(effects.done.size).toBe(1);
    expect(new Set(effects.asked)).toEqual(new Set(effects.done.keys()));
  }, 60_000);
});

describe('a change of rates', () => {
  it('is repeated under one key, and an edited second try does not take its place', async () => {
    const backend = makeBackend(profiles.manager);
    const losing = { arrives: true, times: 1 };
    const effects = oneEffectPerKey(backend, losing);
    const rate = {
      kind: 'reference',
      currencyId: 'cup',
      paymentGroupId: null,
      paymentGroupName: null,
      party: null,
      userType: null,
      agency: null,
      currency: 'CUP',
      rate: '320',
      isActive: true,
    };
    server.use(
      ...effects.handlers,
      http.get('*/api/rates', () => HttpResponse.json({ results: [rate] })),
      http.get('*/api/rates/changes', () =>
        HttpResponse.json({ data: [], totalRecords: 0, totalPages: 0, currentPage: 1, itemsPerPage: 10 }),
      ),
      ...backend.handlers,
    );
    renderApp('/nomenclators/rates/');
    const field = await screen.findByRole('textbox', { name: /CUP/ }, { timeout: 20_000 });
    await userEvent.clear(field);
    await userEvent.type(field, '330');
    await userEvent.click(screen.getByRole('button', { name: /^Revisar/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cambiar ahora' }));
    expect(await within(dialog).findByText(/puede que se haya guardado o no/)).toBeVisible();
    await userEvent.click(within(dialog).getByRole('switch'));
    expect(await within(dialog).findByText('El primer intento sí se guardó')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Ver lo que se guardó' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(effects.done.size).toBe(1);
    expect(new Set(effects.asked)).toEqual(new Set(effects.done.keys()));
  }, 60_000);
});
