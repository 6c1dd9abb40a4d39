import { glow, linear, radial, SHADE } from '#demo/pictures/paint.ts';
import { dots, ellipse, fill, scatter } from '#demo/pictures/shapes.ts';
import { group, round, type Sketch } from '#demo/pictures/sketch.ts';
import { drawLayer, type Layer } from '#demo/pictures/dishes/burger-layers.ts';

export type Bun = 'brioche' | 'seeded' | 'pretzel' | 'charcoal' | 'beetroot';

export type Burger = {
  kind: 'burger';
  bun: Bun;
  /** The layers from the bottom up. */
  layers: readonly Layer[];
  /** The board below the burger. */
  board?: keyof typeof boards;
  at?: readonly [x: number, y: number];
  scale?: number;
};

const boards = {
  oak: ['#f0cd9a', '#d3a066', '#9c6a36'],
  walnut: ['#96664a', '#6b4229', '#3f2414'],
  slate: ['#6f6863', '#4a4440', '#262220'],
  cream: ['#fffaf0', '#f0e2c8', '#c4ac84'],
} as const;

const buns = {
  brioche: ['#ffdf9c', '#efae55', '#c87427', '#8f4716'],
  seeded: ['#fbd590', '#e29d48', '#b6651f', '#7f3f13'],
  pretzel: ['#d9945a', '#a9602b', '#763a15', '#4c210b'],
  charcoal: ['#6b6460', '#3f3a38', '#262322', '#141212'],
  beetroot: ['#f0a3ad', '#cf5f78', '#9d3453', '#6d1d3a'],
} as const;

/** A burger seen slightly from above, about 190 units wide and centred on 0,0; a tall one is drawn smaller. */
export function drawBurger(sketch: Sketch, burger: Burger): string {
  const [light, mid, dark, deep] = buns[burger.bun];
  const heel =
    fill('M-88 46Q-92 84-66 86L66 86Q92 84 88 46Z', linear(sketch, 90, deep, dark, mid, dark)) +
    fill('M-88 48Q0 66 88 48L87 55Q0 72-87 55Z', '#fff0c9', 'opacity=".55"');
  let y = 50;
  const stack = burger.layers
    .map((layer) => {
      const drawn = drawLayer(sketch, layer);
      y -= drawn.height;
      return group(drawn.markup, `transform="translate(0 ${round(y)})"`);
    })
    .join('');
  const crown =
    fill(
      'M-92 0C-98-62-52-84 0-84S98-62 92 0Q91 9 80 9 0 20-80 9-91 9-92 0Z',
      radial(sketch, { cx: 0.38, cy: 0.22, r: 0.85 }, light, mid, dark, deep),
    ) +
    fill('M-84-4Q0 12 84-4 88 4 80 9 0 20-80 9-88 4-84-4Z', SHADE, 'opacity=".16"') +
    fill('M-62-44Q-48-70-12-73-4-70-20-66-44-60-52-40-60-36-62-44Z', '#fff', 'opacity=".38"') +
    drawSeeds(sketch, burger.bun);
  const height = 172 - y;
  const scale = (burger.scale ?? 1) * Math.min(1.08, 218 / height);
  const [x, middle] = burger.at ?? [0, 0];
  const base = middle + (height / 2 - 86) * scale;
  const under =
    burger.board === undefined ? shadow(sketch, 86, 112) : stand(sketch, burger.board) + shadow(sketch, 86, 104);
  const drawn = under + heel + stack + group(crown, `transform="translate(0 ${round(y - 2)})"`);
  return `<g transform="translate(${round(x)} ${round(base)})scale(${scale.toFixed(2)})">${drawn}</g>`;
}

function shadow(sketch: Sketch, y: number, reach: number): string {
  const paint = radial(sketch, { cx: 0.5, cy: 0.5, r: 0.5 }, [SHADE, 0.5, 0.6], [SHADE, 1, 0]);
  return ellipse({ cx: 8, cy: y, rx: reach, ry: reach * 0.17 }, paint);
}

function stand(sketch: Sketch, board: keyof typeof boards): string {
  const [light, mid, dark] = boards[board];
  return (
    shadow(sketch, 104, 158) +
    ellipse({ cy: 96, rx: 130, ry: 27 }, dark) +
    ellipse({ cy: 87, rx: 130, ry: 27 }, linear(sketch, 20, light, mid)) +
    ellipse({ cy: 87, rx: 126, ry: 25 }, '', `stroke="${light}" stroke-width="1.6" opacity=".6"`)
  );
}

function drawSeeds(sketch: Sketch, bun: Bun): string {
  if (bun === 'brioche' || bun === 'beetroot') return '';
  const { random } = sketch;
  if (bun === 'pretzel') return dots(scatter(random, { cx: -4, cy: -50, rx: 62, ry: 24 }, 22), '#fff6e6', 4);
  const seed = sketch.define(
    (id) =>
      `<ellipse id="${id}" rx="4.6" ry="2.7" fill="${glow(sketch, '#fff8e0', '#e9c88c')}" stroke="#7c4515" stroke-opacity=".5"/>`,
  );
  return scatter(random, { cx: -2, cy: -46, rx: 70, ry: 29 }, 26)
    .map(
      ({ x, y }) =>
        `<use href="#${seed}" transform="translate(${Math.round(x)} ${Math.round(y)})rotate(${Math.round(x * 0.5 + random.between(-40, 40))})"/>`,
    )
    .join('');
}
