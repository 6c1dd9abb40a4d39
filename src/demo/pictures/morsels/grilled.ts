import { EDGE, glow, linear, radial } from '#demo/pictures/paint.ts';
import { circle, dots, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

const seekh = (sketch: Sketch, light: string, mid: string, dark: string) =>
  fill(
    'M-72-6Q-74-11-66-11-56-14-48-11-38-14-28-11-18-14-8-11 2-14 12-11 22-14 32-11 42-14 52-11 66-13 70-6 74 4 68 9 58 13 48 10 38 13 28 10 18 13 8 10-2 13-12 10-22 13-32 10-42 13-52 10-66 13-71 7-75 0-72-6Z',
    linear(sketch, 90, light, mid, dark),
    EDGE,
  ) +
  stroke('M-48-9q4 8 0 17M-28-9q4 8 0 17M-8-9q4 8 0 17M12-9q4 8 0 17M32-9q4 8 0 17M52-9q4 8 0 17', dark, 2.6, 0.6) +
  stroke('M-64-6l10-1M-43-7l9-1M-23-7l9-1M-3-7l9-1M17-7l9-1M37-7l9-1', '#fff', 2, 0.45) +
  dots(
    [
      { x: -56, y: 3 },
      { x: -36, y: 2 },
      { x: -16, y: 4 },
      { x: 20, y: 2 },
      { x: 42, y: 4 },
    ],
    '#5f8a2a',
    2.4,
  ) +
  dots(
    [
      { x: -60, y: -2 },
      { x: -20, y: -2 },
      { x: 4, y: 3 },
      { x: 60, y: 1 },
    ],
    '#d8431f',
    2.2,
  );

const leg = (sketch: Sketch, light: string, mid: string, dark: string) =>
  fill('M-66-8Q-78-14-80-4-86 2-78 6-76 14-66 8L-44 4-44-7Z', '#f2ddbb', EDGE) +
  fill(
    'M-48-9C-26-12-16-32 14-34 50-34 66-8 56 14 46 34 8 38-14 24-28 16-34 8-48 9-52 4-52-4-48-9Z',
    glow(sketch, light, mid, dark),
    EDGE,
  ) +
  stroke('M-8-18Q4-6 2 12M14-24Q28-8 24 14M36-20Q46-8 42 8', dark, 5, 0.6) +
  stroke('M-14-14Q0-26 18-26M48-8Q50 4 44 14', '#fff', 3, 0.5);

/** Pieces from the charcoal grill and the tandoor, and the larger things beside them; drawn around 0,0. */
export const grilled = {
  'seekh-lamb': (sketch: Sketch) => seekh(sketch, '#b4683c', '#7a3a1b', '#3c180a'),
  'seekh-chicken': (sketch: Sketch) => seekh(sketch, '#f2b368', '#cf8437', '#84480f'),
  'tandoori-leg': (sketch: Sketch) => leg(sketch, '#f8884a', '#cf4a1f', '#741d0c'),
  'lemon-leg': (sketch: Sketch) => leg(sketch, '#fbd27c', '#d9963a', '#8b4c14'),
  'half-chicken': (sketch: Sketch) =>
    fill('M60-30C78-46 96-40 100-30 108-34 112-24 104-20 108-12 98-10 92-14 82-12 74-8 66-2Z', '#d9813a', EDGE) +
    fill(
      'M-96 6C-104-30-66-66-22-66 10-68 34-54 52-40 76-34 92-10 86 14 80 40 52 52 30 48 6 66-30 66-56 54-80 46-94 30-96 6Z',
      glow(sketch, '#ffc868', '#d97a2a', '#7d3210'),
      EDGE,
    ) +
    fill(
      'M8 6C26-14 62-18 76 0 84 24 58 42 36 36 18 34 4 22 8 6Z',
      glow(sketch, '#ffb658', '#cf6d22', '#84380f'),
      EDGE,
    ) +
    fill(
      'M-90 20C-80 2-58 2-50 16-44 32-60 44-72 42-84 40-92 32-90 20Z',
      glow(sketch, '#ffb658', '#c8651f', '#7a330d'),
      EDGE,
    ) +
    stroke('M-64-34L-34-8M-42-48L-8-18M-18-54L18-26M-50 4L-22 30', '#4a1a06', 7, 0.5) +
    stroke('M-78-20Q-66-48-34-56M22 2Q38-10 58-4M-80 16Q-74 8-64 10', '#fff6d4', 4, 0.6) +
    dots(
      [
        { x: -40, y: 12 },
        { x: -14, y: 4 },
        { x: -4, y: -40 },
        { x: 20, y: -36 },
        { x: -30, y: 42 },
        { x: 0, y: 44 },
        { x: 46, y: 18 },
        { x: -66, y: -10 },
        { x: 30, y: 12 },
      ],
      '#3f6d1c',
      3,
    ) +
    dots(
      [
        { x: -52, y: -22 },
        { x: -26, y: -32 },
        { x: 6, y: -12 },
        { x: -10, y: 24 },
        { x: 54, y: 6 },
        { x: -60, y: 28 },
      ],
      '#c2260f',
      2.6,
    ),
  'lamb-chop': (sketch: Sketch) =>
    stroke('M20-4Q48-26 80-22', '#4d220a', 12, 0.35) +
    stroke('M20-4Q48-26 80-22', '#f3e2c4', 9) +
    stroke('M20-6Q48-28 78-24', '#fff', 2, 0.6) +
    fill(
      'M-44 2C-46-24-18-34 6-28 30-24 40-8 34 10 26 30-4 34-22 26-38 22-44 14-44 2Z',
      glow(sketch, '#b06a3e', '#74351a', '#35140a'),
      EDGE,
    ) +
    stroke('M-40-4Q-34-22-10-25 10-26 24-16', '#f0c68d', 5, 0.7) +
    stroke('M-28-6L-12 18M-12-14L8 14M6-16L22 6', '#220b04', 5, 0.55),
  'salmon-fillet': (sketch: Sketch) =>
    fill(
      'M-52-14Q-10-28 46-16 58-4 52 12 10 26-46 18-62 2-52-14Z',
      linear(sketch, 80, '#ffb487', '#f0794a', '#b9441f'),
      EDGE,
    ) +
    stroke('M-40-14Q-28 0-38 15M-20-19Q-8-2-18 19M2-20Q14-2 4 20M24-19Q36-2 26 18', '#ffdcc2', 2.4, 0.8) +
    stroke('M-46-6L44 8M-40 8L30 14', '#5a1d08', 4, 0.45),
  corn: (sketch: Sketch) => {
    const kernels = [-12, -4, 4, 12].flatMap((y) =>
      Array.from({ length: 11 }, (_, index) => ({ x: -50 + index * 10 + (y % 8 === 0 ? 0 : 4), y })),
    );
    return (
      fill(
        'M-58-14Q-40-22 0-21 44-21 58-12 64 0 58 12 44 21 0 21-40 22-58 14-64 0-58-14Z',
        linear(sketch, 90, '#f9d24a', '#eda922', '#b06e0e'),
        EDGE,
      ) +
      dots(kernels, '#fff0a0', 5.5, 0.7) +
      stroke('M-36-16L-30 14M0-18L6 16M34-16L38 12', '#4d2406', 6, 0.45)
    );
  },
  popadom: (sketch: Sketch) =>
    fill(
      'M-68-8C-72-40-40-70-6-68 30-74 66-44 68-10 74 26 46 60 14 66-24 74-62 50-66 18-70 8-70 0-68-8Z',
      radial(sketch, { cx: 0.4, cy: 0.36, r: 0.68 }, '#fff0bd', '#f6d384', '#d99b3e'),
      EDGE,
    ) +
    dots(
      [
        { x: -30, y: -28 },
        { x: 6, y: -44 },
        { x: 36, y: -22 },
        { x: -44, y: 10 },
        { x: -8, y: 0 },
        { x: 30, y: 16 },
        { x: -20, y: 38 },
        { x: 14, y: 44 },
        { x: 48, y: 8 },
      ],
      '#fff8dc',
      13,
      0.5,
    ) +
    dots(
      [
        { x: -18, y: -14 },
        { x: 20, y: -8 },
        { x: -34, y: 26 },
        { x: 4, y: 24 },
        { x: 40, y: 36 },
        { x: -52, y: -18 },
        { x: 20, y: -56 },
        { x: -10, y: 54 },
      ],
      '#b06f1e',
      4,
      0.5,
    ) +
    dots(
      [
        { x: -4, y: -26 },
        { x: -24, y: 8 },
        { x: 14, y: 8 },
        { x: 48, y: -18 },
        { x: -42, y: 40 },
        { x: 30, y: -38 },
      ],
      '#5a3612',
      2.4,
    ),
  'garlic-bread': (sketch: Sketch) =>
    fill(
      'M-36-8C-34-24-14-28 2-26 22-28 38-18 36-2 36 18 18 24 0 22-20 26-38 14-36-8Z',
      glow(sketch, '#d6964c', '#b06f2c', '#74410f'),
      EDGE,
    ) +
    fill(
      'M-29-7C-27-19-12-22 2-20 18-22 30-14 29-2 29 13 15 17 0 16-16 19-31 10-29-7Z',
      radial(sketch, { cx: 0.45, cy: 0.42, r: 0.6 }, '#fff0b8', '#fbd988', '#e9ac4a'),
    ) +
    dots(
      [
        { x: -14, y: -6 },
        { x: 2, y: -12 },
        { x: 14, y: -2 },
        { x: -4, y: 4 },
        { x: 6, y: 10 },
        { x: -18, y: 4 },
      ],
      '#55862a',
      3,
    ) +
    dots(
      [
        { x: 8, y: -7 },
        { x: -8, y: -12 },
        { x: 18, y: 6 },
        { x: -10, y: 10 },
      ],
      '#c9701c',
      5,
      0.5,
    ),
  'dough-ball': (sketch: Sketch) =>
    circle(0, 0, 25, glow(sketch, '#ffe6ab', '#e9b057', '#a9661f'), EDGE) +
    stroke('M-14-10Q-6-19 6-18', '#fff', 3.6, 0.6) +
    dots(
      [
        { x: -8, y: -2 },
        { x: 6, y: -8 },
        { x: 10, y: 6 },
        { x: -4, y: 10 },
        { x: 2, y: 1 },
      ],
      '#4c7d24',
      3,
    ),
  pitta: (sketch: Sketch) =>
    fill(
      'M-44 20C-58-6-34-36 4-38 44-40 62-8 46 18 Q4 34-44 20Z',
      linear(sketch, 70, '#fdebc4', '#e9c184', '#b98042'),
      EDGE,
    ) +
    dots(
      [
        { x: -18, y: -10 },
        { x: 10, y: -20 },
        { x: 26, y: 2 },
        { x: -4, y: 8 },
      ],
      '#b0702f',
      9,
      0.35,
    ),
  'stuffed-mushroom': (sketch: Sketch) =>
    circle(0, 0, 27, glow(sketch, '#c99a68', '#8b5c33', '#4f2f17'), EDGE) +
    circle(0, 0, 19, glow(sketch, '#ffeaa8', '#f3bf58', '#c97d24')) +
    dots(
      [
        { x: -6, y: -5 },
        { x: 6, y: -2 },
        { x: -1, y: 7 },
        { x: 9, y: 7 },
      ],
      '#4c7d24',
      3,
    ) +
    dots(
      [
        { x: 2, y: -10 },
        { x: -10, y: 4 },
        { x: 3, y: 2 },
      ],
      '#b0611a',
      4,
      0.6,
    ),
} satisfies Record<string, (sketch: Sketch) => string>;
