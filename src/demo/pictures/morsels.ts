import { bits } from '#demo/pictures/morsels/bits.ts';
import { fried } from '#demo/pictures/morsels/fried.ts';
import { grilled } from '#demo/pictures/morsels/grilled.ts';
import { leaves } from '#demo/pictures/morsels/leaves.ts';
import { meats } from '#demo/pictures/morsels/meats.ts';
import { sweets } from '#demo/pictures/morsels/sweets.ts';
import { vegetables } from '#demo/pictures/morsels/vegetables.ts';
import { repeat, scatter, type Area } from '#demo/pictures/shapes.ts';
import type { Point, Sketch } from '#demo/pictures/sketch.ts';

export const morsels = { ...leaves, ...vegetables, ...meats, ...bits, ...fried, ...grilled, ...sweets };

export type MorselName = keyof typeof morsels;

/** The number of morsels of a kind, and optionally their size (1: as on a twelve-inch pizza). */
export type Sprinkle = readonly [morsel: MorselName, count: number, scale?: number];

/** Returns the id of the morsel's drawing, to be repeated with `<use>`. */
export function defineMorsel(sketch: Sketch, name: MorselName): string {
  const draw: (sketch: Sketch) => string = morsels[name];
  const drawn = draw(sketch);
  return sketch.define((id) => `<g id="${id}">${drawn}</g>`);
}

/** Spreads the morsels over the area with distance between them, later kinds on top. */
export function sprinkle(sketch: Sketch, area: Area, sprinkles: readonly Sprinkle[]): string {
  // Each point keeps its distance from those before it, so any run of points is spread evenly by itself.
  const points = scatter(sketch.random, area, countAll(sprinkles));
  return sprinkles.map(([name, count, scale]) => lay(sketch, name, points.splice(0, count), scale)).join('');
}

/** Heaps the morsels up in mixed kinds. A morsel lower in the picture covers those above it. */
export function heap(sketch: Sketch, area: Area, sprinkles: readonly Sprinkle[]): string {
  const points = scatter(sketch.random, area, countAll(sprinkles));
  return sprinkles
    .flatMap(([name, count, scale]) => points.splice(0, count).map((point) => ({ name, scale, point })))
    .sort((a, b) => a.point.y - b.point.y)
    .map(({ name, scale, point }) => lay(sketch, name, [point], scale))
    .join('');
}

export function lay(sketch: Sketch, name: MorselName, points: readonly Point[], scale = 1): string {
  const id = defineMorsel(sketch, name);
  const { random } = sketch;
  return points
    .map((point) => repeat(id, point, Math.round(random.between(-18, 18)) * 10, scale * random.between(0.94, 1.1)))
    .join('');
}

function countAll(sprinkles: readonly Sprinkle[]): number {
  return sprinkles.reduce((sum, [, count]) => sum + count, 0);
}
