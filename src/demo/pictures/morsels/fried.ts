import { EDGE, glow, linear } from '#demo/pictures/paint.ts';
import { circle, dots, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

const CRUMBS = [
  { x: -20, y: -4 },
  { x: -9, y: 5 },
  { x: -2, y: -6 },
  { x: 8, y: 3 },
  { x: 17, y: -5 },
  { x: 22, y: 4 },
  { x: -15, y: 8 },
  { x: 3, y: 9 },
];
const TOASTED = CRUMBS.map(({ x, y }) => ({ x: x + 5, y: -y + 1 }));

const chip = (sketch: Sketch, light: string, dark: string, side: string, skin = '') =>
  fill('M-33-5L31-7Q34-7 34-4L33 5-31 7Q-34 7-34 4Z', linear(sketch, 90, light, dark), EDGE) +
  fill('M-33 3L33 0 33 5-31 7Z', side, 'opacity=".7"') +
  fill('M29-7L34-5 33 5 28 5ZM-33-5L-29-5-29 7-34 5Z', side, 'opacity=".55"') +
  stroke('M-27-3L24-5', '#fff', 1.6, 0.6) +
  (skin === '' ? '' : stroke('M-32 6L32 4', skin, 3));

const crispyBar = (sketch: Sketch, light: string, mid: string, dark: string) =>
  fill(
    'M-32-6Q-33-13-24-13L23-14Q33-14 33-5L32 6Q32 13 24 13L-25 14Q-33 13-33 6Z',
    linear(sketch, 75, light, mid, dark),
    EDGE,
  ) +
  dots(CRUMBS, '#fff1c4', 3, 0.75) +
  dots(TOASTED, '#7a3a0c', 2.6, 0.45);

const wing = (sketch: Sketch, light: string, mid: string, dark: string) =>
  fill(
    'M-38 2C-40-8-32-14-22-15-10-20 6-22 12-15 22-17 34-14 37-6 44 0 42 8 34 9 28 17 12 20 2 16-10 22-26 18-30 12-36 10-38 8-38 2Z',
    glow(sketch, light, mid, dark),
    EDGE,
  ) +
  fill('M-30 8Q-14 2 0 8T30 4Q26 15 8 16-6 20-20 17-28 14-30 8Z', dark, 'opacity=".35"') +
  stroke('M-10-2Q4-6 22-2', dark, 2.6, 0.55) +
  stroke('M-28-5Q-20-13-6-13M10-10Q20-12 28-6', '#fff', 2.6, 0.6);

const drumette = (sketch: Sketch, light: string, mid: string, dark: string) =>
  fill('M-36-5Q-44-11-46-3-51 2-44 4-43 10-36 5L-22 4-22-5Z', '#f6e4c6', EDGE) +
  fill(
    'M-25-6C-12-10-6-22 12-20 32-18 38 0 28 12 16 24-8 20-14 10-18 6-26 7-25-6Z',
    glow(sketch, light, mid, dark),
    EDGE,
  ) +
  stroke('M-2 8Q10 14 22 6', dark, 3, 0.5) +
  stroke('M-4-8Q6-15 16-13', '#fff', 3, 0.6);

/** Food from the fryer and the wing pan, drawn around 0,0 and 50 to 70 units long. */
export const fried = {
  chip: (sketch: Sketch) => chip(sketch, '#ffe596', '#f5bf50', '#bd741b'),
  'skin-chip': (sketch: Sketch) => chip(sketch, '#fbdc8c', '#eab04a', '#b06a1c', '#7c4219'),
  'masala-chip': (sketch: Sketch) => chip(sketch, '#fbb95a', '#e07d28', '#9c3d10'),
  'sweet-chip': (sketch: Sketch) => chip(sketch, '#ffab52', '#ec7a22', '#a8430d'),
  'halloumi-chip': (sketch: Sketch) => crispyBar(sketch, '#fff2c6', '#f6cc74', '#cf8a2e'),
  'mozzarella-stick': (sketch: Sketch) => crispyBar(sketch, '#ffda88', '#e9a23e', '#a9641a'),
  'fish-finger': (sketch: Sketch) => crispyBar(sketch, '#ffcf73', '#e8973a', '#a85a18'),
  tender: (sketch: Sketch) =>
    fill(
      'M-40 0C-44-12-28-17-20-14-12-20-2-15 4-16 14-20 24-15 30-11 42-9 44 4 36 9 28 17 16 12 9 15-2 20-12 14-18 14-30 17-38 11-40 0Z',
      glow(sketch, '#ffd988', '#e39c3c', '#a25c19'),
      EDGE,
    ) +
    dots([...CRUMBS, { x: -29, y: 0 }, { x: 29, y: 0 }], '#fff1c4', 4, 0.7) +
    dots(TOASTED, '#7a3a0c', 3.4, 0.5),
  nugget: (sketch: Sketch) =>
    fill(
      'M-20-2C-22-15-8-19 2-15 14-19 23-9 20 2 22 14 8 18-2 14-14 18-22 10-20-2Z',
      glow(sketch, '#ffda88', '#e6a041', '#a9641c'),
      EDGE,
    ) +
    dots(
      [
        { x: -12, y: -6 },
        { x: -3, y: 4 },
        { x: 3, y: -8 },
        { x: 11, y: 2 },
        { x: -10, y: 9 },
      ],
      '#fff1c4',
      3.4,
      0.7,
    ) +
    dots(
      [
        { x: 10, y: -8 },
        { x: 4, y: 10 },
        { x: -6, y: -2 },
        { x: -14, y: 2 },
        { x: 14, y: 9 },
      ],
      '#7a3a0c',
      2.8,
      0.45,
    ),
  'wing-hot': (sketch: Sketch) => wing(sketch, '#ff9a4c', '#dc4a1a', '#861d0b'),
  'drum-hot': (sketch: Sketch) => drumette(sketch, '#ff9a4c', '#dc4a1a', '#861d0b'),
  'wing-bbq': (sketch: Sketch) => wing(sketch, '#b9622f', '#75300f', '#3a1407'),
  'drum-bbq': (sketch: Sketch) => drumette(sketch, '#b9622f', '#75300f', '#3a1407'),
  'wing-honey': (sketch: Sketch) => wing(sketch, '#ffcf6c', '#e2912c', '#96500f'),
  'drum-honey': (sketch: Sketch) => drumette(sketch, '#ffcf6c', '#e2912c', '#96500f'),
  samosa: (sketch: Sketch) =>
    fill(
      'M-34 20Q-2 28 33 17 35 13 32 10 18-14 5-28 0-32-5-27-22-6-36 13-38 18-34 20Z',
      linear(sketch, 60, '#ffdf98', '#e8aa4c', '#a9661f'),
      EDGE,
    ) +
    fill('M-34 20Q-2 28 33 17L28 10Q0 18-31 12Z', '#8f5014', 'opacity=".4"') +
    stroke('M-26 19l2-5M-16 21l2-5M-6 22l1-5M4 22l1-5M14 20l0-5M24 18l-1-5', '#fff0c4', 1.6, 0.7) +
    dots(
      [
        { x: -8, y: 2 },
        { x: 6, y: -6 },
        { x: 2, y: 8 },
        { x: -2, y: -14 },
      ],
      '#b0701f',
      4.5,
      0.5,
    ) +
    stroke('M-22 4Q-10-14-1-22', '#fff6dc', 2.6, 0.6),
  bhaji: (sketch: Sketch) =>
    stroke('M-27-8Q-34-2-28 8M-18-22Q-8-32 6-25M14-22Q30-22 29-6M31 4Q32 18 18 23M8 26Q-6 32-16 22', '#a85a16', 4.5) +
    fill(
      'M-28-2C-32-12-24-18-20-18-18-26-8-27-4-24 4-28 14-26 16-20 26-20 30-10 27-5 33 2 30 12 25 13 24 22 14 25 9 22 2 28-10 26-13 20-24 22-30 14-27 8-31 5-30 0-28-2Z',
      glow(sketch, '#f2aa42', '#c06c1d', '#6b310c'),
      EDGE,
    ) +
    stroke(
      'M-24-4Q-12-20 4-16T20-14M-20 10Q-6-6 12-10T27 2M-8 20Q4 4 22 8M-4-22Q8-18 16-8M-24 4Q-16-8-6-8M4 20Q14 16 20 14',
      '#7a380c',
      3.2,
      0.55,
    ) +
    stroke(
      'M-22-6Q-10-20 4-18M-16 7Q0-8 14-12M-4 14Q8 2 20 4M2-20Q10-16 16-10M-22 2Q-16-6-8-9M8 18Q16 14 21 10',
      '#ffd984',
      2.2,
      0.85,
    ),
  pakora: (sketch: Sketch) =>
    fill(
      'M-26-2C-32-14-18-20-12-19-8-27 4-25 8-20 18-24 26-15 23-8 31-2 28 10 20 12 18 22 6 22 1 18-8 25-20 20-20 12-28 11-30 4-26-2Z',
      glow(sketch, '#f3b24a', '#cf7a22', '#86420f'),
      EDGE,
    ) +
    dots(
      [
        { x: -10, y: -8 },
        { x: 2, y: -14 },
        { x: 10, y: -4 },
        { x: -4, y: 2 },
        { x: -16, y: 2 },
      ],
      '#ffe0a0',
      5.5,
      0.6,
    ) +
    dots(
      [
        { x: 4, y: 6 },
        { x: 14, y: 6 },
        { x: -8, y: 12 },
        { x: 16, y: -12 },
        { x: -16, y: -12 },
      ],
      '#6b300b',
      4.5,
      0.5,
    ) +
    dots(
      [
        { x: -12, y: -2 },
        { x: 6, y: -8 },
        { x: -2, y: 10 },
        { x: 12, y: 12 },
      ],
      '#4d7a22',
      2.6,
    ),
  'battered-ring': () =>
    circle(0, 0, 23, '', 'stroke="#5a2c0866" stroke-width="17"') +
    circle(0, 0, 23, '', 'stroke="#d98e32" stroke-width="14"') +
    circle(-1, -1, 23, '', 'stroke="#f3b853" stroke-width="8"') +
    stroke('M-22-10A24 24 0 0 1 6-24', '#fff0c2', 4, 0.8) +
    dots(
      [
        { x: 24, y: 4 },
        { x: 17, y: 17 },
        { x: -2, y: 24 },
        { x: -22, y: 9 },
        { x: -16, y: -16 },
        { x: 18, y: -15 },
      ],
      '#9a5413',
      3.4,
      0.6,
    ),
  'spring-roll': (sketch: Sketch) =>
    fill('M-38-9Q-44 0-38 10L36 11Q44 2 37-10Z', linear(sketch, 85, '#ffe19a', '#e6a544', '#9c5917'), EDGE) +
    stroke('M-30-8L-12 10M0-9L22 10', '#9c5917', 2, 0.5) +
    stroke('M-32-4L30-5', '#fff3cf', 2.2, 0.7),
  churro: (sketch: Sketch) =>
    fill(
      'M-62-9L60-10Q68-8 68 0 68 9 60 10L-62 10Q-68 8-68 0-68-8-62-9Z',
      linear(sketch, 90, '#e8a95a', '#c27a33', '#7a421a'),
      EDGE,
    ) +
    stroke('M-62-4L62-5M-63 3L63 2', '#6b3a14', 2, 0.5) +
    stroke('M-60-7L58-8', '#ffe7bd', 2, 0.7) +
    dots(
      [...CRUMBS, { x: -44, y: -2 }, { x: -34, y: 5 }, { x: 38, y: -2 }, { x: 50, y: 4 }, { x: -54, y: 5 }],
      '#fff8e6',
      1.8,
    ),
} satisfies Record<string, (sketch: Sketch) => string>;
