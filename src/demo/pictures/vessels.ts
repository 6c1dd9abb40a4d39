import { glow, linear, radial, SHADE } from '#demo/pictures/paint.ts';
import { circle, dots, fill, scatter, stroke, type Area } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';
import { softShadow } from '#demo/pictures/surfaces.ts';

/** A vessel, seen from above around 0,0: the parts below and above the food, and the room for the food. */
export type Vessel = { under: string; over: string; room: Area };

const glazes = {
  cream: ['#fffaf0', '#f1e3cb', '#cfb894'],
  stone: ['#e9e2d8', '#cbbfb1', '#95887a'],
  blue: ['#9fb9c6', '#5f8296', '#37566a'],
  charcoal: ['#625a56', '#3d3734', '#1d1917'],
  terracotta: ['#eca276', '#c86e45', '#8c4326'],
  sage: ['#cfd8b8', '#a3b187', '#6d7d57'],
  mustard: ['#f6d27f', '#dba53c', '#9f6d1d'],
  white: ['#ffffff', '#f4efe8', '#cfc5b9'],
} as const;

const metals = {
  copper: ['#ffd9b0', '#d98a55', '#8a4522', '#5a2812'],
  steel: ['#fdfdfb', '#c9c8c4', '#86847f', '#55524e'],
  iron: ['#77706b', '#3f3a37', '#211e1c', '#131110'],
} as const;

export type Glaze = keyof typeof glazes;
export type Metal = keyof typeof metals;

export function drawPlate(sketch: Sketch, glaze: Glaze, r = 122): Vessel {
  const [light, mid, dark] = glazes[glaze];
  const well = r * 0.78;
  const under =
    softShadow(sketch, 9, 13, r + 14) +
    circle(0, 0, r, linear(sketch, 50, light, mid, dark)) +
    circle(0, 0, r - 1.5, '', `stroke="${light}" stroke-width="2" stroke-opacity=".8"`) +
    circle(0, 0, well, linear(sketch, 50, dark, mid, light), 'opacity=".75"') +
    circle(1.5, 2, well - 3, linear(sketch, 50, mid, light)) +
    (glaze === 'stone' || glaze === 'sage'
      ? dots(scatter(sketch.random, { rx: r - 5, ry: r - 5 }, 34), dark, 1.6, 0.6)
      : '') +
    shine(r - 8, 0.55);
  return { under, over: '', room: { rx: well - 2, ry: well - 2 } };
}

export function drawBowl(sketch: Sketch, glaze: Glaze, r = 118): Vessel {
  const [light, mid, dark] = glazes[glaze];
  const under =
    softShadow(sketch, 11, 16, r + 16) +
    circle(0, 0, r, linear(sketch, 50, light, mid, dark)) +
    circle(0, 0, r - 9, linear(sketch, 50, dark, mid)) +
    shine(r - 4.5, 0.7);
  return { under, over: innerShade(sketch, r - 14), room: { rx: r - 12, ry: r - 12 } };
}

/** A two-handled pan of beaten metal, as used for curries. */
export function drawKarahi(sketch: Sketch, metal: Metal, r = 112): Vessel {
  const [light, mid, dark, deep] = metals[metal];
  const handle = `M${-r + 4}-26C${-r - 30}-30 ${-r - 30} 30 ${-r + 4} 26M${r - 4}-26C${r + 30}-30 ${r + 30} 30 ${r - 4} 26`;
  const under =
    softShadow(sketch, 11, 16, r + 16) +
    `<g transform="translate(4 7)">${stroke(handle, SHADE, 11, 0.35)}</g>` +
    stroke(handle, dark, 11) +
    stroke(handle, mid, 7) +
    stroke(handle, light, 2, 0.8) +
    circle(0, 0, r, linear(sketch, 50, light, mid, dark, mid, deep)) +
    circle(0, 0, r - 8, linear(sketch, 50, deep, dark, mid)) +
    shine(r - 4, 0.8);
  return { under, over: innerShade(sketch, r - 13), room: { rx: r - 11, ry: r - 11 } };
}

/** A black skillet with its handle to the lower right. */
export function drawSkillet(sketch: Sketch, r = 108): Vessel {
  const [light, mid, dark, deep] = metals.iron;
  const handle = `M${r * 0.62} ${r * 0.62}L${r + 50} ${r + 34}`;
  const under =
    softShadow(sketch, 11, 15, r + 15) +
    `<g transform="translate(5 9)">${stroke(handle, SHADE, 28, 0.3)}</g>` +
    stroke(handle, dark, 27) +
    stroke(handle, mid, 17) +
    stroke(handle, light, 3, 0.5) +
    circle(0, 0, r, linear(sketch, 50, light, mid, deep)) +
    circle(0, 0, r - 9, linear(sketch, 50, deep, dark, mid)) +
    shine(r - 4.5, 0.35);
  return { under, over: innerShade(sketch, r - 13), room: { rx: r - 12, ry: r - 12 } };
}

/** A small pot of sauce; `paint` is the sauce. */
export function drawPot(sketch: Sketch, glaze: Glaze, r: number, light: string, dark: string): string {
  const [high, mid, low] = glazes[glaze];
  return (
    softShadow(sketch, r * 0.12, r * 0.2, r * 1.2) +
    circle(0, 0, r, linear(sketch, 50, high, mid, low)) +
    circle(0, 0, r * 0.84, linear(sketch, 50, low, mid)) +
    circle(0, 0, r * 0.78, glow(sketch, light, dark)) +
    stroke(`M${-r * 0.4} ${r * 0.1}Q${-r * 0.3} ${-r * 0.4} ${r * 0.2} ${-r * 0.42}`, '#fff', r * 0.08, 0.6)
  );
}

export function shine(r: number, opacity: number): string {
  const [near, far] = [Math.round(r * 0.94), Math.round(r * 0.34)];
  return stroke(`M${-near} ${-far}A${r} ${r} 0 0 1 ${-far} ${-near}`, '#fff', 3, opacity);
}

/** The shadow that the wall on the light's side casts on the food. */
function innerShade(sketch: Sketch, r: number): string {
  const paint = radial(sketch, { cx: 0.56, cy: 0.58, r: 0.56 }, [SHADE, 0.8, 0], [SHADE, 1, 0.6]);
  return fill(`M${-r} 0A${r} ${r} 0 0 1 ${r} 0A${r} ${r} 0 0 1 ${-r} 0Z`, paint);
}
