import { defineMorsel, type MorselName } from '#demo/pictures/morsels.ts';
import { repeat, stroke } from '#demo/pictures/shapes.ts';
import { group, place, type Sketch } from '#demo/pictures/sketch.ts';

export type Skewer = {
  kind: 'skewer';
  pieces: readonly MorselName[];
  at?: readonly [x: number, y: number];
  turn?: number;
  scale?: number;
};

/** Pieces threaded on a steel skewer that runs left to right through 0,0. */
export function drawSkewer(sketch: Sketch, skewer: Skewer): string {
  const step = 29;
  const start = (-(skewer.pieces.length - 1) * step) / 2;
  const reach = -start + 44;
  const pieces = skewer.pieces
    .map((name, index) => {
      const id = defineMorsel(sketch, name);
      const turn = isFlat(name) ? 90 : sketch.random.pick([0, 90, 180, 270] as const) + sketch.random.between(-9, 9);
      return repeat(id, { x: start + index * step, y: sketch.random.between(-2, 2) }, turn, isFlat(name) ? 1 : 1.25);
    })
    .join('');
  const rod = `M${-reach} 0L${reach + 22} 0`;
  const [x, y] = skewer.at ?? [0, 0];
  const drawn =
    `<g transform="translate(3 9)">${stroke(rod, '#2c1006', 5, 0.3)}</g>` +
    stroke(rod, '#77736e', 4.6) +
    stroke(rod, '#f3f1ed', 1.6) +
    pieces;
  return group(drawn, place(x, y, skewer.turn, skewer.scale));
}

/** Rings, strips and leaves are threaded across the skewer. */
function isFlat(name: MorselName): boolean {
  return name.endsWith('pepper') || name.endsWith('onion');
}
