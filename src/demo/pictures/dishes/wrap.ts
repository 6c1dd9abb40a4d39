import { defineMorsel, heap, type MorselName, type Sprinkle } from '#demo/pictures/morsels.ts';
import { linear, SHADE } from '#demo/pictures/paint.ts';
import { blob, ellipse, fill, repeat, scatter, stroke, type Area } from '#demo/pictures/shapes.ts';
import { group, place, type Sketch } from '#demo/pictures/sketch.ts';

export type Wrap = {
  kind: 'wrap';
  filling: readonly Sprinkle[];
  sauce: string;
  paper: keyof typeof papers;
  bread?: keyof typeof breads;
};
export type Roll = {
  kind: 'roll';
  filling: readonly Sprinkle[];
  /** Long pieces across the naan, on top of the rest. */
  across?: readonly [morsel: MorselName, count: number];
  sauce: string;
  paper: keyof typeof papers;
  bread?: keyof typeof breads;
};

const papers = {
  kraft: ['#a1764a', '#e3c193', '#b88b58'],
  white: ['#cfc0aa', '#fffaf0', '#d9c8ae'],
  red: ['#8e2418', '#d9503a', '#9c2a1c'],
  green: ['#3f5a3a', '#7f9c6c', '#4a6643'],
} as const;

const breads = {
  tortilla: ['#b88646', '#fdebc0', '#f3d59a', '#a9733a'],
  spinach: ['#5d7330', '#cfdb96', '#a9bb68', '#566a2b'],
  naan: ['#a9702f', '#fbe0a6', '#e9bd74', '#8f5a22'],
} as const;

/** A wrap cut in two, each half in its paper, with the cut sides towards the light. */
export function drawWrap(sketch: Sketch, wrap: Wrap): string {
  return group(half(sketch, wrap), place(-2, -46, -14)) + group(half(sketch, wrap), place(6, 44, -20));
}

function half(sketch: Sketch, wrap: Wrap): string {
  const [edge, light, mid, low] = breads[wrap.bread ?? 'tortilla'];
  const [paperEdge, paperLight, paperLow] = papers[wrap.paper];
  const body = 'M-96-35Q-106-33-106 0T-96 37L76 42Q92 40 92 0T76-42Z';
  const sleeve = 'M-112-40L-6-45-16-30-2-14-18 2-4 18-16 32-4 45-112 43Q-122 40-122 0T-112-40Z';
  return (
    fill(body, SHADE, 'opacity=".32" transform="translate(5 12)"') +
    fill(body, linear(sketch, 90, edge, light, mid, low)) +
    fill(toasting(sketch, { cx: 30, cy: 0, rx: 40, ry: 30 }), '#9a5a22', 'opacity=".32"') +
    fill(sleeve, linear(sketch, 90, paperEdge, paperLight, paperLow)) +
    stroke('M-108-22L-22-24M-116 4L-24 4M-110 26L-20 26M-112-38Q-104 0-112 42', paperEdge, 1.6, 0.45) +
    ellipse({ cx: 78, rx: 25, ry: 42 }, linear(sketch, 70, light, mid, low), 'stroke="#6b3a1266" stroke-width="2"') +
    ellipse({ cx: 80, rx: 19, ry: 35 }, wrap.sauce) +
    group(heap(sketch, { rx: 11, ry: 26 }, wrap.filling), 'transform="translate(80 0)"') +
    stroke('M66-30Q60-12 60 6', '#fff', 2.4, 0.5)
  );
}

/** A naan folded over its filling, with the lower end in a paper cone. */
export function drawRoll(sketch: Sketch, roll: Roll): string {
  const [edge, light, mid, low] = breads[roll.bread ?? 'naan'];
  const [paperEdge, paperLight, paperLow] = papers[roll.paper];
  const back = 'M-100-2C-114-50-74-100-4-104S106-70 104-14C98 46 44 98 4 112-30 98-84 56-100-2Z';
  const front = 'M-102-2C-70 26-32 14 2 22S78 22 105-12C104 46 48 100 4 114-34 100-92 56-102-2Z';
  const sleeve = 'M-84 40L-50 30-18 48 20 36 52 46 88 30C72 74 36 108 4 124-30 110-66 80-84 40Z';
  return group(
    fill(back, SHADE, 'opacity=".32" transform="translate(7 12)"') +
      fill(back, linear(sketch, 80, light, mid, low)) +
      fill(toasting(sketch, { cy: -66, rx: 66, ry: 22 }), '#9a5a22', 'opacity=".35"') +
      fill('M-90-8C-92-44-50-74 0-76S92-52 94-16 54 36 4 38-90 28-90-8Z', roll.sauce) +
      group(heap(sketch, { rx: 74, ry: 40 }, roll.filling), 'transform="translate(1 -22)"') +
      layAcross(sketch, roll.across) +
      fill(front, SHADE, 'opacity=".25" transform="translate(0 -4)"') +
      fill(front, linear(sketch, 90, light, mid, edge)) +
      fill(toasting(sketch, { cy: 36, rx: 62, ry: 12 }), '#9a5a22', 'opacity=".35"') +
      stroke('M-96 6C-68 30-32 20 2 28S74 27 97-1', '#fff', 2.6, 0.55) +
      fill(sleeve, SHADE, 'opacity=".25" transform="translate(0 -3)"') +
      fill(sleeve, linear(sketch, 70, paperLight, paperLow, paperEdge)) +
      stroke('M-50 30L-18 100M-18 48L-4 112M20 36L10 118M52 46L24 108', paperEdge, 1.8, 0.5),
    'transform="rotate(-8)"',
  );
}

function layAcross(sketch: Sketch, across: Roll['across']): string {
  if (across === undefined) return '';
  const [name, count] = across;
  const id = defineMorsel(sketch, name);
  return Array.from({ length: count }, (_, index) =>
    repeat(id, { x: index * 8 - 6, y: -46 + index * 26 }, -10 - index * 3, 1),
  ).join('');
}

/** The places where the hot stone browned the dough. */
function toasting(sketch: Sketch, area: Area): string {
  const { random } = sketch;
  return scatter(random, area, 9)
    .map(({ x, y }) => blob(random, { cx: x, cy: y, rx: random.between(4, 11), ry: random.between(3, 7) }, 0.3, 7))
    .join('');
}
