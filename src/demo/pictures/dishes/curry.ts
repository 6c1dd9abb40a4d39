import { heap, sprinkle, type Sprinkle } from '#demo/pictures/morsels.ts';
import { radial } from '#demo/pictures/paint.ts';
import { blob, dots, fill, scatter, smooth, stroke, type Area } from '#demo/pictures/shapes.ts';
import type { Point, Sketch } from '#demo/pictures/sketch.ts';

export type Curry = {
  kind: 'curry';
  /** Lit, middle and deep colour of the sauce. */
  sauce: readonly [light: string, mid: string, deep: string];
  pieces: readonly Sprinkle[];
  /** Spiced oil that gathers on top. */
  oil?: string;
  swirl?: string;
  herbs?: readonly Sprinkle[];
};

export function drawCurry(sketch: Sketch, curry: Curry, room: Area): string {
  const { random } = sketch;
  const [light, mid, deep] = curry.sauce;
  const inside = { rx: room.rx * 0.78, ry: room.ry * 0.78 };
  const pool = radial(sketch, { cx: 0.4, cy: 0.36, r: 0.68 }, light, mid, deep);
  const waves = scatter(random, inside, 6).map(({ x, y }) =>
    blob(random, { cx: x, cy: y, rx: random.between(16, 30), ry: random.between(10, 18) }, 0.25, 6),
  );
  const coats = scatter(random, inside, 7).map(({ x, y }) =>
    blob(random, { cx: x, cy: y + 7, rx: random.between(10, 19), ry: random.between(5, 9) }, 0.25, 6),
  );
  return (
    fill(blob(random, room, 0.01, 11), pool) +
    fill(waves.join(''), light, 'opacity=".35"') +
    (curry.oil === undefined ? '' : dots(scatter(random, room, 11), curry.oil, 9, 0.45)) +
    heap(sketch, inside, curry.pieces) +
    fill(coats.join(''), mid, 'opacity=".62"') +
    (curry.oil === undefined ? '' : dots(scatter(random, inside, 12), curry.oil, 4, 0.75)) +
    glints(sketch, inside, 11) +
    (curry.swirl === undefined ? '' : swirl(sketch, curry.swirl)) +
    sprinkle(sketch, { rx: inside.rx * 0.8, ry: inside.ry * 0.8 }, curry.herbs ?? [])
  );
}

/** Short wet highlights. */
export function glints(sketch: Sketch, area: Area, count: number): string {
  const { random } = sketch;
  const path = scatter(random, area, count)
    .map(({ x, y }) => `M${Math.round(x)} ${Math.round(y)}q4-4 ${Math.round(random.between(7, 12))}-3`)
    .join('');
  return stroke(path, '#fff', 2, 0.5);
}

/** Cream or yoghurt poured in a loose spiral, thin where it begins. */
export function swirl(sketch: Sketch, colour: string, reach = 50): string {
  const { random } = sketch;
  const start = random.between(0, 6);
  const turns = random.between(1.5, 2) * Math.PI * 2;
  const steps = 13;
  const outer: Point[] = [];
  const inner: Point[] = [];
  for (let step = 0; step <= steps; step += 1) {
    const share = step / steps;
    const angle = start + share * turns;
    const r = reach * (1 - share * 0.86) * random.between(0.94, 1.06);
    const half = 0.7 + 3.4 * Math.sin(Math.PI * (0.08 + share * 0.8)) ** 0.8;
    outer.push({ x: Math.cos(angle) * (r + half) * 1.1, y: Math.sin(angle) * (r + half) });
    inner.unshift({ x: Math.cos(angle) * (r - half) * 1.1, y: Math.sin(angle) * (r - half) });
  }
  const shape = smooth([...outer, ...inner]);
  return `<path d="${shape}" fill="${colour}" stroke="${colour}" stroke-opacity=".35" stroke-width="6"/>`;
}
