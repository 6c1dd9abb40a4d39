import { radial, SHADE } from '#demo/pictures/paint.ts';
import { blob, fill, grains, scatter, type Area } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

export type Rice = {
  kind: 'rice';
  /** Plain basmati, pilau with saffron and colour, biryani browned with its spices, keema, or egg-yellow. */
  tint: keyof typeof tints;
  /** Share of the vessel that the rice fills; 1 by default. */
  size?: number;
  at?: readonly [x: number, y: number];
};

const tints = {
  basmati: ['#fffdf5', '#f3e8d0', '#d8c49c', '#fffefa', '#efe2c4', '#fff8e2'],
  pilau: ['#fdf0c4', '#f0cf7c', '#c99a3f', '#fff6d6', '#f6a83a', '#e9752c'],
  biryani: ['#f6d692', '#dba553', '#9a6526', '#fff0c4', '#f2b34c', '#b86a24'],
  mushroom: ['#f6e8c8', '#dcc291', '#a88552', '#fff6dd', '#e3cc9f', '#b08a55'],
  saffron: ['#ffe48c', '#f5bf45', '#c78520', '#fff3bd', '#ffd765', '#f0992a'],
  brown: ['#e7c698', '#c4975d', '#87602f', '#f3dcb2', '#d9b078', '#a67a42'],
} as const;

/** A bed of long grains. */
export function drawRice(sketch: Sketch, rice: Rice, room: Area): string {
  const { random } = sketch;
  const [light, mid, dark, grainA, grainB, grainC] = tints[rice.tint];
  const size = rice.size ?? 1;
  const [cx, cy] = rice.at ?? [0, 0];
  const area = { cx, cy, rx: room.rx * size, ry: room.ry * size };
  const within = { ...area, rx: area.rx * 0.92, ry: area.ry * 0.92 };
  const bed = blob(random, area, 0.03, 16);
  return (
    fill(
      bed,
      radial(sketch, { cx: 0.42, cy: 0.38, r: 0.64 }, light, mid, dark),
      `stroke="${SHADE}" stroke-opacity=".2" stroke-width="4"`,
    ) +
    fill(bed, texture(sketch, dark, grainB, grainA)) +
    grains(random, scatter(random, within, 26), 9, grainA, 3.2) +
    grains(random, scatter(random, within, 20), 9, grainC, 3) +
    grains(random, scatter(random, within, 16), 9, grainA, 3.2)
  );
}

/** A tile of grains, repeated so rarely and turned so far that the eye cannot find the seam. */
function texture(sketch: Sketch, dark: string, mid: string, light: string): string {
  const tile = { cx: 32, cy: 32, rx: 40, ry: 40 };
  const shade = grains(sketch.random, scatter(sketch.random, tile, 16), 8, dark, 3.4).replace(
    '<path',
    '<path opacity=".5"',
  );
  const body =
    grains(sketch.random, scatter(sketch.random, tile, 18), 8, mid, 3) +
    grains(sketch.random, scatter(sketch.random, tile, 18), 8, light, 3);
  const id = sketch.define(
    (own) =>
      `<pattern id="${own}" width="64" height="64" patternUnits="userSpaceOnUse" patternTransform="rotate(27)">${shade}${body}</pattern>`,
  );
  return `url(#${id})`;
}
