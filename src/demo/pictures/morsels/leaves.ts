import { EDGE, glow, linear } from '#demo/pictures/paint.ts';
import { circle, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

/** Herbs and salad leaves, each drawn around 0,0 and about 20 to 50 units long. */
export const leaves = {
  basil: (sketch: Sketch) =>
    fill('M-19 2C-13-11 5-15 20 0 8 13-11 14-19 2Z', linear(sketch, 60, '#7fb34a', '#3f7d2a', '#1f5220'), EDGE) +
    stroke('M-16 2Q0-3 17 0M-6 0l5-6M2-1l6-5M-5 1l7 5M4 0l6 4', '#b9dc86', 1, 0.6),
  coriander: (sketch: Sketch) =>
    fill(
      'M-1 12C-3 5-9 6-14 1c1-4 4-4 6-6-3-4-1-9 3-9 1-3 6-4 8 0 4-1 6 3 4 7 4 0 7 3 6 7-4 4-9 3-12 1L0 12Z',
      linear(sketch, 70, '#86bd4c', '#2f7426'),
      EDGE,
    ) + stroke('M0 10L0-9M-1 1l-7-2M1 0l7 0', '#c7e59a', 0.9, 0.55),
  mint: (sketch: Sketch) =>
    fill(
      'M-20 0l4-5 2-4 5 0 3-4 5 2 4-3 4 4 5 0 3 5 6 4-6 5-3 5-5 0-4 4-5-2-4 2-4-4-5 0-3-4Z',
      linear(sketch, 55, '#93cf6a', '#3d8f45', '#236b3a'),
      EDGE,
    ) + stroke('M-17 0L18 0M-8 0l5-7M1 0l5-6M-7 0l6 7M2 0l6 6', '#cdeeae', 1, 0.55),
  rocket: (sketch: Sketch) =>
    fill(
      'M-30 2C-20-1-16-3-13-2c1-4 5-8 9-8 0 3-1 5 0 7 4-5 9-9 15-7-2 3-3 5-2 7 7-3 15-2 19 3-5 6-13 7-19 4-1 3 0 5 1 7-6 1-11-3-13-7-1 3-2 5-1 7-5 0-9-5-10-9-5 2-9 2-16-2Z',
      linear(sketch, 60, '#6ea33c', '#2d6326'),
      EDGE,
    ) + stroke('M-30 2Q0-2 24 0', '#b4d884', 1.3, 0.7),
  spinach: (sketch: Sketch) =>
    fill('M-24 2C-20-14 2-22 24-2 14 17-10 19-24 2Z', linear(sketch, 65, '#5c9440', '#27602b', '#174521'), EDGE) +
    stroke('M-26 3Q0-2 20-1M-10 1Q-4-6 0-11M4-1Q8-6 10-9M-8 2Q0 8 4 11', '#a9d07f', 1.2, 0.55),
  lettuce: (sketch: Sketch) =>
    fill(
      'M-30 4c-4-9 3-13 7-14 0-9 9-11 13-8 4-7 14-7 17-1 7-4 15 1 14 8 8 0 11 9 7 14 4 7-2 13-8 12-3 7-12 8-16 3-5 6-14 5-17-1-8 2-14-3-13-9-3-1-4-2-4-4Z',
      glow(sketch, '#d9ec96', '#a3cb57', '#649f37'),
      EDGE,
    ) + stroke('M-24 5Q-4-3 20 2M-10 1q4-9 8-11M4-1q6-6 10-7M-6 3q6 7 10 8', '#f0f8c8', 1.8, 0.6),
  radicchio: (sketch: Sketch) =>
    fill(
      'M-22 3C-25-10-10-20 4-17 20-15 27-2 21 8 12 19-17 18-22 3Z',
      glow(sketch, '#b0436b', '#7d2350', '#4d1537'),
      EDGE,
    ) + stroke('M-20 4Q0-2 18 2M-8 1Q-3-8 3-12M4 0Q10-6 14-8M-4 2Q4 9 9 11', '#f3c6d6', 1.6, 0.7),
  parsley: (sketch: Sketch) =>
    fill(
      'M0 8L-3 2-9 4-7-1-11-5-4-5-4-10 0-7 4-11 4-5 11-5 7-1 9 4 3 2Z',
      linear(sketch, 70, '#7ab648', '#34782b'),
      EDGE,
    ),
  'curry-leaf': (sketch: Sketch) =>
    fill('M-17 1C-8-7 6-7 18 0 6 7-8 7-17 1Z', linear(sketch, 60, '#5d8f3b', '#234d20'), EDGE) +
    stroke('M-16 1L16 0', '#a6cd7b', 1, 0.6),
  dill: () =>
    stroke(
      'M-16 4Q0 0 16-6M-10 2l-3-7M-10 2l2 6M-3 1l-3-8M-3 1l3 7M4-2l-2-8M4-2l4 6M10-4l0-6M10-4l5 4',
      '#3f7f33',
      1.8,
    ),
  chive: () => stroke('M-8 3L8-3', '#2c4d16', 4.4) + stroke('M-8 3L8-3', '#77b043', 2.8),
  'spring-onion': (sketch: Sketch) =>
    circle(0, 0, 5.2, '#e9f2bf', EDGE) +
    circle(0, 0, 4.4, '', `stroke="${linear(sketch, 60, '#9bcb55', '#4c8a30')}" stroke-width="2.6"`),
} satisfies Record<string, (sketch: Sketch) => string>;
