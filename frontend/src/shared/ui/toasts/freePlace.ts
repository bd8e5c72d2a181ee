export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Gap between the toasts and the elements that they must not cover. */
const APART_PX = 4;
/** Step of the search for a free place. */
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
 * The position of the toasts: the default one, else the nearest below it that covers no clickable element and no text
 * to be read, else further left. If there is no such place, they
 * cover text but no button; if that is impossible too, they stay at the default place.
 */
export function freePlace(usual: Box, window: Size, taken: readonly Box[], texts: readonly Box[] = []): Box {
  return placeOff(usual, window, [...taken, ...texts]) ?? placeOff(usual, window, taken) ?? usual;
}
