/** Back closes the topmost dialog and stays on the screen: every dialog is a step of the history. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillSale } from './fillSale';
import { makeBackend } from './mocks/backend';
import { agencies, profiles } from './mocks/data';
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
    import('~/features/remittances/create/NewRemittancePage'),
    import('~/features/users/ProfilePage'),
  ]);
}, READING_MS);

type Router = ReturnType<typeof renderApp>['router'];

/** Goes back with a dialog open: it closes, and the screen stays. */
async function backCloses(router: Router, dialog?: string) {
  await screen.findByRole('dialog', dialog ? { name: dialog } : {});
  // The step is made a moment after the dialog.
  await act(() => new Promise((done) => setTimeout(done, 20)));
  const here = router.state.location.pathname;
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.pathname).toBe(here);
}

/** A screen with another one before it, where Back would lead. */
async function open(path: string) {
  const { router } = renderApp('/users/profile/');
  await screen.findByRole('button', { name: /^Menú de / });
  await act(() => router.navigate(path));
  return router;
}

it('the palette and the sheet of keys', async () => {
  server.use(...makeBackend().handlers);
  const router = await open('/invoice/list/');
  await screen.findByText('R-000023');
  for (const keys of ['{Control>}k{/Control}', '{Control>}/{/Control}']) {
    await userEvent.keyboard(keys);
    await backCloses(router);
  }
}, 60_000);

it('the palette’s way to a screen is one step: Back returns from it', async () => {
  server.use(...makeBackend().handlers);
  const router = await open('/invoice/list/');
  await screen.findByText('R-000023');
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByRole('combobox', { name: 'Buscar e ir a' }), 'perfil');
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/profile/'));
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.pathname).toBe('/invoice/list/'));
  await act(() => router.navigate(-1));
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/profile/'));
}, 60_000);

it('the naming of a view', async () => {
  server.use(...makeBackend().handlers);
  const router = await open('/invoice/list/');
  await userEvent.click(await screen.findByRole('button', { name: 'Vistas guardadas' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /Guardar/ }));
  await backCloses(router);
}, 60_000);

it('the confirmation of a sale, which stays typed', async () => {
  server.use(...makeBackend(profiles.agency).handlers);
  const router = await open('/invoice/new/');
  await fillSale();
  await userEvent.click(screen.getByRole('button', { name: 'Vender' }));
  await backCloses(router, 'Vender la remesa');
  expect(screen.getByLabelText(/^Envía/)).toHaveValue('100');
}, 60_000);

it('the notice that a seller owes nothing', async () => {
  const none = { data: [], totalRecords: 0, totalPages: 0, currentPage: 1, itemsPerPage: 10 };
  server.use(
    ...makeBackend(profiles.manager).handlers,
    http.get('*/api/sources/debits', () => HttpResponse.json(none)),
  );
  const { PayDialog } = await import('~/entities/balances/PayDialog');
  const { createMemoryRouter, RouterProvider } = await import('react-router');
  const { Provider } = await import('react-redux');
  const { MantineProvider } = await import('@mantine/core');
  const { render } = await import('@testing-library/react');
  const { makeStore } = await import('~/app/store');
  const { openSession } = await import('~/api/session');
  const { useState } = await import('react');
  openSession('token-1', 900);
  function Page() {
    const [opened, setOpened] = useState(true);
    const [agency] = agencies;
    if (!opened || !agency) return <p>cerrado</p>;
    const party = { id: agency.id, name: agency.name, userType: 4 } as never;
    return <PayDialog row={{ party }} onClose={() => setOpened(false)} />;
  }
  const router = createMemoryRouter(
    [
      { path: '/before', element: <p>antes</p> },
      { path: '/here', element: <Page /> },
    ],
    { initialEntries: ['/before', '/here'] },
  );
  render(
    <Provider store={makeStore()}>
      <MantineProvider env="test">
        <RouterProvider router={router} useTransitions={false} />
      </MantineProvider>
    </Provider>,
  );
  await backCloses(router as Router);
  expect(screen.getByText('cerrado')).toBeVisible();
  expect(within(document.body).queryByText('antes')).toBeNull();
}, 60_000);

describe('by rule', () => {
  const sources = import.meta.glob<string>(['../src/**/*.tsx', '!../src/**/*.test.tsx'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const files = Object.entries(sources).map(([path, text]) => ({ name: path.replace('../src/', ''), text }));
  const having = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  it('every dialog is a Dialog, and so a step of the history', () => {
    expect(having(/<(Modal|Drawer)\b/)).toEqual(['shared/ui/Dialog.tsx']);
    expect(having(/\srole=["{']+(alert)?dialog/)).toEqual([]);
  });

  it('a dialog without a step of its own has that of its way out, or asks whether to leave', () => {
    const without = having(/step=\{false\}/).sort();
    expect(without).toEqual([
      'entities/money/ReviewedModal.tsx',
      'features/auth/LogInAgain.tsx',
      'shared/ui/form/FormConfirm.tsx',
      'shared/ui/form/FormModal.tsx',
      'shared/ui/form/UnsavedGuard.tsx',
      'shared/ui/form/useWayOut.tsx',
    ]);
    // Over a page with unsaved changes, whose guard asks before a step back.
    const again = 'features/auth/LogInAgain.tsx';
    const questions = [again, 'shared/ui/form/UnsavedGuard.tsx', 'shared/ui/form/useWayOut.tsx'];
    const ownWay = having(/useWayOut\(/).filter((name) => !questions.includes(name));
    expect(ownWay.sort()).toEqual(without.filter((name) => !questions.includes(name)));
  });
});
