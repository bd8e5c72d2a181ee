// @vitest-environment jsdom
/** A visit to a screen without a session is sent to the login before shell and screen are loaded. */
import { afterEach, expect, it, vi } from 'vitest';

const loaded = vi.hoisted(() => [] as string[]);
vi.mock('~/app/screenRoutes', () => {
  loaded.push('screens');
  return { screenRoutes: [{ path: '/invoice/list/', element: null }] };
});
vi.mock('~/app/shell/Shell', () => {
  loaded.push('shell');
  return { Shell: () => null };
});

/** The router of a page that is opened at an address. */
async function visit(address: string) {
  vi.resetModules();
  window.history.replaceState(null, '', address);
  const { router } = await import('~/app/router');
  await vi.waitFor(() => expect(router.state.initialized).toBe(true));
  return router.state.location;
}

afterEach(() => {
  loaded.length = 0;
  localStorage.clear();
});

it('a screen without a session is the login, which knows where to lead back', async () => {
  const { pathname, state } = await visit('/invoice/list/?status=2');
  expect({ pathname, state }).toEqual({ pathname: '/', state: { from: '/invoice/list/?status=2' } });
  expect(loaded).toEqual([]);
});

it.each(['/', '/users/password/forgot/', '/users/password/reset/?email=a%40b.test'])(
  'a page without login stays: %s',
  async (address) => {
    const { pathname, search } = await visit(address);
    expect(pathname + search).toBe(address);
    expect(loaded).toEqual([]);
  },
);

it('a screen with a remembered session is loaded', async () => {
  localStorage.setItem('caudal.session', '1');
  const { pathname } = await visit('/invoice/list/?status=2');
  expect(pathname).toBe('/invoice/list/');
  expect(loaded.toSorted()).toEqual(['screens', 'shell']);
});

it('a remembered session that has ended meanwhile leads to the login although its screen never arrives', async () => {
  localStorage.setItem('caudal.session', '1');
  vi.resetModules();
  window.history.replaceState(null, '', '/reports/agency/');
  vi.doMock('~/app/screenRoutes', () => new Promise(() => undefined));
  const { router } = await import('~/app/router');
  const { closeSession } = await import('~/api/session');
  closeSession();
  await vi.waitFor(() => expect(router.state.initialized).toBe(true));
  expect(router.state.location.pathname).toBe('/');
  expect(router.state.location.state).toEqual({ from: '/reports/agency/', whose: null });
});
