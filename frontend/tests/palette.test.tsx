/** What the palette finds leads to where it is. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, expect, it } from 'vitest';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/app/shell/palette/CommandPalette'),
    import('~/features/dealers/DealersPage'),
    import('~/features/users/ProfilePage'),
  ]);
}, READING_MS);

it.each([
  ['Yoel Castro', 'a delivery man'],
  ['Reparto Matanzas', 'a dealer'],
])(
  'finds %s, %s, whose row is there',
  async (name) => {
    const none = { data: [], totalRecords: 0, totalPages: 0, currentPage: 1, itemsPerPage: 6 };
    server.use(
      ...makeBackend(profiles.manager).handlers,
      http.get('*/api/sources/movements', () => HttpResponse.json(none)),
    );
    const { router } = renderApp('/users/profile/');
    await screen.findByRole('button', { name: /^Menú de / });
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox', { name: 'Buscar e ir a' }), name);
    await userEvent.click(await screen.findByRole('option', { name }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dealers'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findAllByText(name)).not.toHaveLength(0);
  },
  60_000,
);

it('finds a movement by its number, which is opened', async () => {
  const number = 'M-000012';
  const movements = [{ id: 'm-12', number }];
  const page = { data: movements, totalRecords: 1, totalPages: 1, currentPage: 1, itemsPerPage: 6 };
  server.use(
    ...makeBackend(profiles.manager).handlers,
    http.get('*/api/sources/movements', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get('query') === number ? page : { ...page, data: [] },
      ),
    ),
  );
  const { router } = renderApp('/users/profile/');
  await screen.findByRole('button', { name: /^Menú de / });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByRole('combobox', { name: 'Buscar e ir a' }), number);
  const found = await screen.findByRole('option', { name: number });
  // The screen itself is another test's.
  server.use(http.get('*/api/sources/movements', () => HttpResponse.json({ ...page, data: [] })));
  await userEvent.click(found);
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe(
      `/balances/movements/?query=${number}&open=m-12`,
    ),
  );
}, 60_000);
