import { EDGE, glow, linear } from '#demo/pictures/paint.ts';
import { circle, dots, ellipse, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

/** Cheese, nuts, spices, crumbs, ice: small garnishes, drawn around 0,0. */
export const bits = {
  mozzarella: (sketch: Sketch) =>
    fill(
      'M-20-3C-17-15-3-17 6-13 18-13 22-2 17 6 12 15-3 14-9 12-18 12-23 5-20-3Z',
      glow(sketch, '#fffdf4', '#fdf0cf', '#efce8e'),
      EDGE,
    ) + stroke('M-12-5Q-6-10 1-9', '#fff', 3, 0.9),
  goats: (sketch: Sketch) =>
    fill('M-12-3C-9-11 3-11 8-8 14-3 12 6 5 9-4 11-14 7-12-3Z', glow(sketch, '#fff', '#f8f0de', '#dccaa6'), EDGE),
  feta: (sketch: Sketch) => fill('M-8-5L3-8 9-1 5 7-6 6Z', linear(sketch, 60, '#fff', '#f3ead4'), EDGE),
  'blue-cheese': (sketch: Sketch) =>
    fill('M-9-5L3-9 10-1 5 8-7 6Z', linear(sketch, 60, '#fffbea', '#efe3c0'), EDGE) +
    dots(
      [
        { x: -2, y: 0 },
        { x: 3, y: -3 },
        { x: 2, y: 4 },
      ],
      '#6f88a0',
      2.4,
    ),
  cheddar: () => stroke('M-11 3Q0-4 11 1', '#9a5a0c', 3.6, 0.3) + stroke('M-11 3Q0-4 11 1', '#fbc247', 2.5),
  parmesan: (sketch: Sketch) => fill('M-13 3Q-4-9 13-6 6 2-1 5T-13 3Z', linear(sketch, 60, '#fff8dc', '#edd495'), EDGE),
  sesame: () => ellipse({ rx: 2.6, ry: 1.6 }, '#f9e7bd', 'stroke="#8f5b22" stroke-width=".6"'),
  'black-sesame': () => ellipse({ rx: 2.4, ry: 1.5 }, '#2c2220'),
  cashew: (sketch: Sketch) =>
    fill('M-9 4C-11-6 0-11 8-7 11-5 10-1 6-2 1-3-1 0 0 4-1 9-8 9-9 4Z', linear(sketch, 60, '#fff0cb', '#e2ba77'), EDGE),
  almond: (sketch: Sketch) =>
    fill('M-9 0Q-3-6 9 0-3 6-9 0Z', linear(sketch, 40, '#fff6df', '#e9cb98'), 'stroke="#a06a32" stroke-width=".9"'),
  pistachio: () =>
    dots(
      [
        { x: -3, y: 0 },
        { x: 2, y: -2 },
        { x: 3, y: 3 },
      ],
      '#5f7d24',
      4,
    ) +
    dots(
      [
        { x: -3, y: -1 },
        { x: 2, y: -3 },
      ],
      '#b7cf62',
      2.2,
    ),
  peanut: () =>
    dots(
      [
        { x: -3, y: 1 },
        { x: 3, y: -2 },
      ],
      '#8e5820',
      5,
    ) +
    dots(
      [
        { x: -3, y: 0 },
        { x: 3, y: -3 },
      ],
      '#eec382',
      3.2,
    ),
  'crispy-onion': () =>
    stroke('M-9 4Q-6-7 1-3T9-4', '#4d2208', 5, 0.45) +
    stroke('M-9 4Q-6-7 1-3T9-4', '#b86c22', 3.4) +
    stroke('M-7 0Q-4-5 1-3', '#f0bd6c', 1.2),
  crouton: (sketch: Sketch) =>
    fill('M-9-7L7-9 10 6-6 9Z', linear(sketch, 60, '#fbdc9a', '#d9983f', '#9a5b1c'), `${EDGE} stroke-linejoin="round"`),
  nacho: (sketch: Sketch) =>
    fill(
      'M-22 12Q-2 4 22 10 10-4 1-20-10-4-22 12Z',
      linear(sketch, 70, '#ffdc7c', '#eeac3a', '#bd7418'),
      `${EDGE} stroke-linejoin="round"`,
    ) +
    dots(
      [
        { x: -6, y: 4 },
        { x: 6, y: 2 },
        { x: 0, y: -8 },
        { x: -12, y: 9 },
        { x: 12, y: 7 },
      ],
      '#a3600f',
      1.6,
      0.6,
    ),
  anise: () => stroke('M0-9L0 9M-9 0L9 0M-6-6L6 6M-6 6L6-6', '#5f2b0d', 4) + circle(0, 0, 2.4, '#c58a4a'),
  cinnamon: (sketch: Sketch) =>
    fill(
      'M-30-4L30-6Q33 0 30 6L-30 7Q-33 1-30-4Z',
      linear(sketch, 90, '#c98248', '#8b4a1e', '#b56a33', '#5b2b10'),
      EDGE,
    ) + stroke('M-29 1L29 0', '#4d220a', 1.4, 0.6),
  cardamom: (sketch: Sketch) =>
    fill('M-8 0Q0-7 9 0 0 7-8 0Z', linear(sketch, 80, '#cbd48b', '#76893a'), EDGE) +
    stroke('M-7 0L8 0', '#5b6b2a', 0.9, 0.7),
  clove: () => stroke('M-8 2L5-1', '#3b1c0d', 2.8) + circle(6, -1, 3, '#5b2d14'),
  ice: (sketch: Sketch) =>
    fill(
      'M-15-10Q-14-14-9-14L10-13Q15-13 14-8L13 10Q13 14 8 14L-10 13Q-15 13-15 8Z',
      linear(sketch, 50, ['#fff', 0, 0.85], ['#fff', 0.5, 0.25], ['#fff', 1, 0.6]),
    ) + stroke('M-11-8L-11 5M-8-10L5-10', '#fff', 2.2, 0.9),
  strawberry: (sketch: Sketch) =>
    fill('M-14-7C-8-15 8-15 14-7 14 5 5 15 0 17-5 15-14 5-14-7Z', glow(sketch, '#ff6a5c', '#d91f2f', '#940f22'), EDGE) +
    dots(
      [
        { x: -7, y: -3 },
        { x: 0, y: -5 },
        { x: 7, y: -3 },
        { x: -4, y: 4 },
        { x: 4, y: 4 },
        { x: 0, y: 10 },
      ],
      '#ffdf9a',
      1.8,
    ) +
    fill('M-9-10L-3-12-2-17 2-12 9-11 4-8 0-5-4-8Z', '#4f8a2c'),
  blueberry: (sketch: Sketch) =>
    circle(0, 0, 7, glow(sketch, '#8d9bd6', '#3d4a94', '#1c2354'), EDGE) + stroke('M-2-2l4 0M0-4l0 4', '#1c2354', 1.4),
  raspberry: () =>
    dots(
      [
        { x: -4, y: -3 },
        { x: 3, y: -4 },
        { x: 0, y: 1 },
        { x: 5, y: 2 },
        { x: -4, y: 4 },
        { x: 2, y: 6 },
      ],
      '#8d0f33',
      7.5,
    ) +
    dots(
      [
        { x: -5, y: -4 },
        { x: 2, y: -5 },
        { x: -1, y: 0 },
        { x: 4, y: 1 },
        { x: -5, y: 3 },
      ],
      '#f0557b',
      3.2,
    ),
  marshmallow: (sketch: Sketch) =>
    fill('M-9-7Q0-10 9-7L9 6Q0 10-9 6Z', linear(sketch, 70, '#fff', '#fbe3e2', '#e9c1c0'), EDGE),
  'chocolate-chunk': (sketch: Sketch) =>
    fill('M-9-5L2-9 10-2 4 8-7 6Z', linear(sketch, 55, '#7b4a2c', '#46210f', '#2a1208'), EDGE) +
    stroke('M-6-4L1-6', '#b98460', 1.4, 0.8),
  biscuit: (sketch: Sketch) =>
    fill('M-11-3L-1-10 11-4 8 8-5 10Z', linear(sketch, 60, '#eec185', '#bf8241', '#85511f'), EDGE) +
    dots(
      [
        { x: -3, y: 0 },
        { x: 3, y: -3 },
        { x: 3, y: 4 },
      ],
      '#7a4718',
      1.6,
    ),
} satisfies Record<string, (sketch: Sketch) => string>;
