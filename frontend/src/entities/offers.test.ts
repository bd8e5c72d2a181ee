import { expect, it } from 'vitest';
import type { Texts } from '~/shared/lib/texts';
import { mayEver, offered, offers } from './offers';

const row = {
  actions: [
    { action: 'edit', refusal: null },
    { action: 'delete', refusal: 'party_holds_cash' },
    { action: 'exchange', refusal: 'only_manager_exchanges' },
    { action: 'deposit', refusal: 'role_not_allowed' },
  ] as const,
};

const t = ((key: string) => key) as unknown as Texts;

it('offers permitted actions, explains refusals by the status, and hides those of other roles', () => {
  const buttons = (['edit', 'delete', 'exchange', 'deposit', 'pay'] as const).map((act) => ({ act }));
  expect(offered(t, row, buttons)).toEqual([
    { act: 'edit' },
    { act: 'delete', reason: 'entities:refused.holdsCash' },
  ]);
  expect(offers(row, 'delete')).toBe(false);
  expect(mayEver(row, 'delete')).toBe(true);
});
