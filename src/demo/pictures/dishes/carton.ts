import { defineMorsel, type MorselName } from '#demo/pictures/morsels.ts';
import { linear } from '#demo/pictures/paint.ts';
import { fill, repeat, stroke } from '#demo/pictures/shapes.ts';
import { group, place, type Sketch } from '#demo/pictures/sketch.ts';
import { ground } from '#demo/pictures/dishes/drink.ts';

export type Carton = {
  kind: 'carton';
  of: MorselName;
  colours: readonly [light: string, dark: string];
  at?: readonly [x: number, y: number];
  scale?: number;
};

/** A carton of chips standing on y = 100, seen from the front. */
export function drawCarton(sketch: Sketch, carton: Carton): string {
  const [light, dark] = carton.colours;
  const id = defineMorsel(sketch, carton.of);
  const { random } = sketch;
  const rows = [
    { y: -52, count: 7, spread: 22 },
    { y: -30, count: 8, spread: 16 },
  ].flatMap(({ y, count, spread }) =>
    Array.from({ length: count }, (_, index) => {
      const share = index / (count - 1) - 0.5;
      return repeat(
        id,
        { x: share * 112, y: y + Math.abs(share) * 26 + random.between(-9, 9) },
        90 + share * spread * 2 + random.between(-9, 9),
        1.1,
      );
    }),
  );
  const drawn =
    ground(sketch, 100, 82) +
    fill('M-68-22Q0-58 68-22L60 40-60 40Z', dark) +
    rows.join('') +
    fill(
      'M-70-18Q-36 12 0 12T70-18L52 92Q50 100 42 100L-42 100Q-50 100-52 92Z',
      linear(sketch, 20, light, dark),
      'stroke="#2c100640" stroke-width="2"',
    ) +
    stroke('M-62-6L-46 92M62-6L46 92', '#fff', 3, 0.3) +
    fill('M0 36Q16 52 14 66A14 14 0 0 1-14 66Q-16 52 0 36Z', '#fff6e2', 'opacity=".85"');
  return group(drawn, place(...(carton.at ?? [0, 0]), 0, carton.scale));
}
