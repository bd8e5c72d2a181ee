import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

/** Fills in the form of a sale of 100 USD from Ana to Berta, up to its quote. */
export async function fillSale(): Promise<void> {
  await userEvent.click(await screen.findByPlaceholderText(/Buscar emisor/));
  await userEvent.click(await screen.findByRole('option', { name: /Ana Pérez Gómez/ }));
  await userEvent.click(await screen.findByPlaceholderText(/Buscar destinatario/));
  await userEvent.click(await screen.findByRole('option', { name: /Berta Díaz Luna/ }));
  await userEvent.click(screen.getByRole('combobox', { name: /Grupo de pago/ }));
  await userEvent.click(await screen.findByRole('option', { name: /CUP domicilio/ }));
  await userEvent.type(screen.getByLabelText(/^Envía/), '100');
  await screen.findByText('Total a pagar');
}
