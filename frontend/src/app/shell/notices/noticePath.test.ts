import { describe, expect, it } from 'vitest';
import type { News, Role } from '~/api';
import { getProfile as ALL_ROLES } from '~/api/policy';
import { SCREENS } from '../../routes';
import { noticePath } from './noticePath';

const ME = 'p-1';
const KINDS: News['kind'][] = [
  'remittance',
  'movement',
  'closure',
  'rates',
  'api_key',
  'webhook',
  'party',
  'customer',
  'payment_group',
  'currency',
  'place',
  'tenant',
];
const news = (kind: News['kind'], more: Partial<News> = {}) =>
  ({ kind, id: 'x-1', name: 'C-000007', isVisible: true, customerType: null, ...more }) as News;
const path = (one: News, role: Role) => noticePath(one, { role, id: ME });

describe('where a notice leads', () => {
  it.each(ALL_ROLES)('%s is sent to no screen of others', (role) => {
    for (const kind of KINDS) {
      for (const id of ['x-1', ME]) {
        const to = path(news(kind, { id }), role);
        if (to === null) continue;
        const [address = ''] = to.split('?');
        const screen = SCREENS.find((one) => one.path.replace(/:\w+\??/, id) === address);
        expect([role, kind, screen?.roles.includes(role)]).toEqual([role, kind, true]);
      }
    }
  });

  it.each(['manager', 'agency', 'externalAgent'] as const)(
    'a closure opens for %s, by the parameter that its screen reads',
    (role) => {
      expect(path(news('closure'), role)).toBe('/accounting/closures/?closure=x-1');
    },
  );

  it('a party is shown where its reader has it: a user, an agent, a delivery man, or the own profile', () => {
    const party = news('party', { name: 'Luisa' });
    expect(path(party, 'manager')).toBe('/users/list/?query=Luisa');
    expect(path(party, 'agency')).toBe('/agent/form/x-1');
    expect(path(party, 'dealer')).toBe('/dealers?query=Luisa');
    expect(path(party, 'deliveryMan')).toBeNull();
    for (const role of ALL_ROLES) expect(path(news('party', { id: ME }), role)).not.toBeNull();
    expect(path(news('party', { id: ME }), 'deliveryMan')).toBe('/users/profile/');
  });

  it('leads nowhere once the record is gone or was never the reader’s', () => {
    expect(path(news('remittance', { isVisible: false }), 'manager')).toBeNull();
    expect(path(news('customer', { name: null }), 'manager')).toBeNull();
  });
});
