import { EDGE, glow, linear } from '#demo/pictures/paint.ts';
import { circle, dots, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

const scoop = (sketch: Sketch, light: string, mid: string, dark: string, specks = '') =>
  fill(
    'M-36 0C-40-22-20-38 2-37 24-38 40-20 37 2 42 14 34 22 28 24 24 34 10 32 6 29-4 37-16 34-20 29-32 31-40 20-36 10-38 6-37 3-36 0Z',
    glow(sketch, light, mid, dark),
    EDGE,
  ) +
  stroke('M-24-12Q-12-28 8-28M-28 6Q-8-6 24-2M-16 20Q2 10 24 14', '#fff', 3, 0.35) +
  (specks === ''
    ? ''
    : dots(
        [
          { x: -14, y: -10 },
          { x: 4, y: -16 },
          { x: 16, y: -2 },
          { x: -4, y: 2 },
          { x: 8, y: 14 },
          { x: -18, y: 12 },
          { x: 22, y: 12 },
        ],
        specks,
        3.4,
      ));

/** Puddings and their parts, drawn around 0,0. */
export const sweets = {
  'vanilla-scoop': (sketch: Sketch) => scoop(sketch, '#fffdf0', '#fdf0cc', '#e3c68b', '#a5793b'),
  'chocolate-scoop': (sketch: Sketch) => scoop(sketch, '#a8714c', '#74442a', '#43220f', '#2c1206'),
  'strawberry-scoop': (sketch: Sketch) => scoop(sketch, '#ffd9dc', '#f59fae', '#cf6079', '#c21f3c'),
  'pistachio-scoop': (sketch: Sketch) => scoop(sketch, '#eef2c6', '#c6d38a', '#8c9f4c', '#5a752a'),
  'mango-scoop': (sketch: Sketch) => scoop(sketch, '#ffe79a', '#fbbf45', '#d98a1c'),
  gulab: (sketch: Sketch) =>
    circle(0, 0, 25, glow(sketch, '#c8672a', '#83330f', '#3f1405'), EDGE) +
    stroke('M-13-9Q-6-18 6-17', '#ffe6c4', 4, 0.8),
  rasmalai: (sketch: Sketch) =>
    circle(0, 0, 27, glow(sketch, '#fffdf2', '#fcefc6', '#e4c580'), EDGE) +
    dots(
      [
        { x: -6, y: -4 },
        { x: 4, y: 2 },
        { x: -2, y: 7 },
        { x: 7, y: -6 },
      ],
      '#7d9a34',
      4,
    ) +
    stroke('M-15-11Q-7-19 5-19', '#fff', 3, 0.8),
  baklava: (sketch: Sketch) =>
    fill('M-36 0L0-24 36 0 36 10 0 34-36 10Z', '#8a4f1a', EDGE) +
    fill('M-36 0L0-24 36 0 0 24Z', linear(sketch, 45, '#ffd887', '#e3a044', '#b56f22')) +
    stroke('M-36 4L0 28 36 4M-36 8L0 32 36 8', '#f0c070', 1.6, 0.8) +
    dots(
      [
        { x: -6, y: -4 },
        { x: 4, y: -6 },
        { x: 0, y: 2 },
        { x: 8, y: 2 },
        { x: -8, y: 4 },
        { x: 2, y: 8 },
      ],
      '#7d9a34',
      5,
    ) +
    stroke('M-24-2L0-18', '#fff4d0', 2.4, 0.7),
  brownie: (sketch: Sketch) =>
    fill('M-36-30L32-34Q38-34 38-28L40 26Q41 34 34 36L-32 40Q-40 40-40 32L-42-22Q-42-30-36-30Z', '#35170a', EDGE) +
    fill(
      'M-36-34L32-38Q38-38 38-32L39 20Q40 28 33 29L-32 33Q-39 33-39 26L-42-26Q-42-34-36-34Z',
      linear(sketch, 50, '#95603f', '#643519', '#42200f'),
    ) +
    stroke(
      'M-30-20L-14-12-10-24M-14-12L-18 6-4 14 12 4 28 10M-4 14L-6 26M12 4L8-14 20-24M8-14L-4-16',
      '#2c1206',
      1.8,
      0.55,
    ) +
    stroke('M-34-28L16-31', '#d9a67c', 2.4, 0.5),
  cookie: (sketch: Sketch) =>
    circle(0, 0, 34, glow(sketch, '#f2c583', '#cf924a', '#8f5723'), EDGE) +
    dots(
      [
        { x: -12, y: -12 },
        { x: 10, y: -16 },
        { x: 16, y: 6 },
        { x: -4, y: 4 },
        { x: -18, y: 12 },
        { x: 4, y: 20 },
      ],
      '#43200d',
      9,
    ) +
    dots(
      [
        { x: -14, y: -14 },
        { x: 8, y: -18 },
        { x: 14, y: 4 },
        { x: -6, y: 2 },
      ],
      '#9a6a4c',
      3,
    ),
  kulfi: (sketch: Sketch) =>
    stroke('M52 0L92 0', '#8b5a2a', 9) +
    stroke('M54-2L90-2', '#e9c48c', 4) +
    fill(
      'M-58-18Q-66-16-66 0T-58 18L50 25Q58 24 58 16L58-16Q58-24 50-25Z',
      linear(sketch, 80, '#fff4d2', '#f1d296', '#c99e56'),
      EDGE,
    ) +
    dots(
      [
        { x: -44, y: -4 },
        { x: -26, y: 8 },
        { x: -10, y: -9 },
        { x: 10, y: 6 },
        { x: 28, y: -8 },
        { x: 42, y: 10 },
        { x: -34, y: -10 },
        { x: 0, y: 14 },
      ],
      '#7d9a34',
      4,
    ) +
    stroke('M-56-12L44-18', '#fff', 3, 0.7),
  cheesecake: (sketch: Sketch) =>
    fill('M-104 16L62 26 86-64Q98-52 98-30L98 6Q84 64 66 72L-96 58Z', '#c98a48', EDGE) +
    fill('M-104 16L64 26 66 56-101 44Z', linear(sketch, 90, '#fffaf0', '#f4e2bd')) +
    fill('M-101 44L66 56 66 72-97 59Z', linear(sketch, 90, '#c88a48', '#8d5421')) +
    fill('M64 26Q94 0 97-44L98 6Q90 54 66 72Z', linear(sketch, 0, '#eed6a4', '#cf9f5c')) +
    fill('M-104 16Q-60-12 74-72 98-52 97-34 92 0 64 26Z', linear(sketch, 30, '#fffaf0', '#fbe7c0', '#e9bd76')),
  'toffee-pudding': (sketch: Sketch) =>
    fill('M-52-40L46-44Q54-44 55-36L57 34Q58 44 48 45L-48 49Q-58 49-58 40L-60-30Q-60-40-52-40Z', '#4d220c', EDGE) +
    fill(
      'M-52-44L46-48Q54-48 55-40L56 26Q57 36 47 37L-48 41Q-58 41-58 32L-60-34Q-60-44-52-44Z',
      linear(sketch, 50, '#c47a3c', '#8c4a1d', '#5f2d0f'),
    ) +
    dots(
      [
        { x: -30, y: -16 },
        { x: -8, y: -28 },
        { x: 20, y: -20 },
        { x: 34, y: 6 },
        { x: -14, y: 20 },
        { x: -38, y: 18 },
      ],
      '#4a200a',
      4,
      0.5,
    ),
  wafer: (sketch: Sketch) =>
    fill('M-30-9L30-9 30 9-30 9Z', linear(sketch, 90, '#ffe2a6', '#e3ab58'), EDGE) +
    stroke('M-20-9L-8 9M-6-9L6 9M8-9L20 9M-8-9L-20 9M6-9L-6 9M20-9L8 9', '#a8682a', 1.4, 0.6),
} satisfies Record<string, (sketch: Sketch) => string>;
