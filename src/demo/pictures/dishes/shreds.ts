import { SHADE } from '#demo/pictures/paint.ts';
import { dots, scatter, stroke, type Area } from '#demo/pictures/shapes.ts';
import type { Point, Sketch } from '#demo/pictures/sketch.ts';

/** Fine strips of vegetable in random directions; one path per colour and half. */
export function drawShreds(
  sketch: Sketch,
  area: Area,
  of: readonly (readonly [colour: string, count: number])[],
): string {
  const layers = of.flatMap(([colour, count]) => [
    { colour, count: Math.ceil(count / 2) },
    { colour, count: Math.floor(count / 2) },
  ]);
  // Every other layer first, so that no colour is entirely on top.
  return [...layers.filter((_, index) => index % 2 === 0), ...layers.filter((_, index) => index % 2 === 1)]
    .map(({ colour, count }) => {
      const path = scatter(sketch.random, area, count)
        .map((point) => strip(sketch, point))
        .join('');
      return stroke(path, SHADE, 6, 0.22) + stroke(path, colour, 4.2);
    })
    .join('');
}

function strip(sketch: Sketch, { x, y }: Point): string {
  const { random } = sketch;
  const angle = random.between(0, Math.PI * 2);
  const [dx, dy] = [Math.cos(angle) * 13, Math.sin(angle) * 13];
  const bend = random.between(-9, 9);
  const guide = `${Math.round(dx - (dy / 13) * bend)} ${Math.round(dy + (dx / 13) * bend)}`;
  return `M${Math.round(x - dx)} ${Math.round(y - dy)}q${guide} ${Math.round(dx * 2)} ${Math.round(dy * 2)}`.replaceAll(
    ' -',
    '-',
  );
}

type Beads = { colours: readonly [body: string, shine: string, shade: string]; count: number; r: number };

/** Small round things, lit from the top left. */
export function drawBeads(sketch: Sketch, area: Area, { colours, count, r }: Beads): string {
  const [body, shine, shade] = colours;
  const points = scatter(sketch.random, area, count);
  const lit = points.map((point) => ({ x: point.x - r * 0.34, y: point.y - r * 0.36 }));
  return dots(points, shade, r * 2 + 2.4) + dots(points, body, r * 2) + dots(lit, shine, r * 0.9, 0.85);
}
