export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Between the toasts and what they must not cover. */
const APART_PX = 4;
/** How finely a free place is looked for. */
const STEP_PX = 8;

const meet = (one: Box, other: Box) =>
  one.left < other.left + other.width + APART_PX &&
  other.left < one.left + one.width + APART_PX &&
  one.top < other.top + other.height + APART_PX &&
  other.top < one.top + one.height + APART_PX;

interface Size {
  width: number;
  height: number;
}

function placeOff(usual: Box, window: Size, taken: readonly Box[]): Box | null {
  for (let left = usual.left; left >= 0; left -= Math.max(usual.width / 2, STEP_PX)) {
    for (let top = usual.top; top + usual.height <= window.height; top += STEP_PX) {
      const place = { ...usual, left, top };
      if (!taken.some((box) => meet(place, box))) return place;
    }
  }
  return null;
}

/**
 * Where the toasts stand: at the usual place, else as near below it as they cover nothing that can be clicked or is to
 * be read, else further left. Where there is no such place they cover a text, and at the usual place a button.
 */
export function freePlace(usual: Box, window: Size, taken: readonly Box[], texts: readonly Box[] = []): Box {
  return placeOff(usual, window, [...taken, ...texts]) ?? placeOff(usual, window, taken) ?? usual;
}
