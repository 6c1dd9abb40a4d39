import type { Sketch } from '#demo/pictures/sketch.ts';

export type Stop = string | readonly [colour: string, offset: number, opacity?: number];

/** Deep brown instead of black, so that shadows on food stay warm. */
export const SHADE = '#2c1006';

/** A soft dark edge that separates a piece from what is below it, whichever way the piece is turned. */
export const EDGE = 'stroke="#2c10064d" stroke-width="2.4"';

/** A round body lit from the top left. Stops without an offset are spread evenly. */
export function glow(sketch: Sketch, ...stops: Stop[]): string {
  return radial(sketch, { cx: 0.36, cy: 0.3, r: 0.78 }, ...stops);
}

export function radial(sketch: Sketch, at: { cx: number; cy: number; r: number }, ...stops: Stop[]): string {
  const where = `cx="${short(at.cx)}" cy="${short(at.cy)}" r="${short(at.r)}"`;
  return `url(#${sketch.define((id) => `<radialGradient id="${id}" ${where}>${drawStops(stops)}</radialGradient>`)})`;
}

/** `angle` in degrees: 0 runs left to right, 90 top to bottom. */
export function linear(sketch: Sketch, angle: number, ...stops: Stop[]): string {
  const turn = (angle * Math.PI) / 180;
  const [dx, dy] = [Math.cos(turn) / 2, Math.sin(turn) / 2];
  const where = `x1="${short(0.5 - dx)}" y1="${short(0.5 - dy)}" x2="${short(0.5 + dx)}" y2="${short(0.5 + dy)}"`;
  return `url(#${sketch.define((id) => `<linearGradient id="${id}" ${where}>${drawStops(stops)}</linearGradient>`)})`;
}

function drawStops(stops: Stop[]): string {
  return stops
    .map((stop, index) => {
      const [colour, offset, opacity = 1] = typeof stop === 'string' ? [stop, index / (stops.length - 1)] : stop;
      const seen = opacity === 1 ? '' : ` stop-opacity="${short(opacity)}"`;
      return `<stop offset="${short(offset)}" stop-color="${colour}"${seen}/>`;
    })
    .join('');
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100).replace(/^(-?)0\./, '$1.');
}
