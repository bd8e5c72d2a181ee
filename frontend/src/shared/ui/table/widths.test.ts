import { describe, expect, it } from 'vitest';
import { closer, shareWidth, trackOf } from './widths';

const text = trackOf(undefined);
const figure = trackOf({ align: 'right' });
const actions = trackOf({ card: 'actions', buttons: 2 });
const sum = (widths: number[]) => widths.reduce((all, one) => all + one, 0);

describe('column widths', () => {
  it('fill the table, with no spare width for button columns', () => {
    const widths = shareWidth([text, figure, actions], [], 1000);
    expect(sum(widths)).toBeGreaterThan(996);
    expect(sum(widths)).toBeLessThanOrEqual(1000);
    expect(widths[2]).toBe(actions.ideal);
  });

  it('shrink to their minimum before the table is wider than its frame', () => {
    const tracks = [text, text, figure];
    expect(sum(shareWidth(tracks, [], 350))).toBeLessThanOrEqual(350);
    expect(shareWidth(tracks, [], 10)).toEqual(tracks.map(({ least }) => least));
  });

  it('grow for a wide figure, at the cost of the others', () => {
    const [first, second] = shareWidth([text, figure], [0, 190], 300);
    expect(second).toBe(190);
    expect(first).toBe(110);
  });

  it('depend on the usual length of each kind of text: a badge takes no width from an e-mail address', () => {
    const [email, mark] = shareWidth([trackOf({ holds: 'email' }), trackOf({ holds: 'mark' })], [], 400);
    expect(mark).toBe(88);
    expect(email).toBe(312);
  });

  it('leave room for the head of the actions where a row has one', () => {
    expect(trackOf({ card: 'actions', buttons: 1 }).ideal).toBe(92);
  });

  it('are smaller with reduced padding', () => {
    const tracks = [text, figure, actions];
    const usual = shareWidth(tracks, [], 1);
    const close = shareWidth(tracks.map(closer), [], 1);
    expect(sum(usual) - sum(close)).toBe(3 * 8);
  });

  it('are ideal until the frame is measured', () => {
    expect(shareWidth([text, figure], [], 0)).toEqual([text.ideal, figure.ideal]);
  });
});
