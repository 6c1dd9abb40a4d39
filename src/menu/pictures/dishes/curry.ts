import { heap, sprinkle, type Sprinkle } from '#menu/pictures/morsels.ts';
import { radial } from '#menu/pictures/paint.ts';
import { blob, dots, fill, scatter, stroke, type Area } from '#menu/pictures/shapes.ts';
import { round, type Sketch } from '#menu/pictures/sketch.ts';

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
  const waves = scatter(random, inside, 8).map(({ x, y }) =>
    blob(random, { cx: x, cy: y, rx: random.between(16, 30), ry: random.between(10, 18) }, 0.25, 8),
  );
  const coats = scatter(random, inside, 9).map(({ x, y }) =>
    blob(random, { cx: x, cy: y + 7, rx: random.between(10, 19), ry: random.between(5, 9) }, 0.25, 7),
  );
  return (
    fill(blob(random, room, 0.01, 14), pool) +
    fill(waves.join(''), light, 'opacity=".35"') +
    (curry.oil === undefined ? '' : dots(scatter(random, room, 16), curry.oil, 9, 0.45)) +
    heap(sketch, inside, curry.pieces) +
    fill(coats.join(''), mid, 'opacity=".62"') +
    (curry.oil === undefined ? '' : dots(scatter(random, inside, 14), curry.oil, 4, 0.75)) +
    glints(sketch, inside, 13) +
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

/** Cream or yoghurt poured in a loose spiral. */
export function swirl(sketch: Sketch, colour: string, reach = 52): string {
  let path = '';
  for (let step = 0; step <= 13; step += 1) {
    const angle = step * 0.95 + sketch.random.between(-0.08, 0.08);
    const r = reach * (1 - step / 15);
    const point = `${round(Math.cos(angle) * r)} ${round(Math.sin(angle) * r * 0.9)}`;
    const [before, radius] = [angle - 0.475, r * 1.12 + 2];
    path +=
      step === 0
        ? `M${point}`
        : `Q${round(Math.cos(before) * radius)} ${round(Math.sin(before) * radius * 0.9)} ${point}`;
  }
  return stroke(path, colour, 11, 0.3) + stroke(path, colour, 4.6) + stroke(path, '#fff', 1.4, 0.6);
}
