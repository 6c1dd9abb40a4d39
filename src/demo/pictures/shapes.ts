import type { Random } from '#demo/pictures/random.ts';
import { place, round, type Point } from '#demo/pictures/sketch.ts';

export type Area = { cx?: number; cy?: number; rx: number; ry: number };

/** An organic closed outline. `wobble` is the share of the radius by which the outline may vary. */
export function blob(random: Random, area: Area, wobble = 0.06, corners = 11): string {
  const points: Point[] = [];
  const start = random.between(0, Math.PI * 2);
  for (let index = 0; index < corners; index += 1) {
    const angle = start + ((index + random.between(-0.22, 0.22)) / corners) * Math.PI * 2;
    // A quadratic outline runs inside its control points; the factor restores the requested size.
    const reach = 1 + random.between(-wobble, wobble) + 2.2 / corners ** 2;
    points.push({
      x: (area.cx ?? 0) + Math.cos(angle) * area.rx * reach,
      y: (area.cy ?? 0) + Math.sin(angle) * area.ry * reach,
    });
  }
  return smooth(points);
}

/** A closed curve that the points guide, written in relative steps, because they are shorter. */
export function smooth(points: readonly Point[]): string {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return '';
  const unit = points.some((point) => Math.hypot(point.x - last.x, point.y - last.y) > 16) ? 1 : 10;
  const snap = (point: Point): Point => ({
    x: Math.round(point.x * unit) / unit,
    y: Math.round(point.y * unit) / unit,
  });
  const middle = (a: Point, b: Point) => snap({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  let at = middle(last, first);
  let path = `M${pair(at)}`;
  for (const [index, point] of points.entries()) {
    const end = middle(point, points[index + 1] ?? first);
    const guide = snap(point);
    path +=
      `q${pair({ x: guide.x - at.x, y: guide.y - at.y })} ${pair({ x: end.x - at.x, y: end.y - at.y })}`.replaceAll(
        ' -',
        '-',
      );
    at = end;
  }
  return `${path}z`;
}

function pair(point: Point): string {
  return `${round(point.x)} ${round(point.y)}`.replace(' -', '-');
}

/** Points spread over an ellipse, each as far from the others as a few attempts allow. */
export function scatter(random: Random, area: Area, count: number): Point[] {
  const placed: Point[] = [];
  for (let index = 0; index < count; index += 1) {
    let best: Point = { x: 0, y: 0 };
    let bestGap = -1;
    for (let attempt = 0; attempt < 22; attempt += 1) {
      const angle = random.between(0, Math.PI * 2);
      const reach = Math.sqrt(random.between(0, 1));
      const point = { x: Math.cos(angle) * reach * area.rx, y: Math.sin(angle) * reach * area.ry };
      const gap = placed.reduce(
        (least, other) => Math.min(least, (point.x - other.x) ** 2 + (point.y - other.y) ** 2),
        1e9,
      );
      if (gap > bestGap) [best, bestGap] = [point, gap];
    }
    placed.push(best);
  }
  return placed.map((point) => ({ x: point.x + (area.cx ?? 0), y: point.y + (area.cy ?? 0) }));
}

/** Points on the outline of an ellipse, unevenly spaced. */
export function around(random: Random, area: Area, count: number): Point[] {
  const start = random.between(0, 7);
  return Array.from({ length: count }, (_, index) => {
    const angle = start + ((index + random.between(-0.3, 0.3)) / count) * Math.PI * 2;
    return { x: (area.cx ?? 0) + Math.cos(angle) * area.rx, y: (area.cy ?? 0) + Math.sin(angle) * area.ry };
  });
}

/** Round dots in one path, the cheapest way to draw seeds, crumbs and speckles. */
export function dots(points: readonly Point[], colour: string, width: number, opacity = 1): string {
  const path = points.map((point) => `M${Math.round(point.x)} ${Math.round(point.y)}h.1`.replace(' -', '-')).join('');
  return stroke(path, colour, width, opacity);
}

/** Short straight strokes (grains of rice) in one path; `length` in picture units. */
export function grains(
  random: Random,
  points: readonly Point[],
  length: number,
  colour: string,
  width: number,
): string {
  const path = points
    .map(({ x, y }) => {
      const angle = random.between(0, Math.PI);
      const [dx, dy] = [Math.round(Math.cos(angle) * length), Math.round(Math.sin(angle) * length)];
      return `M${Math.round(x - dx / 2)} ${Math.round(y - dy / 2)}l${dx} ${dy}`;
    })
    .join('');
  return stroke(path.replaceAll(' -', '-'), colour, width);
}

export function stroke(path: string, colour: string, width: number, opacity = 1): string {
  const seen = opacity === 1 ? '' : ` opacity="${String(opacity).replace(/^0/, '')}"`;
  return `<path d="${path}" stroke="${colour}" stroke-width="${round(width)}"${seen}/>`;
}

export function fill(path: string, paint: string, extra = ''): string {
  return `<path d="${path}" fill="${paint}"${extra === '' ? '' : ` ${extra}`}/>`;
}

export function circle(x: number, y: number, r: number, paint: string, extra = ''): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}"${paintOf(paint)}${extra === '' ? '' : ` ${extra}`}/>`;
}

export function ellipse(area: Area, paint: string, extra = ''): string {
  const centre = `cx="${round(area.cx ?? 0)}" cy="${round(area.cy ?? 0)}"`;
  return `<ellipse ${centre} rx="${round(area.rx)}" ry="${round(area.ry)}"${paintOf(paint)}${extra === '' ? '' : ` ${extra}`}/>`;
}

export function repeat(id: string, point: Point, rotate = 0, scale = 1): string {
  return `<use href="#${id}" ${place(point.x, point.y, rotate, scale)}/>`;
}

/** The root element has `fill="none"`, so an outline alone needs no such attribute. */
function paintOf(paint: string): string {
  return paint === '' ? '' : ` fill="${paint}"`;
}
