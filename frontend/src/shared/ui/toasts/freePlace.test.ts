import { describe, expect, it } from 'vitest';
import { freePlace } from './freePlace';

const WINDOW = { width: 1280, height: 720 };
const USUAL = { left: 884, top: 68, width: 380, height: 60 };

describe('the position of toasts', () => {
  it('is the top right if no button is there', () => {
    expect(freePlace(USUAL, WINDOW, [{ left: 20, top: 80, width: 200, height: 36 }])).toEqual(USUAL);
  });

  it('is below a button at the top right', () => {
    const button = { left: 1110, top: 76, width: 150, height: 36 };
    const { top, left } = freePlace(USUAL, WINDOW, [button]);
    expect(left).toBe(USUAL.left);
    expect(top).toBeGreaterThan(button.top + button.height);
    expect(top).toBeLessThan(button.top + button.height + 16);
  });

  it('is further left if buttons fill the right side', () => {
    const column = Array.from({ length: 15 }, (_, index) => ({
      left: 1200,
      top: 60 + index * 45,
      width: 32,
      height: 32,
    }));
    expect(freePlace(USUAL, WINDOW, column).left).toBe(694);
  });

  it('avoids content where there is room, and covers content rather than a button', () => {
    const text = { left: 900, top: 60, width: 360, height: 80 };
    expect(freePlace(USUAL, WINDOW, [], [text]).top).toBeGreaterThan(text.top + text.height);
    const all = { left: 0, top: 0, width: 1280, height: 720 };
    const button = { left: 1110, top: 76, width: 150, height: 36 };
    const place = freePlace(USUAL, WINDOW, [button], [all]);
    expect(place.top).toBeGreaterThan(button.top + button.height);
  });

  it('is the default one if every place is taken', () => {
    expect(freePlace(USUAL, WINDOW, [{ left: 0, top: 0, width: 1280, height: 720 }])).toEqual(USUAL);
  });
});
