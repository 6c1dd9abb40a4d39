import { EDGE, glow, linear, radial } from '#demo/pictures/paint.ts';
import { circle, dots, ellipse, fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';

const ring = (outer: string, inner: string, seeds: string) =>
  circle(0, 0, 7.5, inner, EDGE) +
  circle(0, 0, 7.6, '', `stroke="${outer}" stroke-width="3.6"`) +
  stroke('M-6.5-4A7.6 7.6 0 0 1 1-7.6', '#fff', 1.2, 0.55) +
  dots(
    [
      { x: -2, y: 1 },
      { x: 2, y: -2 },
      { x: 2, y: 2 },
    ],
    seeds,
    2,
  );

const strip = (dark: string, body: string, shine: string) =>
  stroke('M-17 5Q-2-12 17 2', dark, 9.5, 0.55) +
  stroke('M-17 5Q-2-12 17 2', body, 7.5) +
  stroke('M-15 3Q-2-12 13-2', shine, 1.8, 0.7);

/** Cut vegetables and fruit, drawn around 0,0. */
export const vegetables = {
  tomato: (sketch: Sketch) =>
    circle(0, 0, 17, glow(sketch, '#f0553a', '#cf2c1e', '#a01a14'), EDGE) +
    fill(
      'M-10-7Q0-15 9-8 2-2 0-2-4-2-10-7ZM-12-3Q-4 0-2 3-3 9-8 10-16 4-12-3ZM12-3Q4-1 3 2 4 9 9 9 15 4 12-3Z',
      '#f58a5c',
    ) +
    dots(
      [
        { x: -5, y: -8 },
        { x: 3, y: -9 },
        { x: -9, y: 4 },
        { x: 9, y: 3 },
        { x: -6, y: 7 },
        { x: 8, y: 7 },
      ],
      '#fde3a0',
      2.4,
    ) +
    stroke('M-14-7A16 16 0 0 1-3-15.5', '#fff', 1.8, 0.6),
  'cherry-tomato': (sketch: Sketch) =>
    circle(0, 0, 12, glow(sketch, '#ff7a4f', '#d8301f', '#9d1713'), EDGE) +
    fill('M-8-2Q-5-9 0-8 2-4-1-1-5 1-8-2ZM8 0Q8-7 3-8 0-3 3 0ZM-6 3Q-1 1 3 4 3 9-2 9-6 7-6 3Z', '#ff9c66') +
    dots(
      [
        { x: -4, y: -4 },
        { x: 5, y: -3 },
        { x: -1, y: 6 },
      ],
      '#fff0b8',
      2.2,
    ),
  cucumber: (sketch: Sketch) =>
    circle(
      0,
      0,
      16,
      radial(
        sketch,
        { cx: 0.45, cy: 0.42, r: 0.56 },
        '#eff6c9',
        '#d9eba6',
        ['#bcdc83', 0.86],
        ['#3f7a2c', 0.9],
        ['#2c5c20', 1],
      ),
      EDGE,
    ) +
    dots(
      [
        { x: 0, y: -7 },
        { x: 6, y: -3 },
        { x: 6, y: 4 },
        { x: 0, y: 7 },
        { x: -6, y: 4 },
        { x: -6, y: -3 },
      ],
      '#a9c96c',
      2.6,
    ),
  pickle: (sketch: Sketch) =>
    circle(
      0,
      0,
      13,
      radial(sketch, { cx: 0.45, cy: 0.42, r: 0.56 }, '#d6d884', '#b9c458', ['#98aa3c', 0.84], ['#5d7a22', 1]),
      EDGE,
    ) +
    dots(
      [
        { x: 0, y: -6 },
        { x: 5, y: 0 },
        { x: 0, y: 6 },
        { x: -5, y: 0 },
      ],
      '#eef0b4',
      2.2,
    ),
  'red-onion': () =>
    stroke('M-14 5A15 15 0 0 1 14 4', '#5b1c3a', 7, 0.35) +
    stroke('M-14 5A15 15 0 0 1 14 4', '#a63f74', 4.6) +
    stroke('M-13 4.500A14 14 0 0 1 13 4', '#f3d6e2', 2.2),
  'onion-ring': () =>
    circle(0, 0, 12, '', 'stroke="#5b1c3a" stroke-opacity=".35" stroke-width="6"') +
    circle(0, 0, 12, '', 'stroke="#a63f74" stroke-width="4"') +
    circle(0, 0, 11.6, '', 'stroke="#f6dfe8" stroke-width="1.8"'),
  mushroom: (sketch: Sketch) =>
    fill(
      'M-15 1C-16-11-7-15 0-15S16-11 15 1C14 5 7 4 5 3L6 13C5 16-5 16-6 13L-5 3C-7 4-14 5-15 1Z',
      linear(sketch, 80, '#fbf0d8', '#e4c99c'),
      EDGE,
    ) +
    stroke('M-15 1C-16-11-7-15 0-15S16-11 15 1', '#a9794a', 2.6) +
    stroke('M-10 0Q-7-6 0-6T10 0M-2 2L-2 12M2 2L2 12', '#9a6d43', 1.4, 0.7),
  olive: () =>
    circle(0, 0, 6.2, '#f2c879', EDGE) +
    circle(0, 0, 6.4, '', 'stroke="#2a2324" stroke-width="5"') +
    stroke('M-6-3.500A7 7 0 0 1 0-7', '#9a8a90', 1.5),
  jalapeno: () => ring('#5d9432', '#d6e59a', '#f6f2c4'),
  'chilli-ring': () => ring('#cf2a1c', '#f6b48d', '#ffe9b5'),
  chilli: (sketch: Sketch) =>
    fill(
      'M-34 10C-20 9 2 6 17-7 21-10 28-9 29-3 26 9-6 22-34 10Z',
      linear(sketch, 80, '#f0523a', '#c71f18', '#7f0f10'),
      EDGE,
    ) +
    stroke('M-18 10Q8 7 22-4', '#ffb59a', 2, 0.75) +
    fill('M17-9Q24-14 31-9 33-4 29-1 25-4 17-9Z', '#4f7f2c') +
    stroke('M30-8Q36-12 42-9', '#4f7f2c', 3),
  'green-chilli': () =>
    stroke('M-15 4Q0-3 15 3', '#274a16', 6.5, 0.55) +
    stroke('M-15 4Q0-3 14 2', '#5b9a34', 4.6) +
    stroke('M-12 2Q0-3 10 0', '#c3e58e', 1.2, 0.8),
  'red-pepper': () => strip('#5f0d0a', '#d3301f', '#ff9a7d'),
  'yellow-pepper': () => strip('#8a5209', '#f2ae22', '#ffe79a'),
  'green-pepper': () => strip('#21400f', '#62973a', '#c5e596'),
  sweetcorn: () =>
    fill('M-3.5-3Q0-5 4-3L3 3Q0 5-3 3Z', '#f8cf3f', `stroke="#a8680c" stroke-width=".8"`) +
    stroke('M-2-2L1-3', '#fff3b0', 1.2),
  pineapple: (sketch: Sketch) =>
    fill('M-13-7Q0-12 13-6L7 9Q0 12-7 9Z', linear(sketch, 70, '#ffe27a', '#f2b52e', '#c9821a'), EDGE) +
    stroke('M-7-7L-4 7M0-8L0 9M7-7L4 7', '#fff1ad', 1.2, 0.7),
  lemon: (sketch: Sketch) =>
    citrus('#f6c932', '#fff6cf', radial(sketch, { cx: 0.5, cy: 0.5, r: 0.5 }, '#fff0a0', '#f8d54a')),
  lime: (sketch: Sketch) =>
    citrus('#5f9a2c', '#f3f8d2', radial(sketch, { cx: 0.5, cy: 0.5, r: 0.5 }, '#e2f0a0', '#a9cf4c')),
  orange: (sketch: Sketch) =>
    citrus('#ee8a1d', '#fff0d2', radial(sketch, { cx: 0.5, cy: 0.5, r: 0.5 }, '#ffc766', '#f79a2c')),
  'lemon-wedge': (sketch: Sketch) =>
    fill('M-24-4C-18-16 18-16 24-4Q14 14 0 14T-24-4Z', '#eebc22', EDGE) +
    fill('M-21-4Q0-13 21-4 11 9 0 9T-21-4Z', '#fff7d4') +
    fill('M-18-4Q0-10 18-4 10 6 0 6T-18-4Z', linear(sketch, 90, '#ffe98c', '#f3c534')) +
    stroke('M-9-6L-5 4M0-7L0 5M9-6L5 4', '#fff9dc', 1.3),
  'lime-wedge': (sketch: Sketch) =>
    fill('M-24-4C-18-16 18-16 24-4Q14 14 0 14T-24-4Z', '#4f8a28', EDGE) +
    fill('M-21-4Q0-13 21-4 11 9 0 9T-21-4Z', '#f3f8da') +
    fill('M-18-4Q0-10 18-4 10 6 0 6T-18-4Z', linear(sketch, 90, '#d9eb8d', '#9cc544')) +
    stroke('M-9-6L-5 4M0-7L0 5M9-6L5 4', '#f6fbe0', 1.3),
  ginger: () => stroke('M-10 2Q0-4 10 1', '#8a5a14', 3.2, 0.35) + stroke('M-10 2Q0-4 10 1', '#f7dd92', 1.9),
  carrot: () => stroke('M-11 3Q0-5 11 2', '#7a3206', 3.4, 0.4) + stroke('M-11 3Q0-5 11 2', '#f08a2c', 2.2),
  cabbage: () =>
    stroke('M-15 4Q-6-8 2 0T16-3', '#431a44', 5.2, 0.35) +
    stroke('M-15 4Q-6-8 2 0T16-3', '#8d3f7d', 3.2) +
    stroke('M-13 2Q-6-7 1-1', '#e6c0de', 1.1),
  'shredded-lettuce': () =>
    stroke('M-17 4Q-6-9 3 0T18-4', '#40691c', 6, 0.4) +
    stroke('M-17 4Q-6-9 3 0T18-4', '#a5cd5b', 4) +
    stroke('M-15 2Q-6-8 2-1', '#e7f3b4', 1.3),
  pomegranate: (sketch: Sketch) =>
    ellipse({ rx: 3.8, ry: 3 }, glow(sketch, '#ff7b7b', '#c11432', '#7c0a24')) + circle(-1.2, -1, 0.9, '#ffd9d9'),
  chickpea: (sketch: Sketch) =>
    fill('M-6 0C-6-6 2-7 5-4 8-1 6 6 0 6-4 6-6 4-6 0Z', glow(sketch, '#fbe3a6', '#e2b566', '#a8742f'), EDGE) +
    stroke('M1-5Q0-2 3 0', '#a8742f', 1, 0.7),
  potato: (sketch: Sketch) =>
    fill('M-13-6Q-3-13 9-9 15-3 12 8 1 13-10 9-16 2-13-6Z', linear(sketch, 60, '#fbe394', '#e9b44c', '#b5741f'), EDGE) +
    stroke('M-9-5Q-1-9 7-6', '#fff4c4', 2, 0.7),
  cauliflower: (sketch: Sketch) =>
    fill(
      'M-12 6C-19 2-15-8-9-8-8-15 2-16 5-11 12-14 18-5 14 0 16 8 7 9 4 8L1 14-3 14-4 8C-7 10-11 9-12 6Z',
      glow(sketch, '#fff4d2', '#eccb85', '#bb8130'),
      EDGE,
    ) + stroke('M-9-3q4-4 7 0M0-7q5-3 7 1M3 1q4-3 7 0M-6 3q3-3 6 0', '#a8742f', 1.3, 0.55),
  avocado: (sketch: Sketch) =>
    stroke('M-20 8Q-4-14 20 4', '#32531c', 14) +
    stroke('M-20 8Q-4-14 20 4', '#cfdc72', 11) +
    stroke('M-19 10Q-4-10 19 6', linear(sketch, 0, '#f3eaa0', '#e8de86'), 5),
} satisfies Record<string, (sketch: Sketch) => string>;

function citrus(skin: string, pith: string, flesh: string): string {
  const spokes = Array.from({ length: 8 }, (_, index) => {
    const angle = (index * Math.PI) / 4 + 0.2;
    return `M0 0L${Math.round(Math.cos(angle) * 14)} ${Math.round(Math.sin(angle) * 14)}`;
  }).join('');
  return (
    circle(0, 0, 18, skin, EDGE) + circle(0, 0, 15.8, pith) + circle(0, 0, 13.8, flesh) + stroke(spokes, pith, 1.8)
  );
}
