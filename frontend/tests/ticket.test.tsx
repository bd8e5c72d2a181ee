/** What the ticket of a sale says: the printer has it as plain lines, one below the other. */
import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { loadTexts } from '~/app/texts';
import { Ticket, type TicketFacts } from '~/features/remittances/ticket/Ticket';

const SALE: TicketFacts = {
  code: 'R-000123',
  created: '2026-11-21T19:05:00Z',
  seller: 'Envíos Miami',
  sellerPhone: '+13055550100',
  sender: 'Ana Pérez',
  recipient: 'Berta Luna',
  recipientPhone: '+5352345678',
  method: 'home',
  payout: '31850.00',
  currencyTo: 'CUP',
  amount: '100.00',
  fees: '5.00',
  total: '105.00',
};

beforeAll(() => loadTexts(['entities', 'remittances']));

/** The texts of a ticket's lines, from the top. */
function linesOf(facts: TicketFacts): string[] {
  const { unmount } = render(
    <MantineProvider env="test">
      <Ticket facts={facts} zone="America/Havana" />
    </MantineProvider>,
  );
  const ticket = document.querySelector('[data-ticket]');
  const lines = [...(ticket?.querySelectorAll(':scope > :not(dl), dl > div') ?? [])];
  const texts = lines.map((line) => [...line.childNodes].map((part) => part.textContent).join(': '));
  unmount();
  return texts;
}

it('names the seller with its telephone above the sale', () => {
  expect(linesOf(SALE)).toEqual([
    'Envíos Miami',
    '+13055550100',
    '21 nov 2026, 14:05',
    'R-000123',
    'Emisor: Ana Pérez',
    'Destinatario: Berta Luna',
    'Teléfono: +5352345678',
    'Forma de entrega: Domicilio',
    'Importe: 100,00 USD',
    'Comisiones: 5,00 USD',
    'Total a pagar: 105,00 USD',
    'Recibe: 31.850,00 CUP',
    'Presente este código para consultar o recibir la remesa.',
  ]);
});

it('has neither an empty line nor a label for a telephone that nobody knows', () => {
  const lines = linesOf({ ...SALE, sellerPhone: null, recipientPhone: null });
  expect(lines.slice(0, 3)).toEqual(['Envíos Miami', '21 nov 2026, 14:05', 'R-000123']);
  expect(lines.join()).not.toContain('Teléfono');
  expect(lines).not.toContain('');
});
