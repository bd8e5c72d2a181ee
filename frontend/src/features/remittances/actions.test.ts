import { expect, it } from 'vitest';
import { remittance } from '../../../tests/mocks/data';
import { offered, refused } from './actions';

it('offers permitted actions, and explains only refusals by the status', () => {
  const row = remittance(1, {
    actions: [
      { action: 'assign', refusal: null },
      { action: 'cancel', refusal: 'only_manager_in_this_status' },
      { action: 'complete', refusal: 'role_not_allowed' },
    ],
  });
  expect(offered(row)).toEqual(['assign']);
  expect(refused(row)).toEqual([{ action: 'cancel', code: 'only_manager_in_this_status' }]);
});
