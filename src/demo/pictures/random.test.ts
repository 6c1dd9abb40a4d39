import { assert, integer, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom } from '#demo/pictures/random.ts';
import { scatter } from '#demo/pictures/shapes.ts';

const side = integer({ min: 5, max: 120 });

it('gives the same numbers for the same seed, and others for another', () => {
  expect(draw('naan')).toEqual(draw('naan'));
  expect(draw('naan')).not.toEqual(draw('roti'));
});

it('keeps numbers between their bounds', () => {
  const staysBetween = property(
    string(),
    integer({ min: -1000, max: 1000 }),
    integer({ min: 1, max: 1000 }),
    (seed, low, span) => {
      const drawn = createRandom(seed).between(low, low + span);
      return drawn >= low && drawn < low + span;
    },
  );
  expect(() => assert(staysBetween)).not.toThrow();
});

it('scatters as many points as asked for, all within the ellipse', () => {
  const staysInside = property(string(), integer({ min: 1, max: 40 }), side, side, (seed, count, rx, ry) => {
    const points = scatter(createRandom(seed), { cx: 7, cy: -3, rx, ry }, count);
    const areInside = points.every(({ x, y }) => ((x - 7) / rx) ** 2 + ((y + 3) / ry) ** 2 <= 1.000001);
    return points.length === count && areInside;
  });
  expect(() => assert(staysInside)).not.toThrow();
});

function draw(seed: string): number[] {
  const random = createRandom(seed);
  return Array.from({ length: 20 }, () => random.between(0, 1));
}
