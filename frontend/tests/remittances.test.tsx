import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, describe, expect, it } from 'vitest';
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
    import('~/features/remittances/RemittancesPage'),
    import('~/features/remittances/create/NewRemittancePage'),
  ]);
}, READING_MS);

describe('the list', () => {
  it('keeps filter, page and open row in the address', async () => {
    server.use(...makeBackend().handlers);
    const { router } = renderApp('/invoice/list/');
    await screen.findByText('R-000023');
    await userEvent.click(screen.getByRole('button', { name: 'Página siguiente' }));
    await screen.findByText('R-000013');
    expect(router.state.location.search).toBe('?page=2');
    await userEvent.click(screen.getByRole('tab', { name: /^Pendientes/ }));
    await waitFor(() => expect(router.state.location.search).toBe('?status=0'));
    await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }));
    expect(router.state.location.search).toContain('open=');
    expect(await screen.findByText('Remesa creada')).toBeVisible();
  });

  it('jumps to a page only when there is one', async () => {
    server.use(...makeBackend().handlers);
    const { router } = renderApp('/invoice/list/');
    const jump = await screen.findByLabelText('Ir a la página');
    await userEvent.type(jump, '9{Enter}');
    expect(router.state.location.search).toBe('');
    await userEvent.clear(jump);
    await userEvent.type(jump, '3{Enter}');
    expect(router.state.location.search).toBe('?page=3');
  });

  it('moves between rows with the arrow keys and opens with Enter', async () => {
    server.use(...makeBackend().handlers);
    renderApp('/invoice/list/');
    const first = await screen.findByRole('button', { name: 'Abrir R-000023' });
    first.focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getByRole('button', { name: 'Abrir R-000022' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Remesa creada')).toBeVisible();
  });

  it('goes to the last page when the address names one beyond it', async () => {
    server.use(...makeBackend().handlers);
    const { router } = renderApp('/invoice/list/?page=99');
    await screen.findByText('R-000003');
    expect(router.state.location.search).toBe('?page=3');
  });

  it('offers a retry when it cannot be read, and then shows the rows', async () => {
    const backend = makeBackend();
    let away = true;
    server.use(
      http.get('*/api/remittances', () => (away ? HttpResponse.error() : undefined)),
      ...backend.handlers,
    );
    renderApp('/invoice/list/');
    const retry = await screen.findByRole('button', { name: 'Reintentar' });
    expect(screen.getByText(/No hay conexión con el servidor/)).toBeVisible();
    away = false;
    await userEvent.click(retry);
    expect(await screen.findByText('R-000023')).toBeVisible();
  });
});

describe('acting on a remittance', () => {
  it('cancels with a reason, under one key, and shows it canceled', async () => {
    const backend = makeBackend(profiles.agency);
    server.use(...backend.handlers);
    renderApp('/invoice/list/?status=0');
    await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Cancelar remesa' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Berta Díaz Luna')).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar remesa' }));
    expect(await within(dialog).findByText('Este dato es obligatorio')).toBeInTheDocument();
    await userEvent.type(within(dialog).getByLabelText(/Motivo/), 'a petición del emisor');
    await userEvent.dblClick(within(dialog).getByRole('button', { name: 'Cancelar remesa' }));
    expect(await screen.findByText('Remesa cancelada')).toBeVisible();
    const sent = backend.seen.filter(({ path }) => path.endsWith('/cancel'));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toEqual({ reason: 'a petición del emisor' });
    expect(sent[0]?.key).toBeTruthy();
  });

  it('shows the problem in the dialog and keeps the input', async () => {
    const backend = makeBackend(profiles.agency);
    server.use(
      http.post('*/api/remittances/:id/cancel', ({ request }) =>
        isPreview(request)
          ? undefined
          : backend.problem(409, 'wrong_state', 'La remesa ya está en distribución'),
      ),
      ...backend.handlers,
    );
    renderApp('/invoice/list/?status=0');
    await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Cancelar remesa' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText(/Motivo/), 'x');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar remesa' }));
    expect(await within(dialog).findByText('La remesa ya está en distribución')).toBeInTheDocument();
    expect(within(dialog).getByLabelText(/Motivo/)).toHaveValue('x');
  });
});

describe('warnings of an assignment', () => {
  const warning = {
    code: 'cash_short',
    detail: 'Faltan 1234.5 CUP.',
    template: 'Faltan {missing} CUP.',
    values: [{ name: 'missing', kind: 'amount', value: '1234.5' }],
  };

  const choose = async (dialog: HTMLElement) => {
    await userEvent.click(within(dialog).getByRole('combobox', { name: /Distribuidor/ }));
    await userEvent.click(await screen.findByRole('option', { name: 'Distribuidora Habana' }));
    await userEvent.click(within(dialog).getByRole('button', { name: /^Asignar/ }));
  };

  it('have their amounts in the reader’s format, of one', async () => {
    const backend = makeBackend(profiles.manager);
    server.use(
      http.put('*/api/remittances/:id/assign/dealer', ({ request }) =>
        isPreview(request)
          ? undefined
          : HttpResponse.json({ ...backend.remittances[0], warnings: [warning] }),
      ),
      ...backend.handlers,
    );
    renderApp('/invoice/list/?status=0');
    await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Asignar' }));
    await choose(await screen.findByRole('dialog'));
    expect(await screen.findByText('Faltan 1.234,50 CUP.')).toBeVisible();
  });

  it('have their amounts in the reader’s format, of several', async () => {
    const backend = makeBackend(profiles.manager);
    const [one] = backend.remittances.filter(({ status }) => status === 0);
    server.use(
      http.put('*/api/remittances/assign/dealer', () =>
        HttpResponse.json({ results: [{ id: one?.id, ok: true, problem: null, warnings: [warning] }] }),
      ),
      ...backend.handlers,
    );
    renderApp('/invoice/list/?status=0');
    await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(one?.code ?? '') }));
    await userEvent.click(await screen.findByRole('button', { name: /^Asignar/ }));
    const bulk = await screen.findByRole('dialog');
    await choose(bulk);
    expect(await within(bulk).findByText(/Faltan 1\.234,50 CUP\./)).toBeVisible();
  });
});

