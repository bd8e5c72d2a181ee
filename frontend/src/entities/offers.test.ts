import { expect, it } from 'vitest';
import { mayEver, offered, offers } from './offers';

const row = {
  actions: [
    { action: 'edit', refusal: null },
    { action: 'delete', refusal: 'party_holds_cash' },
    { action: 'exchange', refusal: 'only_manager_exchanges' },
    { action: 'deposit', refusal: 'role_not_allowed' },
  ] as const,
};

it('offers what the server takes, switches off what the state forbids, and hides what is never the reader’s', () => {
  const buttons = (['edit', 'delete', 'exchange', 'deposit', 'pay'] as const).map((act) => ({ act }));
  expect(offered(row, buttons)).toEqual([{ act: 'edit' }, { act: 'delete', disabled: true }]);
  expect(offers(row, 'delete')).toBe(false);
  expect(mayEver(row, 'delete')).toBe(true);
});
