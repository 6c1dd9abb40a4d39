import { linear, radial, SHADE, type Stop } from '#demo/pictures/paint.ts';
import { dots, scatter, stroke } from '#demo/pictures/shapes.ts';
import { round, type Sketch } from '#demo/pictures/sketch.ts';

const tones = {
  clay: ['#e2946a', '#c8694a', '#a44f37'],
  cream: ['#f8ecd3', '#ecd9b6', '#d4b789'],
  sage: ['#a9b58d', '#83936b', '#5f7050'],
  forest: ['#4b6b5c', '#31503f', '#1f372c'],
  marigold: ['#f8c869', '#eaa940', '#cf8526'],
  slate: ['#5d5650', '#423c38', '#2a2624'],
  rose: ['#f3cdb6', '#e3a88d', '#c98568'],
  teal: ['#4f8583', '#346765', '#214a4a'],
  berry: ['#96475a', '#722f45', '#4e1e31'],
  walnut: ['#8b5a38', '#6b4128', '#472a19'],
  oak: ['#e3bd8a', '#cd9c63', '#ab7a45'],
} as const;

export type SurfaceName = keyof typeof tones;

/** The table below the dish, lit from the top left. `width` and `height` in picture units. */
export function drawSurface(sketch: Sketch, name: SurfaceName, width: number, height: number): string {
  const [light, mid, dark] = tones[name];
  const paint = radial(sketch, { cx: 0.3, cy: 0.18, r: 1 }, [light, 0], [mid, 0.55], [dark, 1]);
  const ground = `<path d="M0 0h${width}v${height}H0Z" fill="${paint}"/>`;
  if (name === 'walnut' || name === 'oak') return ground + drawPlanks(sketch, width, height);
  if (name === 'cream' || name === 'rose') return ground + drawWeave(sketch, width, height);
  if (name === 'slate' || name === 'forest') return ground + drawSpeckles(sketch, width, height);
  return ground;
}

/** The parts of a dish in the shade: a soft round shadow without a filter, which phones draw slowly. */
export function softShadow(sketch: Sketch, x: number, y: number, rx: number, ry = rx, strength = 0.5): string {
  const stops: Stop[] = [
    [SHADE, 0.8, strength],
    [SHADE, 0.9, strength * 0.42],
    [SHADE, 1, 0],
  ];
  const paint = radial(sketch, { cx: 0.5, cy: 0.5, r: 0.5 }, ...stops);
  return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" fill="${paint}"/>`;
}

function drawPlanks(sketch: Sketch, width: number, height: number): string {
  const { random } = sketch;
  const seams: string[] = [];
  const veins: string[] = [];
  for (let y = 46; y < height; y += 84) seams.push(`M0 ${y}H${width}`);
  for (let y = 10; y < height; y += 17) {
    const start = random.between(-60, width * 0.5);
    const bend = random.between(-7, 7);
    const path = `M${Math.round(start)} ${y}q${Math.round(width / 5)} ${Math.round(bend)} ${Math.round(width / 2.4)} ${Math.round(random.between(-3, 3))}`;
    veins.push(path.replaceAll(' -', '-'));
  }
  const all = seams.join('');
  return (
    stroke(veins.join(''), '#3a1d0b', 1.6, 0.2) +
    stroke(all, '#2a1408', 2.4, 0.5) +
    `<g transform="translate(0 2)">${stroke(all, '#ffe3b8', 1, 0.22)}</g>`
  );
}

function drawWeave(sketch: Sketch, width: number, height: number): string {
  const threads = '<path d="M0 1.5h6M1.5 0v6" stroke="#8a5a2c" stroke-width=".7" opacity=".13"/>';
  const id = sketch.define(
    (own) => `<pattern id="${own}" width="6" height="6" patternUnits="userSpaceOnUse">${threads}</pattern>`,
  );
  return `<path d="M0 0h${width}v${height}H0Z" fill="url(#${id})"/>`;
}

function drawSpeckles(sketch: Sketch, width: number, height: number): string {
  const area = { cx: width / 2, cy: height / 2, rx: width * 0.62, ry: height * 0.66 };
  return (
    dots(scatter(sketch.random, area, 46), '#fff', 1.5, 0.16) + dots(scatter(sketch.random, area, 24), '#000', 2, 0.2)
  );
}

/** A folded napkin that reaches in from the lower left corner. */
export function drawNapkin(sketch: Sketch, light: string, dark: string): string {
  const paint = linear(sketch, 30, light, dark);
  return (
    `<path d="M-6 196L64 178 112 306-6 306Z" fill="${SHADE}" opacity=".25" transform="translate(7 7)"/>` +
    `<path d="M-6 196L64 178 112 306-6 306Z" fill="${paint}"/>` +
    stroke('M-4 214L70 194M64 178L112 306M20 190L58 306', dark, 2, 0.6)
  );
}
