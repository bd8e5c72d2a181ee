import { render } from '@testing-library/react';
import { setupServer } from 'msw/node';
import { createMemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { closeSession, openSession } from '~/api/session';
import { App } from '~/app/App';
import { findScreens, routes } from '~/app/router';
import { startTexts } from '~/app/texts';

/** The network of a test file; handlers are given per test. */
export function startServer() {
  const server = setupServer();
  beforeAll(async () => {
    await startTexts();
    // jsdom's fetch needs absolute addresses; msw matches on any origin.
    server.listen({ onUnhandledRequest: 'error' });
  });
  afterEach(() => {
    server.resetHandlers();
    // As by a logout: no page stays.
    closeSession(null);
  });
  afterAll(() => server.close());
  return server;
}

/** The whole application at an address, with somebody logged in. */
export function renderApp(path: string, loggedIn = true) {
  if (loggedIn) openSession('token-1', 900);
  const router = createMemoryRouter(routes, {
    initialEntries: [path],
    patchRoutesOnNavigation: findScreens,
  });
  return { router, ...render(<App router={router} env="test" />) };
}
