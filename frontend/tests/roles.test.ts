import { expect, it } from 'vitest';
import { SCREENS } from '~/app/routes';
import contract from '../openapi.json';

/** Every source of the interface but tests and what the contract generates. */
const sources = Object.entries(
  import.meta.glob<string>(['../src/**/*.{ts,tsx}', '!../src/**/*.test.*', '!../src/api/policy.ts'], {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
);

const ROLE = "'(?:manager|agency|externalAgent|internalAgent|dealer|deliveryMan)'";
/** Several roles in a row, or one as somebody's roles. */
const LIST = new RegExp(`\\[${ROLE},\\s*${ROLE}|roles: \\[|readonly Role\\[\\] = \\[`);

it('lists of roles stand in the policy alone', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter(([, source]) => LIST.test(source)).map(([file]) => file)).toEqual([]);
});

it('every screen is for somebody, and for nobody whom the policy does not name', () => {
  const named = Object.values(contract.paths).flatMap((path) =>
    Object.values(path as Record<string, { 'x-roles'?: string[] }>).flatMap((call) => call['x-roles'] ?? []),
  );
  const camel = (role: string) => role.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const roles = new Set(named.map(camel));
  expect(roles.size).toBe(6);
  for (const screen of SCREENS) {
    expect(screen.roles.length, screen.path).toBeGreaterThan(0);
    for (const role of screen.roles) expect(roles.has(role), screen.path).toBe(true);
  }
});
