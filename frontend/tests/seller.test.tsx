/** Whose name and telephone the ticket of a manager's sale has: the same as the receipt that the server makes. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Agency, Agent } from '~/api';
import { printTicket } from '~/features/remittances/ticket/printTicket';
import { fillSale } from './fillSale';
import { makeBackend } from './mocks/backend';
import { agencies, profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

// The ticket is in the page while it is printed.
vi.mock('~/features/remittances/ticket/printTicket', async (original) => ({
  ...(await original<object>()),
  printTicket: vi.fn(),
}));

const server = startServer();
const agency: Agency = { ...(agencies[0] as Agency), phone: '+13055550100' };
const AGENT: Agent = {
  ...agency,
  id: '00000000-0000-4000-8000-000000000501',
  name: 'Nora Núñez',
  phone: '+13055550177',
  agentType: 1,
  agencyId: agency.id,
  agencyName: agency.name,
};

/** Reading the screen's code takes a busy machine longer than a test may wait. */
const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([import('~/app/shell/Shell'), import('~/features/remittances/create/NewRemittancePage')]);
}, READING_MS);

/** The first two lines of the ticket of a sale that the manager makes for an agent. */
async function linesOfSaleBy(agent: Agent): Promise<(string | null)[]> {
  const list = (only: object) => () =>
    HttpResponse.json({ data: [only], currentPage: 1, recordsPerPage: 0, totalPages: 1, totalRecords: 1 });
  server.use(
    http.get('*/api/agency', list(agency)),
    http.get('*/api/agent', list(agent)),
    ...makeBackend(profiles.manager).handlers,
  );
  localStorage.setItem('caudal.lastSeller', `agent:${agent.id}`);
  const { unmount } = renderApp('/invoice/new/');
  await fillSale();
  await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Confirmar venta' }));
  await userEvent.click(await screen.findByRole('button', { name: /Imprimir ticket/ }));
  await waitFor(() => expect(printTicket).toHaveBeenCalled());
  const lines = [...(document.querySelector('[data-ticket]')?.children ?? [])];
  unmount();
  return lines.slice(0, 2).map((line) => line.textContent);
}

it('a sale for an agent of an agency names the agency', async () => {
  expect(await linesOfSaleBy(AGENT)).toEqual([agency.name, agency.phone]);
});

it('a sale for an agent without an agency names the agent', async () => {
  const alone = { ...AGENT, agencyId: null, agencyName: null };
  expect(await linesOfSaleBy(alone)).toEqual([AGENT.name, AGENT.phone]);
});
