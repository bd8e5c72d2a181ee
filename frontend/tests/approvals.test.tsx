/** Proposals on the screen: approved with figures that changed, rejected, several at once; and a form whose command waits. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type { Proposal } from '~/api';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/approvals/ApprovalsPage'),
    import('~/features/approvals/RulesPage'),
    import('~/shared/ui/FiguresChanged'),
  ]);
}, READING_MS);

const proposal = (id: string, maker: string): Proposal => ({
  id,
  kind: 'assignment_on_credit',
  maker: { id: `m-${id}`, name: maker },
  makerType: 5,
  concerns: { id: `a-${id}`, name: 'Envíos Miami' },
  approvers: 'manager',
  recordType: 'movement',
  recordId: `r-${id}`,
  amount: '10.00',
  figures: {
    payout: '3200.00',
    payoutCurrency: 'CUP',
    totalToPay: '10.00',
    totalCurrency: 'USD',
    exchangeRate: '320',
  },
  transfers: [],
  created: '2026-11-21T14:00:00Z',
  expiresAt: '2026-11-22T14:00:00Z',
  status: 'waiting',
  decidedAt: null,
  decidedBy: null,
  number: null,
  reason: null,
  mayDecide: true,
  mayWithdraw: false,
});

/** A server with proposals that wait; `approve` answers approvals. */
function waiting(names: string[], approve: (id: string, body: unknown) => Response) {
  const backend = makeBackend(profiles.manager);
  const rows = names.map((name, at) => proposal(`p${at + 1}`, name));
  const rejected: unknown[] = [];
  server.use(
    http.get('*/api/proposals', () =>
      HttpResponse.json({
        data: rows,
        itemsPerPage: 10,
        currentPage: 1,
        totalPages: 1,
        totalRecords: rows.length,
      }),
    ),
    http.get('*/api/proposals/:id', ({ params }) =>
      HttpResponse.json({ ...rows.find(({ id }) => id === params.id), command: null }),
    ),
    http.post('*/api/proposals/:id/approve', async ({ request, params }) => {
      if (new URL(request.url).searchParams.get('preview') === 'true') {
        return HttpResponse.json({
          approval: null,
          figures: null,
          remainingBalance: null,
          status: null,
          transfers: [],
          warnings: [],
        });
      }
      return approve(String(params.id), await request.json());
    }),
    http.post('*/api/proposals/:id/reject', async ({ request, params }) => {
      rejected.push(await request.json());
      return HttpResponse.json(rows.find(({ id }) => id === params.id));
    }),
    ...backend.handlers,
  );
  return { backend, rows, rejected };
}

const now = {
  payout: '3100.00',
  payoutCurrency: 'CUP',
  totalToPay: '10.00',
  totalCurrency: 'USD',
  exchangeRate: '310',
  totalFee: null,
};

it('an approver sees both figures where they changed, and confirms the present ones', async () => {
  const sent: unknown[] = [];
  const { rows } = waiting(['Ana'], (_, body) => {
    sent.push(body);
    if (sent.length > 1) return HttpResponse.json(rows[0]);
    const problem = { code: 'quote_changed', title: 'x', figures: now, proposed: rows[0]?.figures };
    return HttpResponse.json(problem, { status: 409 });
  });
  renderApp('/approvals/?proposal=p1');
  const user = userEvent.setup();
  const dialog = await screen.findByRole('dialog', { name: 'Propuesta' }, { timeout: 20_000 });
  await user.click(await within(dialog).findByRole('button', { name: 'Aprobar' }));
  const asked = await screen.findByRole('dialog', { name: 'Aprobar la propuesta' });
  await user.click(within(asked).getByRole('button', { name: 'Aprobar' }));
  const changed = await within(asked).findByRole('alert');
  await waitFor(() => expect(changed.textContent?.replace(/\s/g, ' ')).toContain('3.200,00'));
  expect(changed.textContent).toContain('3.100,00');
  await user.click(within(changed).getByRole('button', { name: 'Confirmar las cifras de ahora' }));
  await waitFor(() => expect(sent).toEqual([{}, { expected: { payout: '3100.00', totalToPay: '10.00' } }]));
}, 60_000);

