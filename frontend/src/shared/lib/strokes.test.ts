import { expect, it } from 'vitest';
import { fitStrokes, type Strokes } from './strokes';

const drawn = (points: [number, number][]): Strokes => [
  {
    dotSize: 0,
    minWidth: 0.9,
    maxWidth: 2.6,
    penColor: '#000',
    velocityFilterWeight: 0.7,
    compositeOperation: 'source-over',
    points: points.map(([x, y], time) => ({ x, y, pressure: 0.5, time })),
  },
];

it('a signature drawn across a wide sheet fits on a narrow one, in its proportions', () => {
  const [fitted] = fitStrokes(
    drawn([
      [20, 100],
      [797.4, 50],
    ]),
    350,
    180,
  );
  const scale = 350 / 800;
  expect(fitted?.points.map(({ x }) => x)).toEqual([20 * scale, 797.4 * scale]);
  expect(fitted?.points.map(({ y }) => y)).toEqual([100 * scale, 50 * scale]);
  expect(fitted?.maxWidth).toBeCloseTo(2.6 * scale);
});

it.each([
  ['fits already', drawn([[200, 100]]), 350],
  ['is not there', [], 350],
  ['has a sheet that is not shown', drawn([[200, 100]]), 0],
])('a signature that %s stays as it is', (_, strokes, width) => {
  expect(fitStrokes(strokes, width, 180)).toBe(strokes);
});
