/** How dialogs are left: what was entered is asked for once, and the focus returns where it came from. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '~/api';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

/** Reading the screens' code takes a busy machine longer than a test may wait for its first row. */
const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/app/shell/palette/CommandPalette'),
    import('~/app/shell/palette/ShortcutSheet'),
    import('~/features/remittances/RemittancesPage'),
  ]);
}, READING_MS);

const UNSAVED = { name: 'Hay cambios sin guardar' };
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function openRow(profile: Profile = profiles.agency) {
  server.use(...makeBackend(profile).handlers);
  const { router } = renderApp('/invoice/list/?status=0');
  await userEvent.click(await screen.findByRole('button', { name: 'Abrir R-000020' }));
  await screen.findByRole('button', { name: 'Cancelar remesa' });
  return router;
}

describe('a dialog that asks for a reason', () => {
  const reason = () => screen.getByRole('textbox', { name: /Motivo/ });

  it('asks once before it closes by Escape, its cross or its Back button, and keeps the input', async () => {
    await openRow();
    await press('Cancelar remesa');
    const dialog = await screen.findByRole('dialog', { name: 'Cancelar la remesa' });
    await userEvent.type(reason(), 'a petición');
    const leave = [
      () => userEvent.keyboard('{Escape}'),
      () => userEvent.click(within(dialog).getByRole('button', { name: 'Cerrar' })),
      () => userEvent.click(within(dialog).getByRole('button', { name: 'Volver' })),
    ];
    for (const go of leave) {
      await go();
      const asked = await screen.findByRole('dialog', UNSAVED);
      await userEvent.click(within(asked).getByRole('button', { name: 'Volver' }));
      await waitFor(() => expect(screen.queryByRole('dialog', UNSAVED)).toBeNull());
      expect(reason()).toHaveValue('a petición');
    }
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Salir sin guardar' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is left without a question where nothing was typed', async () => {
    await openRow();
    await press('Cancelar remesa');
    await screen.findByRole('dialog', { name: 'Cancelar la remesa' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the focus returns', () => {
  const closes = async () => {
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };

  it('to the button that asked for a reason', async () => {
    await openRow();
    await press('Cancelar remesa');
    await screen.findByRole('dialog');
    await closes();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancelar remesa' })).toHaveFocus());
  });

  it('to the button of a remittance’s postings', async () => {
    await openRow(profiles.manager);
    const button = await screen.findByRole('button', { name: 'Asientos contables' });
    server.use(http.get('*/api/accounting/entries', () => HttpResponse.json({ data: [], totalRecords: 0 })));
    await userEvent.click(button);
    await screen.findByRole('dialog');
    await closes();
    await waitFor(() => expect(button).toHaveFocus());
  });

  it('to where the palette and the sheet of keys were called from', async () => {
    await openRow();
    const row = screen.getByRole('button', { name: 'Abrir R-000020' });
    for (const keys of ['{Control>}k{/Control}', '{Control>}/{/Control}']) {
      row.focus();
      await userEvent.keyboard(keys);
      await screen.findByRole('dialog');
      await closes();
      await waitFor(() => expect(row).toHaveFocus());
    }
  });

  it('to the menu that a view was named from', async () => {
    await openRow();
    await press('Vistas guardadas');
    await userEvent.click(await screen.findByRole('menuitem', { name: /Guardar/ }));
    await screen.findByRole('dialog');
    await closes();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Vistas guardadas' })).toHaveFocus());
  });
});
