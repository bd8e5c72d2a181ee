// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { allSeen, keepNotices, keptNotices, withChange } from './noticeStore';

const change = (position: number, id: string, own = false) => ({ position, kind: 'remittance', id, own });

it('lists the latest change of each thing, newest first, and takes none twice', () => {
  let notices = keptNotices('t-1');
  for (const [position, id] of [
    [3, 'a'],
    [5, 'b'],
    [6, 'a'],
    [6, 'a'],
    [4, 'c'],
  ] as const)
    notices = withChange(notices, change(position, id));
  expect(notices.changes.map(({ position, id }) => [position, id])).toEqual([
    [6, 'a'],
    [5, 'b'],
  ]);
  expect(notices.told).toBe(6);
});

it('leaves out the user’s own actions, bulk actions included, also after a reload', () => {
  let notices = keptNotices('t-4');
  for (const [position, id, own] of [
    [1, 'a', false],
    [2, 'b', true],
    [3, 'c', true],
    [4, 'a', true],
  ] as const)
    notices = withChange(notices, change(position, id, own));
  keepNotices('t-4', notices);
  expect(keptNotices('t-4')).toMatchObject({ told: 4, changes: [change(1, 'a')] });
});

it('keeps the seen notices for the next visit, and ignores invalid stored data', () => {
  keepNotices('t-2', allSeen(withChange(keptNotices('t-2'), change(9, 'a'))));
  expect(keptNotices('t-2')).toMatchObject({ told: 9, seen: 9 });
  localStorage.setItem('caudal.news.t-3', '{"changes":1}');
  expect(keptNotices('t-3').changes).toEqual([]);
});
