import { EDGE, glow, linear, radial } from '#demo/pictures/paint.ts';
import { circle, dots, ellipse, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

const CHUNK = 'M-17-5Q-15-13-7-14L4-16Q12-15 15-8L19 1Q19 8 13 12L3 16Q-6 17-11 13L-18 5Q-20 0-17-5Z';
const CUBE = 'M-12-8Q-11-13-5-12L8-13Q13-12 13-6L12 7Q11 12 5 12L-7 12Q-13 11-12 5Z';

/** A lump with a lit top; `char` is the colour of its burnt edge. */
const chunk = (body: string, top: string, char: string) =>
  fill(CHUNK, body, EDGE) +
  fill('M-13-5Q-11-11-5-11L4-12Q9-11 11-6L13 0Q11 5 6 6L-5 7Q-10 6-12 3Z', top, 'opacity=".75"') +
  stroke('M-8-8L-5 3M2-10L6 3M-14 9Q-2 16 10 11', char, 2.6, 0.5);

const PIECE = 'M-18-2C-19-11-11-15-4-13 2-17 12-15 15-9 21-4 19 6 13 9 9 15-1 15-6 12-14 13-19 6-18-2Z';

/** A tender piece cooked in sauce: without char, with a faint grain. */
const piece = (body: string, top: string, grain: string) =>
  fill(PIECE, body, EDGE) +
  fill('M-13-4Q-9-11-2-9 5-13 11-7 13-2 8 0 0-1-5 2-12 2-13-4Z', top, 'opacity=".7"') +
  stroke('M-12 6Q-4 3 2 6M0 10Q7 9 12 4M4-6Q8-4 11-5M-9-3Q-5-5-2-4', grain, 1.8, 0.6);

/** Meat, fish, paneer and other main ingredients, drawn around 0,0 and about 25 to 30 units wide. */
export const meats = {
  pepperoni: (sketch: Sketch) =>
    circle(
      0,
      0,
      13.5,
      radial(sketch, { cx: 0.42, cy: 0.4, r: 0.6 }, '#d94a2c', '#c4321f', ['#a82216', 0.82], ['#7c130d', 1]),
      EDGE,
    ) +
    dots(
      [
        { x: -5, y: -4 },
        { x: 4, y: -6 },
        { x: 6, y: 3 },
        { x: -2, y: 6 },
        { x: 0, y: -1 },
      ],
      '#f0a184',
      2.4,
      0.8,
    ) +
    stroke('M-10.5-5A12 12 0 0 1-2-11.5', '#ffc9ae', 1.8, 0.75),
  'chicken-piece': (sketch: Sketch) => piece(glow(sketch, '#fbdfae', '#e3aa5e', '#a5672a'), '#fff1cf', '#a9682a'),
  'lamb-piece': (sketch: Sketch) => piece(glow(sketch, '#a8633a', '#74381b', '#3d180a'), '#cf8c5e', '#31120680'),
  'fish-piece': (sketch: Sketch) => piece(glow(sketch, '#fff6e2', '#f3cd92', '#c28440'), '#fffdf6', '#c98e4c'),
  chicken: (sketch: Sketch) => chunk(glow(sketch, '#f6cd88', '#d99a4c', '#9c5c22'), '#fdebbd', '#8a4716'),
  tikka: (sketch: Sketch) => chunk(glow(sketch, '#f5863a', '#d4541e', '#8e260d'), '#ffae62', '#4c1407'),
  'butter-chicken': (sketch: Sketch) => chunk(glow(sketch, '#fbab57', '#e2752a', '#a84312'), '#ffcd8a', '#8e2f0d'),
  'green-tikka': (sketch: Sketch) => chunk(glow(sketch, '#c6c75f', '#8b9c38', '#50621c'), '#e6e394', '#323c10'),
  lamb: (sketch: Sketch) => chunk(glow(sketch, '#9c5a33', '#6b3218', '#3b170b'), '#bd7a4c', '#270d05'),
  beef: (sketch: Sketch) => chunk(glow(sketch, '#83492f', '#562817', '#2f120a'), '#a4694a', '#1d0904'),
  fish: (sketch: Sketch) => chunk(glow(sketch, '#fdeac4', '#ecbb70', '#b87830'), '#fff8e4', '#b06a25'),
  paneer: (sketch: Sketch) =>
    fill(CUBE, linear(sketch, 55, '#fffbe9', '#f7e2b0', '#e0b46c'), EDGE) +
    fill('M-11-4Q-2-1 3-5 10-8 12-3L12-7Q11-12 7-12L-6-11Q-11-11-11-4Z', '#c98433', 'opacity=".45"') +
    stroke('M-7 8L5 8', '#b8732a', 2.4, 0.45),
  'paneer-tikka': (sketch: Sketch) =>
    fill(CUBE, linear(sketch, 55, '#ffd994', '#f0a648', '#c0661d'), EDGE) +
    fill('M-8-8L5-9Q9-9 8-5L7 3-7 4Z', '#ffeec6', 'opacity=".55"') +
    stroke('M-9-3L8-5M-8 5L9 3', '#6b2a0a', 2.8, 0.6),
  tofu: (sketch: Sketch) =>
    fill(CUBE, linear(sketch, 55, '#fff3c9', '#eec579', '#b87a2c'), EDGE) + stroke('M-7-8L5-9', '#fff8df', 2, 0.8),
  meatball: (sketch: Sketch) =>
    circle(0, 0, 13, glow(sketch, '#b06a3c', '#7c3d1d', '#43190c'), EDGE) +
    dots(
      [
        { x: 3, y: 3 },
        { x: -4, y: 5 },
        { x: 6, y: -3 },
        { x: 0, y: 8 },
        { x: -7, y: 0 },
      ],
      '#3a150a',
      2.6,
      0.5,
    ) +
    stroke('M-7-6Q-3-10 2-9', '#f1c49a', 2.4, 0.75),
  falafel: (sketch: Sketch) =>
    circle(0, 0, 15, glow(sketch, '#c98f45', '#945a22', '#552c10'), EDGE) +
    dots(
      [
        { x: 4, y: 4 },
        { x: -5, y: 6 },
        { x: 8, y: -3 },
        { x: 1, y: 9 },
        { x: -9, y: 1 },
        { x: 0, y: -1 },
      ],
      '#3c1d0a',
      3,
      0.5,
    ) +
    dots(
      [
        { x: -5, y: -5 },
        { x: 3, y: -7 },
        { x: -2, y: -9 },
        { x: -8, y: -2 },
      ],
      '#f3d08c',
      2.4,
      0.8,
    ),
  keema: () =>
    dots(
      [
        { x: -7, y: 2 },
        { x: 1, y: -5 },
        { x: 7, y: 2 },
        { x: -1, y: 4 },
      ],
      '#2e1006',
      7.5,
      0.6,
    ) +
    dots(
      [
        { x: -7, y: 1 },
        { x: 1, y: -6 },
        { x: 7, y: 1 },
        { x: -1, y: 3 },
      ],
      '#8b4a26',
      6,
    ) +
    dots(
      [
        { x: -8, y: 0 },
        { x: 0, y: -7 },
        { x: 6, y: 0 },
      ],
      '#c98a5c',
      2,
    ),
  rasher: (sketch: Sketch) =>
    fill(
      'M-27-6Q-18-13-9-7T9-8 27-7L27 6Q17 1 9 6T-9 7-27 7Z',
      linear(sketch, 90, '#b8452f', '#8d2a1d', '#c4573a', '#75200f'),
      EDGE,
    ) + stroke('M-26 1Q-17-6-9 0T9-1 26 0', '#f6c9a4', 3, 0.85),
  prawn: (sketch: Sketch) =>
    stroke('M-9 12C-20 2-10-15 6-11 13-9 14-3 13 0', '#7b2a10', 13, 0.35) +
    stroke('M-9 12C-20 2-10-15 6-11 13-9 14-3 13 0', linear(sketch, 60, '#ffd3b0', '#f58a5a', '#d9532b'), 10.5) +
    stroke('M-16 2l8-1M-13-7l7 5M-5-14l3 8M5-15l-1 8', '#fff0e2', 1.8, 0.85) +
    fill('M-9 12L-17 20Q-8 22-4 18-2 13-6 11Z', '#d8452a'),
  squid: () =>
    circle(0, 0, 13, '', 'stroke="#5a2c08" stroke-opacity=".35" stroke-width="11"') +
    circle(0, 0, 13, '', 'stroke="#dd9a3d" stroke-width="8.5"') +
    stroke('M-12-5A13 13 0 0 1 3-12.500M8 10A13 13 0 0 1-3 12.5', '#fbdc94', 3) +
    dots(
      [
        { x: 12, y: -4 },
        { x: -13, y: 3 },
        { x: 9, y: 9 },
        { x: -7, y: -11 },
      ],
      '#a55c1c',
      2.6,
    ),
  halloumi: (sketch: Sketch) =>
    fill(
      'M-22-10Q-21-13-17-13L17-12Q22-12 22-8L21 9Q20 13 16 13L-18 12Q-22 12-22 8Z',
      linear(sketch, 70, '#fff8dc', '#f4d996', '#d9a651'),
      EDGE,
    ) + stroke('M-14-9L-8 9M-4-9L2 9M6-9L12 9', '#8a4a14', 4, 0.7),
  egg: (sketch: Sketch) =>
    ellipse({ rx: 15, ry: 12 }, '#fffaf0', EDGE) +
    circle(1, 0, 7, glow(sketch, '#ffd968', '#f5a51f', '#d9790f')) +
    stroke('M-3-2Q-1-5 2-5', '#fff3c4', 1.6),
  'doner-strip': (sketch: Sketch) =>
    fill(
      'M-26-3C-16-9 2-2 12-7 20-10 28-6 27-1 20 1 12 6 0 5S-20 8-27 4Z',
      linear(sketch, 85, '#c27a48', '#8f4f28', '#5c2b12'),
      EDGE,
    ) + stroke('M-22-2Q-8-5 4-2T22-5', '#e9b684', 1.8, 0.7),
  'chicken-strip': (sketch: Sketch) =>
    fill(
      'M-26-3C-16-10 2-6 14-8 22-9 28-5 26 1 18 6 6 8-6 7S-28 7-26-3Z',
      linear(sketch, 85, '#fbdc9c', '#dda254', '#9c5f26'),
      EDGE,
    ) + stroke('M-15-6L-11 6M-2-7L2 7M11-8L14 5', '#743a12', 2.8, 0.6),
} satisfies Record<string, (sketch: Sketch) => string>;