describe('selling', () => {
  it('quotes live, confirms persons and amount by Enter, and shows the code', async () => {
    const backend = makeBackend();
    server.use(...backend.handlers);
    renderApp('/invoice/new/');
    await fillSale();
    await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Berta Díaz Luna')).toBeInTheDocument();
    await waitFor(() =>
      expect(within(dialog).getByRole('button', { name: 'Confirmar venta' })).toHaveFocus(),
    );
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('R-000500')).toBeVisible();
    const sent = backend.seen.filter(
      ({ path, method }) => method === 'POST' && path.endsWith('/remittances'),
    );
    expect(sent.map(({ body }) => body)).toEqual([
      expect.objectContaining({ amount: '100', deliveryMethod: 'home' }),
    ]);
  });

  it('shows the server’s field errors at their fields', async () => {
    server.use(...makeBackend().handlers);
    renderApp('/invoice/new/');
    await fillSale();
    await userEvent.type(screen.getByLabelText(/Referencia/), 'repetida');
    await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Confirmar venta' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByLabelText(/Referencia/)).toHaveAccessibleDescription('Esa referencia ya existe');
  });

  it('that was made although its answer was lost is found again, and not made a second time when edited', async () => {
    const backend = makeBackend();
    const done = new Map<string, { body: string; answer: object }>();
    let lose = true;
    server.use(
      http.post('*/api/remittances', async ({ request }) => {
        if (isPreview(request)) return;
        const key = request.headers.get('Idempotency-Key') ?? '';
        const body = await request.text();
        const before = done.get(key);
        if (before && before.body !== body)
          return backend.problem(422, 'idempotency_key_reused', 'La clave ya se usó');
        const row = backend.remittances.find(({ code }) => code === 'R-000021');
        const quote = { payout: '31850.00', currencyTo: 'CUP', totalToPay: '107.00', amount: '100.00' };
        const answer = before?.answer ?? { id: row?.id, code: row?.code, status: 0, quote };
        done.set(key, { body, answer });
        if (lose) {
          lose = false;
          return HttpResponse.error();
        }
        return HttpResponse.json(answer, { status: 201 });
      }),
      ...backend.handlers,
      http.get('*/api/remittances/:id', ({ params }) =>
        HttpResponse.json(backend.remittances.find(({ id }) => id === params.id)),
      ),
    );
    renderApp('/invoice/new/');
    await fillSale();
    const sell = async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Confirmar venta' }));
    };
    await sell();
    expect(await screen.findByText(/puede que se haya guardado o no/)).toBeVisible();
    await userEvent.type(screen.getByLabelText(/Referencia/), 'otra');
    await sell();
    expect(await screen.findByText('El primer intento sí se guardó')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Vender' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Ver lo que se guardó' }));
    expect(await screen.findByText('R-000021')).toBeVisible();
    expect(done.size).toBe(1);
  });

  it('makes a new sender in place and goes on with it', async () => {
    const backend = makeBackend();
    server.use(...backend.handlers);
    renderApp('/invoice/new/');
    await userEvent.type(await screen.findByPlaceholderText(/Buscar emisor/), 'Zoe Lima Paz');
    await userEvent.click(await screen.findByRole('option', { name: /Nuevo emisor/ }));
    expect(screen.getByLabelText(/^Nombre/)).toHaveValue('Zoe');
    expect(screen.getByLabelText(/Primer apellido/)).toHaveValue('Lima');
    await userEvent.type(screen.getByLabelText(/Teléfono/), '+13055550177');
    await userEvent.click(screen.getByRole('button', { name: 'Guardar emisor' }));
    expect(await screen.findByText('Zoe Lima Paz')).toBeVisible();
    expect(backend.seen.at(-1)?.body).toMatchObject({
      customerType: 0,
      name: 'Zoe',
      phoneNumber: '+13055550177',
    });
  });
});

describe('the menu and the top bar', () => {
  it('offer a sale to sellers and hide it from delivery roles', async () => {
    server.use(...makeBackend(profiles.courier).handlers);
    renderApp('/invoice/list/');
    await screen.findByText('R-000023');
    expect(screen.queryByRole('link', { name: 'Nueva remesa' })).not.toBeInTheDocument();
    expect(screen.getByText('40.000,00')).toBeVisible();
    expect(screen.queryByText('Ganancia')).not.toBeInTheDocument();
  });

  it('give the manager no balance', async () => {
    server.use(...makeBackend(profiles.manager).handlers);
    renderApp('/invoice/list/');
    await screen.findByText('R-000023');
    expect(screen.queryByText('Saldo')).not.toBeInTheDocument();
  });

  it('log out to the login page', async () => {
    server.use(...makeBackend().handlers);
    const { router } = renderApp('/invoice/list/');
    await userEvent.click(await screen.findByRole('button', { name: /Menú de Luisa/ }));
    await userEvent.click(await screen.findByText('Cerrar sesión'));
    await screen.findByRole('button', { name: 'Entrar' });
    expect(router.state.location.pathname).toBe('/');
  });
});
