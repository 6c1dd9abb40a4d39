import { radial, SHADE } from '#demo/pictures/paint.ts';
import { blob, dots, fill, scatter, smooth, stroke } from '#demo/pictures/shapes.ts';
import { sprinkle, type Sprinkle } from '#demo/pictures/morsels.ts';
import { group, place, type Sketch } from '#demo/pictures/sketch.ts';

export type Bread = {
  kind: 'bread';
  shape: 'naan' | 'roti' | 'slab';
  topping?: readonly Sprinkle[];
  /** What the bread is brushed with: butter, honey, garlic butter, cheese. */
  brushed?: string;
  at?: readonly [x: number, y: number];
  turn?: number;
  scale?: number;
  tone?: keyof typeof tones;
};

const tones = {
  golden: ['#fff0c8', '#f1cb86', '#cd924a', '#9a5f24'],
  pale: ['#fdf1d8', '#eed3a2', '#cfa468', '#9c6e36'],
  wholemeal: ['#f8e2b8', '#e6bf80', '#c08f50', '#8f6230'],
} as const;

const outlines = {
  naan: [
    [-112, 8],
    [-92, -30],
    [-44, -56],
    [14, -62],
    [68, -48],
    [98, -12],
    [90, 30],
    [48, 56],
    [-10, 62],
    [-66, 48],
    [-100, 26],
  ],
  roti: [
    [-86, 0],
    [-74, -46],
    [-34, -78],
    [16, -84],
    [60, -62],
    [86, -20],
    [82, 28],
    [52, 70],
    [4, 86],
    [-48, 74],
    [-78, 42],
  ],
  slab: [
    [-100, -34],
    [-92, -46],
    [0, -50],
    [94, -48],
    [104, -36],
    [106, 34],
    [96, 46],
    [0, 50],
    [-92, 48],
    [-104, 36],
  ],
} as const;

/** A flatbread, blistered by the oven, about 200 units long. */
export function drawBread(sketch: Sketch, bread: Bread): string {
  const { random } = sketch;
  const [light, mid, dark, deep] = tones[bread.tone ?? 'golden'];
  const points = outlines[bread.shape].map(([x, y]) => ({
    x: x * 1.04 + random.between(-5, 5),
    y: y * 1.04 + random.between(-5, 5),
  }));
  const width = bread.shape === 'roti' ? 66 : 82;
  const height = bread.shape === 'slab' ? 36 : bread.shape === 'roti' ? 64 : 42;
  const within = { rx: width, ry: height };
  const bubbles = scatter(random, within, 9).map(({ x, y }) =>
    blob(random, { cx: x, cy: y, rx: random.between(8, 17), ry: random.between(6, 12) }, 0.2, 7),
  );
  const body = smooth(points);
  const drawn =
    fill(body, SHADE, 'opacity=".3" transform="translate(4 8)"') +
    fill(
      body,
      radial(sketch, { cx: 0.44, cy: 0.4, r: 0.62 }, light, mid, dark, deep),
      'stroke="#6b3a1280" stroke-width="2"',
    ) +
    fill(bubbles.join(''), light, 'opacity=".55" stroke="#b0702f55" stroke-width="2"') +
    dots(scatter(random, within, 10), '#8a4715', 10, 0.4) +
    dots(scatter(random, within, 11), '#4e2208', 5.5, 0.5) +
    dots(scatter(random, within, 12), '#fff6dc', 5, 0.5) +
    (bread.brushed === undefined ? '' : brush(sketch, within, bread.brushed)) +
    sprinkle(sketch, { rx: width, ry: height }, bread.topping ?? []);
  const [x, y] = bread.at ?? [0, 0];
  return group(drawn, place(x, y, bread.turn, bread.scale));
}

function brush(sketch: Sketch, within: { rx: number; ry: number }, colour: string): string {
  const pools = scatter(sketch.random, within, 7).map(({ x, y }) =>
    blob(sketch.random, { cx: x, cy: y, rx: 19, ry: 11 }, 0.3, 8),
  );
  return (
    fill(pools.join(''), colour, 'opacity=".55"') +
    stroke(`M${-within.rx * 0.7} -8Q-30-40 20-38`.replace(' -', '-'), '#fff', 3.4, 0.4)
  );
}
