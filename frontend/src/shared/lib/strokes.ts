import type { PointGroup } from 'signature_pad';

/** A signature's strokes, from which it can be redrawn. Lengths are CSS pixels of the sheet that they were drawn on. */
export type Strokes = PointGroup[];

/** The strokes, made smaller where the sheet is: a part beyond its edges would be lost with the next image of it. */
export function fitStrokes(strokes: Strokes, width: number, height: number): Strokes {
  // A line's own width and a dot's reach beyond their points.
  const far = (one: PointGroup) => Math.max(one.maxWidth, one.dotSize);
  const right = Math.max(...strokes.flatMap((one) => one.points.map(({ x }) => x + far(one))));
  const bottom = Math.max(...strokes.flatMap((one) => one.points.map(({ y }) => y + far(one))));
  const scale = Math.min(width / right, height / bottom);
  if (!(scale > 0 && scale < 1)) return strokes;
  return strokes.map((one) => ({
    ...one,
    dotSize: one.dotSize * scale,
    minWidth: one.minWidth * scale,
    maxWidth: one.maxWidth * scale,
    points: one.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
  }));
}
