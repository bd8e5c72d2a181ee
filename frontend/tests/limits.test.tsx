/** Rules of limits on the screen: as sentences, made with what they need, and removed. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import type { LimitRule } from '~/api';
import { fillSale } from './fillSale';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/limits/LimitsPage'),
    import('~/features/remittances/create/NewRemittancePage'),
  ]);
}, READING_MS);

const rule: LimitRule = {
  id: 'rule-1',
  side: 'sender',
  window: 'days30',
  groups: [],
  amount: '3000.00',
  count: 10,
  outcome: 'needs',
  needs: ['document', 'source_of_funds'],
};

it('a rule reads as sentences, a new one is sent with what it needs, and one is removed', async () => {
  const sent: unknown[] = [];
  const backend = makeBackend(profiles.manager);
  server.use(
    http.get('*/api/nomenclators/payment_group', () =>
      HttpResponse.json({ data: [], currentPage: 1, totalPages: 1, totalRecords: 0 }),
    ),
    http.get('*/api/limit-rules', () => HttpResponse.json({ results: [rule] })),
    http.post('*/api/limit-rules', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(rule, { status: 201 });
    }),
    http.delete('*/api/limit-rules/:id', ({ params }) => {
      sent.push(params.id);
      return new HttpResponse(null, { status: 204 });
    }),
    ...backend.handlers,
  );
  renderApp('/limits/');
  const user = userEvent.setup();
  await screen.findByRole('heading', { name: 'Pedir algo' }, { timeout: 20_000 });
  await screen.findByText(
    'Lo que un mismo emisor suma en 30 días seguidos llega hasta 3.000,00 USD o 10 remesas. ' +
      'Una venta que lo supera necesita documento vigente y origen de los fondos.',
    {},
    { timeout: 20_000 },
  );

  await user.click(screen.getByRole('button', { name: 'Nueva regla' }));
  const form = await screen.findByRole('dialog', { name: 'Nueva regla' });
  await user.click(within(form).getByRole('button', { name: /Guardar/ }));
  await within(form).findByText('Escriba un importe, una cantidad o los dos');
  await user.type(within(form).getByLabelText(/Hasta este importe enviado/), '500');
  await user.click(within(form).getByRole('combobox', { name: /Qué pasa con la venta/ }));
  await user.click(await screen.findByRole('option', { name: 'Ponerla en revisión' }));
  await user.click(within(form).getByRole('button', { name: /Guardar/ }));
  await screen.findByText('Regla guardada');
  expect(sent[0]).toEqual({
    side: 'sender',
    window: 'days30',
    groups: [],
    amount: '500',
    count: null,
    outcome: 'hold',
    needs: [],
  });

  await user.click(screen.getByRole('button', { name: 'Quitar: Pedir algo' }));
  const dialog = await screen.findByRole('dialog', { name: 'Quitar la regla' });
  await user.click(within(dialog).getByRole('button', { name: 'Quitar' }));
  await screen.findByText('Regla quitada');
  expect(sent[1]).toBe('rule-1');
}, 60_000);

it('a changed rule is sent with what was shown, and what another changed meanwhile is told in words', async () => {
  const sent: unknown[] = [];
  const backend = makeBackend(profiles.manager);
  server.use(
    http.get('*/api/nomenclators/payment_group', () =>
      HttpResponse.json({ data: [], currentPage: 1, totalPages: 1, totalRecords: 0 }),
    ),
    http.get('*/api/limit-rules', () => HttpResponse.json({ results: [rule] })),
    http.put('*/api/limit-rules/:id', async ({ request }) => {
      sent.push(await request.json());
      if (sent.length > 1) return HttpResponse.json(rule);
      const told = (field: string, now: unknown) => ({
        field,
        code: 'changed_since_read',
        detail: 'Otra persona lo cambió.',
        now,
      });
      return HttpResponse.json(
        {
          type: 'urn:caudal:problem:changed_since_read',
          title: 'No',
          status: 409,
          code: 'changed_since_read',
          detail: 'Otra persona lo cambió.',
          errors: [told('count', 12), told('needs', ['document', 'purpose'])],
        },
        { status: 409 },
      );
    }),
    ...backend.handlers,
  );
  renderApp('/limits/');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Editar/ }, { timeout: 20_000 }));
  const form = await screen.findByRole('dialog', { name: 'Editar la regla' });
  const count = within(form).getByRole('textbox', { name: /Hasta esta cantidad de remesas/ });
  await user.clear(count);
  await user.type(count, '20');
  await user.click(within(form).getByRole('combobox', { name: /Qué se pide/ }));
  await user.click(await screen.findByRole('option', { name: 'documento vigente' }));
  await user.keyboard('{Escape}');
  await user.click(within(form).getByRole('button', { name: /Guardar/ }));
  await within(form).findByText(/Ahora dice «12»/);
  await within(form).findByText(/Ahora dice «documento vigente, /);
  await user.click(within(form).getByRole('button', { name: /Guardar/ }));
  await screen.findByText('Regla guardada');
  const mine = { count: 20, needs: ['source_of_funds'] };
  expect(sent).toEqual([
    { ...mine, was: { count: 10, needs: ['document', 'source_of_funds'] } },
    { ...mine, was: { count: 12, needs: ['document', 'purpose'] } },
  ]);
}, 60_000);

it('a sale beyond a limit asks for what it needs, and is sold with it', async () => {
  const backend = makeBackend();
  const needs = 'La venta necesita el propósito de la remesa.';
  server.use(
    http.post('*/api/remittances', async ({ request }) => {
      const body = (await request.clone().json()) as { purpose?: string };
      if (body.purpose) return;
      const problem = {
        type: 'urn:caudal:problem:invalid',
        title: 'No válido',
        status: 422,
        code: 'invalid',
        detail: 'Algunos datos no son válidos.',
        errors: [{ field: 'purpose', code: 'needs_purpose', detail: needs }],
      };
      return HttpResponse.json(problem, { status: 422 });
    }),
    ...backend.handlers,
  );
  renderApp('/invoice/new/');
  const user = userEvent.setup();
  await fillSale();
  expect(screen.queryByLabelText(/Propósito de la remesa/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Vender' }));
  const purpose = await screen.findByLabelText(/Propósito de la remesa/);
  expect(purpose).toHaveAccessibleDescription(needs);
  await user.type(purpose, 'Ayuda familiar');
  await user.click(screen.getByRole('button', { name: 'Vender' }));
  await user.click(await screen.findByRole('button', { name: 'Confirmar venta' }));
  expect(await screen.findByText('R-000500')).toBeVisible();
  const sent = backend.seen.filter(({ path, method }) => method === 'POST' && path.endsWith('/remittances'));
  expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ purpose: 'Ayuda familiar' })]);
}, 60_000);