it('a rejection needs a reason', async () => {
  const { rejected } = waiting(['Ana'], () => HttpResponse.error());
  renderApp('/approvals/?proposal=p1');
  const user = userEvent.setup();
  const dialog = await screen.findByRole('dialog', { name: 'Propuesta' }, { timeout: 20_000 });
  await user.click(await within(dialog).findByRole('button', { name: 'Rechazar' }));
  const asked = await screen.findByRole('dialog', { name: 'Rechazar la propuesta' });
  await user.click(within(asked).getByRole('button', { name: 'Rechazar' }));
  expect(rejected).toEqual([]);
  await user.type(within(asked).getByRole('textbox'), 'Debe lo anterior');
  await user.click(within(asked).getByRole('button', { name: 'Rechazar' }));
  await waitFor(() => expect(rejected).toEqual([{ reason: 'Debe lo anterior' }]));
}, 60_000);

it('several are approved at once, and each is answered by itself', async () => {
  const { rows, backend } = waiting(['Ana', 'Berta'], (id) =>
    id === 'p1'
      ? HttpResponse.json(rows[0])
      : backend.problem(409, 'proposal_not_waiting', 'La propuesta ya no espera.'),
  );
  renderApp('/approvals/');
  const user = userEvent.setup();
  for (const name of ['Ana', 'Berta']) {
    const box = await screen.findByRole(
      'checkbox',
      { name: `Elegir Saldo a crédito · Envíos Miami · ${name}` },
      { timeout: 20_000 },
    );
    await user.click(box);
  }
  expect(screen.getByRole('link', { name: '2 propuestas esperan' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Aprobar 2' }));
  const dialog = await screen.findByRole('dialog', { name: 'Aprobar propuestas: 2' });
  await user.click(within(dialog).getByRole('button', { name: 'Aprobar' }));
  await within(dialog).findByText('La propuesta ya no espera.');
  const [ana, berta] = within(dialog).getAllByRole('listitem');
  expect(ana?.textContent).toContain('Aprobada');
  expect(berta?.textContent).toContain('Sin aprobar');
}, 60_000);

it('a form whose command waits says so, with the way to the proposal, and is not sent again', async () => {
  let sent = 0;
  const backend = makeBackend(profiles.manager);
  server.use(
    http.get('*/api/approval-rules', () =>
      HttpResponse.json({
        results: [
          {
            id: 'rule-1',
            kind: 'approval_rules',
            makers: ['manager'],
            fromAmount: null,
            approvers: 'manager',
            expiresAfterHours: 24,
            warnings: [],
          },
        ],
      }),
    ),
    http.delete('*/api/approval-rules/:id', () => {
      sent += 1;
      return HttpResponse.json(proposal('p9', 'Ana'), { status: 202 });
    }),
    ...backend.handlers,
  );
  renderApp('/approvals/rules/');
  const user = userEvent.setup();
  await screen.findByText(
    'Cuando lo hace un gerente, lo aprueba un gerente en 24 horas.',
    {},
    { timeout: 20_000 },
  );
  await user.click(screen.getByRole('button', { name: 'Quitar: Cambio de las reglas de aprobación' }));
  const dialog = await screen.findByRole('dialog', { name: 'Quitar la regla' });
  await user.click(within(dialog).getByRole('button', { name: 'Quitar' }));
  await within(dialog).findByText('Espera aprobación');
  expect(within(dialog).getByRole('link', { name: 'Ver la propuesta' }).getAttribute('href')).toBe(
    '/approvals/?proposal=p9',
  );
  expect(screen.queryByText('Regla quitada')).toBeNull();
  const button = within(dialog).queryByRole('button', { name: 'Quitar' });
  if (button) await user.click(button);
  expect(sent).toBe(1);
}, 60_000);

const caughtRow = {
  position: 41,
  at: '2026-11-20T14:00:00Z',
  maker: { id: 'm-1', name: 'Ana Paz', userType: 1 },
  recordType: 'movement',
  recordId: 'r-1',
  recordName: 'M-000012',
  amount: '20.00',
};

it('the form of a rule shows what it would have held back, nothing found, a cut, and a failure', async () => {
  const asked: string[] = [];
  const backend = makeBackend(profiles.manager);
  server.use(
    http.get('*/api/approval-rules/caught', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const from = Number(searchParams.get('fromAmount') ?? 0);
      if (from === 7) return backend.problem(503, 'busy', 'El servidor está ocupado.');
      const none = from === 5000;
      return HttpResponse.json({
        since: '2026-11-21T14:00:00Z',
        isCutOff: from === 0,
        count: none ? 0 : 30,
        sum: none ? '0.00' : '640.00',
        pageSize: 20,
        results: none ? [] : [caughtRow],
      });
    }),
    http.get('*/api/approval-rules', () => HttpResponse.json({ results: [] })),
    ...backend.handlers,
  );
  renderApp('/approvals/rules/');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Nueva regla' }, { timeout: 20_000 }));
  const dialog = await screen.findByRole('dialog', { name: 'Nueva regla' });
  const title = 'Lo que habría retenido en los últimos 30 días';
  expect(within(dialog).queryByRole('region', { name: title })).toBeNull();
  await user.click(within(dialog).getByRole('combobox', { name: 'Qué se propone' }));
  await user.click(await screen.findByRole('option', { name: 'Saldo a crédito' }));
  await user.click(within(dialog).getByRole('combobox', { name: 'Cuando lo hace' }));
  await user.click(await screen.findByRole('option', { name: 'un gerente' }));
  const caught = await within(dialog).findByRole('region', { name: title });
  await within(caught).findByText('30 órdenes');
  expect(caught.textContent).toContain('640,00');
  expect(caught.textContent).toContain('M-000012');
  expect(caught.textContent).toContain('Había demasiado que mirar');
  expect(caught.textContent).toContain('Se muestran las 20 más recientes.');
  const amount = within(dialog).getByRole('textbox', { name: 'Desde este importe' });
  await user.type(amount, '5000');
  await within(caught).findByText('Nada');
  await user.clear(amount);
  await user.type(amount, '7');
  await within(caught).findByText('El servidor está ocupado.');
  expect(asked.length).toBeLessThanOrEqual(6);
}, 60_000);

it('a proposal is told in words: what is done, with what its maker typed, and whom it concerns', async () => {
  waiting(['Ana'], () => HttpResponse.error());
  server.use(
    http.get('*/api/proposals/:id', () =>
      HttpResponse.json({
        ...proposal('p1', 'Ana'),
        command: { command: 'deposit', id: 'x', deposit: { amount: '3200.00', note: 'Semana 19' } },
        transfers: [
          {
            code: 'assignment',
            amount: '3200.00',
            currency: 'CUP',
            debit: { kind: 'treasury', owner: null, paymentGroupId: null },
            credit: { kind: 'balance', owner: { id: 'a-p1', name: 'Envíos Miami' }, paymentGroupId: 'g' },
          },
        ],
      }),
    ),
  );
  renderApp('/approvals/?proposal=p1');
  const dialog = await screen.findByRole('dialog', { name: 'Propuesta' }, { timeout: 20_000 });
  await within(dialog).findByText('Asigna saldo o efectivo');
  expect(within(dialog).getByText('Semana 19')).toBeTruthy();
  expect(within(dialog).getByText('Envíos Miami')).toBeTruthy();
  expect(dialog.textContent).not.toContain('deposit');
}, 60_000);

it('a proposal to remove a rule says which one', async () => {
  waiting(['Ana'], () => HttpResponse.error());
  let command: unknown = { command: 'removeApprovalRule', id: 'rule-1' };
  server.use(
    http.get('*/api/proposals/:id', () => HttpResponse.json({ ...proposal('p1', 'Ana'), command })),
    http.get('*/api/approval-rules', () =>
      HttpResponse.json({
        results: [
          {
            id: 'rule-1',
            kind: 'expense',
            makers: ['agency'],
            fromAmount: '500.00',
            approvers: 'manager',
            expiresAfterHours: 24,
            warnings: [],
          },
        ],
      }),
    ),
    http.get('*/api/limit-rules', () =>
      HttpResponse.json({
        results: [
          {
            id: 'limit-1',
            side: 'sender',
            window: 'days30',
            groups: [],
            amount: '3000.00',
            count: null,
            outcome: 'hold',
            needs: [],
          },
        ],
      }),
    ),
  );
  const { unmount } = renderApp('/approvals/?proposal=p1');
  const dialog = await screen.findByRole('dialog', { name: 'Propuesta' }, { timeout: 20_000 });
  await within(dialog).findByText(/Cuando lo hace una agencia, desde 500,00 USD/);
  unmount();
  command = { command: 'removeLimitRule', id: 'limit-1' };
  renderApp('/approvals/?proposal=p1');
  const again = await screen.findByRole('dialog', { name: 'Propuesta' }, { timeout: 20_000 });
  await within(again).findByText('Ponerla en revisión');
  expect(again.textContent).toContain('Quita una regla de límites');
  expect(again.textContent).toContain('3000.00');
}, 60_000);
