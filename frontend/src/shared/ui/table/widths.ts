import type { ColumnMeta } from '@tanstack/react-table';

/** A column's share of a table, in pixels. */
export interface Track {
  ideal: number;
  /** Minimum width in a narrow table. */
  least: number;
  /** Gets no spare width: checkboxes, buttons. */
  rigid: boolean;
}

const TITLE: Track = { ideal: 180, least: 120, rigid: false };
const TEXT: Track = { ideal: 140, least: 96, rigid: false };
/** Figures and states: as wide as usual ones, since the column grows before one of them is truncated. */
const FIGURE: Track = { ideal: 116, least: 92, rigid: false };
const CORNER: Track = { ideal: 104, least: 76, rigid: false };
/** Columns by kind of text: usual and minimum width. */
const HELD = {
  code: { ideal: 104, least: 96, rigid: false },
  mark: { ideal: 88, least: 76, rigid: true },
  moment: { ideal: 108, least: 88, rigid: false },
  number: { ideal: 128, least: 118, rigid: false },
  email: { ideal: 206, least: 156, rigid: false },
  kind: { ideal: 176, least: 132, rigid: false },
  note: { ideal: 208, least: 128, rigid: false },
  party: { ideal: 150, least: 112, rigid: false },
} as const satisfies Record<string, Track>;
export type Held = keyof typeof HELD;
/** The column of the button that opens a row. */
export const TOGGLE_PX = 40;
/** Width of one action button, and of the padding around all of them. */
const BUTTON_PX = 34;
const PADDING_PX = 28;
const USUAL_BUTTONS = 2;
/** Least width of the actions: their head is a word. */
const ACTIONS_PX = 92;

/** A column's track by its content; its own width if it has one. */
export function trackOf(meta: ColumnMeta<unknown, unknown> | undefined): Track {
  if (meta?.card === 'actions') {
    const width = Math.max(ACTIONS_PX, (meta.buttons ?? USUAL_BUTTONS) * BUTTON_PX + PADDING_PX);
    return { ideal: width, least: width, rigid: true };
  }
  if (meta?.width !== undefined) {
    const least = meta.leastWidth ?? meta.width;
    return { ideal: meta.width, least, rigid: meta.leastWidth === undefined };
  }
  if (meta?.holds) return HELD[meta.holds];
  if (meta?.align === 'right') return FIGURE;
  if (meta?.card === 'title') return TITLE;
  if (meta?.card === 'corner') return CORNER;
  return TEXT;
}

/** Reduction of a column's width with reduced padding; less than the padding in the styles. */
const AIR_PX = 8;

/** The column with reduced padding. */
export function closer({ ideal, least, rigid }: Track): Track {
  return { ideal: ideal - AIR_PX, least: least - AIR_PX, rigid };
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

/**
 * The columns' widths in whole pixels. They depend on the table's width only, never on a row's text, so that all
 * pages of a list have equal columns. `grown` has the columns whose figures need more than their share.
 */
export function shareWidth(tracks: readonly Track[], grown: readonly number[], available: number): number[] {
  const wanted = tracks.map(({ ideal, least, rigid }, index) => {
    const need = grown[index] ?? 0;
    return { ideal: Math.max(ideal, need), least: Math.max(least, need), rigid };
  });
  const spare = available - sum(wanted.map(({ ideal }) => ideal));
  if (available <= 0) return wanted.map(({ ideal }) => ideal);
  if (spare < 0) {
    const room = sum(wanted.map(({ ideal, least }) => ideal - least));
    const part = room === 0 ? 0 : Math.min(1, -spare / room);
    return wanted.map(({ ideal, least }) => Math.floor(ideal - (ideal - least) * part));
  }
  const flexible = sum(wanted.map(({ ideal, rigid }) => (rigid ? 0 : ideal)));
  if (flexible === 0) return wanted.map(({ ideal }) => ideal);
  return wanted.map(({ ideal, rigid }) => (rigid ? ideal : Math.floor(ideal + (spare * ideal) / flexible)));
}
