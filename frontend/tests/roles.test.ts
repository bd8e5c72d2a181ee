import { expect, it } from 'vitest';
import { SCREENS } from '~/app/routes';
import contract from '../openapi.json';

/** Every source of the interface but tests and what the contract generates. */
const sources = Object.entries(
  import.meta.glob<string>(['../src/**/*.{ts,tsx}', '!../src/**/*.test.*', '!../src/api/{policy,kinds}.ts'], {
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

/** Where it matters who somebody is, not what he may call: a comparison with a role stands in no other file. */
const WHO: Record<string, string> = {
  '../src/api/office.ts': 'a permission set narrows managers alone',
  '../src/app/shell/BalanceBar.tsx': 'a manager has no balance; whose commission a seller earns',
  '../src/features/balances/dialogs/TransferDialog.tsx':
    'a delivery man gives cash back to his dealer, and the manager to any',
  '../src/features/dashboard/HomePage.tsx': 'where a login leads; an agency asks for its own figures',
  '../src/features/dashboard/SalesHome.tsx': 'an agency sees its own figures',
  '../src/features/dashboard/SellersPanel.tsx':
    'an agency’s sellers are its agents, the manager’s are agencies',
  '../src/features/delivery/DeliveryPage.tsx':
    'a dealer’s round has his own rows and those of his delivery men',
  '../src/features/imports/MappingForm.tsx': 'a manager imports for others, and nobody else does',
  '../src/features/remittances/RemittancesPage.tsx':
    'the manager assigns to dealers, a dealer to his delivery men',
  '../src/features/remittances/bulk/BulkAssignDialog.tsx': 'a dealer assigns to his delivery men',
  '../src/features/remittances/columns.tsx': 'a delivery man’s rows are all his own',
  '../src/features/remittances/create/useSeller.ts': 'a manager sells for others, and nobody else does',
  '../src/features/remittances/dialogs/AssignDialog.tsx': 'a dealer assigns to his delivery men',
  '../src/features/users/UtilitiesPage.tsx': 'an agency’s own terms, or an external agent’s',
};
const COMPARED = new RegExp(`\\brole [!=]== ${ROLE}`);

it('a role is compared only where it matters who somebody is', () => {
  const files = sources.filter(([, source]) => COMPARED.test(source)).map(([file]) => file);
  expect(files.toSorted()).toEqual(Object.keys(WHO).toSorted());
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
