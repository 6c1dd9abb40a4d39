import { linear, SHADE } from '#demo/pictures/paint.ts';
import { dots, ellipse, fill, scatter, stroke, type Area } from '#demo/pictures/shapes.ts';
import { round, type Sketch } from '#demo/pictures/sketch.ts';

const thickness = {
  beef: 25,
  chicken: 27,
  grilled: 24,
  tandoori: 24,
  plant: 24,
  halloumi: 17,
  falafel: 25,
  mushroom: 23,
  fish: 26,
  cheddar: 4,
  american: 4,
  swiss: 4,
  lettuce: 9,
  rocket: 9,
  tomato: 9,
  onion: 7,
  pickle: 7,
  rasher: 8,
  jalapeno: 7,
  slaw: 12,
  'onion-rings': 16,
  'hash-brown': 15,
  egg: 8,
  mayo: 5,
  ketchup: 5,
  'burger-sauce': 5,
  bbq: 5,
  hot: 5,
  guacamole: 8,
  mango: 5,
} as const;

export type Layer = keyof typeof thickness;

/** One layer, whose top is at y = 0, and the height that it adds to the burger. */
export function drawLayer(sketch: Sketch, layer: Layer): { markup: string; height: number } {
  return { markup: draw(sketch, layer), height: thickness[layer] };
}

function draw(sketch: Sketch, layer: Layer): string {
  switch (layer) {
    case 'beef':
      return patty(sketch, 25, ['#9a5a34', '#6d3519', '#43190b'], '#2a0d04', '#c98a58');
    case 'plant':
      return patty(sketch, 24, ['#b4683a', '#86431f', '#542310'], '#3b1507', '#e0a26c');
    case 'mushroom':
      return patty(sketch, 23, ['#b58a5d', '#835a34', '#51331a'], '#3a220f', '#e8c699');
    case 'grilled':
      return patty(sketch, 24, ['#f4c888', '#d79a4e', '#9c5f26'], '#5f2c0d', '#fff0cf') + charLines(24);
    case 'tandoori':
      return patty(sketch, 24, ['#f08a4a', '#cf5222', '#86270d'], '#4c1407', '#ffc58f') + charLines(24);
    case 'chicken':
      return crispy(sketch, 27, ['#ffcf7a', '#e39a3b', '#a85c18']);
    case 'fish':
      return crispy(sketch, 26, ['#ffe09a', '#efb553', '#b97824']);
    case 'falafel':
      return crispy(sketch, 25, ['#cf9a50', '#9a6628', '#5f3a13']);
    case 'hash-brown':
      return crispy(sketch, 16, ['#ffdc88', '#eaaa45', '#b36c1c']);
    case 'halloumi':
      return slab(linear(sketch, 90, '#fff6d8', '#f4dca0', '#d2a354'), 17) + charLines(17);
    case 'cheddar':
      return cheese(sketch, '#ffcd4f', '#f2a324');
    case 'american':
      return cheese(sketch, '#ffdd66', '#f7b733');
    case 'swiss':
      return cheese(sketch, '#fff0b8', '#f2d27c');
    case 'lettuce':
      return frill(sketch, '#c5de6f', '#7fb03c', '#4f8428');
    case 'rocket':
      return frill(sketch, '#7fae44', '#4b8430', '#2b5a20');
    case 'tomato':
      return slices(sketch, ['#f2644a', '#cf2c1e', '#98160f'], 11);
    case 'onion':
      return slices(sketch, ['#f8e3ee', '#c98bb0', '#93426f'], 7);
    case 'pickle':
      return slices(sketch, ['#cbd06a', '#93a53a', '#5c7020'], 8, [-66, -24, 20, 64], 20);
    case 'jalapeno':
      return slices(sketch, ['#b5d670', '#6fa03a', '#3d6b20'], 8, [-70, -40, -6, 30, 62], 13);
    case 'rasher':
      return (
        stroke('M-96 8Q-78-3-60 6T-24 6 12 6 48 6 96 5', SHADE, 11, 0.3) +
        stroke('M-96 6Q-78-5-60 4T-24 4 12 4 48 4 96 3', '#a3321f', 10) +
        stroke('M-95 5Q-78-6-60 3T-24 3 12 3 48 3 95 2', '#f1b48c', 3)
      );
    case 'slaw':
      return slaw(sketch);
    case 'onion-rings':
      return onionRings(sketch);
    case 'egg':
      return (
        fill(
          'M-98 6Q-80-2 0-2T98 6Q90 17 66 13 40 22 12 12-20 20-44 12-84 20-98 6Z',
          linear(sketch, 90, '#fff', '#efe4d0'),
        ) + ellipse({ cx: 6, cy: 3, rx: 30, ry: 8 }, linear(sketch, 90, '#ffd05a', '#ef931a'))
      );
    default:
      return sauce(layer);
  }
}

function slab(paint: string, height: number): string {
  const h = round(height);
  return (
    fill(
      `M-92 6Q-94 0-84-1L84-1Q95 0 93 6L92 ${round(height - 4)}Q90 ${h} 80 ${h} 0 ${round(height + 9)}-80 ${h}-91 ${h}-92 ${round(height - 4)}Z`,
      paint,
    ) + stroke(`M-86 ${round(height - 1)}Q0 ${round(height + 10)} 86 ${round(height - 1)}`, SHADE, 3, 0.35)
  );
}

function patty(
  sketch: Sketch,
  height: number,
  tones: readonly [string, string, string],
  dark: string,
  lit: string,
): string {
  const inside: Area = { cy: height / 2 + 3, rx: 88, ry: height / 2 - 2 };
  return (
    slab(linear(sketch, 90, ...tones), height) +
    dots(scatter(sketch.random, inside, 24), dark, 4.5, 0.5) +
    dots(scatter(sketch.random, inside, 16), lit, 2.4, 0.6)
  );
}

function crispy(sketch: Sketch, height: number, tones: readonly [string, string, string]): string {
  const { random } = sketch;
  let under = '';
  for (let x = 94; x > -96; x -= 19)
    under += `Q${round(x - 5)} ${round(height + random.between(4, 13))} ${x - 19} ${round(height + random.between(-5, 2))}`;
  const inside: Area = { cy: height / 2 + 1, rx: 92, ry: height / 2 - 1 };
  return (
    fill(
      `M-97 8Q-96-3-80-1L82-2Q100 0 99 10L94 ${height}${under}Q-100 ${height - 8}-97 8Z`,
      linear(sketch, 90, ...tones),
      `stroke="${SHADE}" stroke-opacity=".25" stroke-width="2.5"`,
    ) +
    dots(scatter(random, inside, 22), '#fff0bd', 4.4, 0.6) +
    dots(scatter(random, inside, 22), '#7c3d0c', 3.6, 0.45)
  );
}

function charLines(height: number): string {
  const lines = [-70, -42, -14, 14, 42, 70].map((x) => `M${x} 3l9 ${height - 2}`).join('');
  return stroke(lines, '#4f230a', 5, 0.6);
}

function cheese(sketch: Sketch, light: string, dark: string): string {
  const paint = linear(sketch, 90, light, dark);
  return (
    fill(
      'M-94 0Q0-4 94 0L88 9 62 10 40 29Q34 31 30 27L8 10-34 11-56 24Q-62 27-66 21L-78 9-92 8Z',
      SHADE,
      'opacity=".28" transform="translate(1 4)"',
    ) +
    fill('M-94 0Q0-4 94 0L88 9 62 10 40 29Q34 31 30 27L8 10-34 11-56 24Q-62 27-66 21L-78 9-92 8Z', paint) +
    stroke('M-92 3Q0-1 92 3', '#fff', 1.8, 0.5)
  );
}

function frill(sketch: Sketch, light: string, mid: string, dark: string): string {
  const { random } = sketch;
  let path = 'M-94 0';
  for (let x = -94; x < 90; x += 17)
    path += `Q${x + 3} ${round(random.between(15, 25))} ${x + 9} ${round(random.between(8, 13))}T${x + 17} ${round(random.between(4, 10))}`;
  return (
    fill(
      `${path}L93 0Q0-8-94 0Z`,
      linear(sketch, 90, mid, light, dark),
      `stroke="${SHADE}" stroke-opacity=".2" stroke-width="2"`,
    ) + stroke('M-84 4q5 6 12 5M-46 4q6 8 14 5M-8 4q7 8 15 5M34 4q6 8 14 5M66 4q5 6 12 5', '#f1f9c4', 2, 0.55)
  );
}

function slices(
  sketch: Sketch,
  tones: readonly [string, string, string],
  height: number,
  centres = [-48, 46],
  half = 46,
): string {
  const paint = linear(sketch, 90, ...tones);
  return centres
    .map(
      (x) =>
        `<rect x="${x - half}" y="1" width="${half * 2}" height="${height}" rx="${round(height / 2)}" fill="${paint}" stroke="${SHADE}" stroke-opacity=".25" stroke-width="2"/>` +
        stroke(`M${x - half + 9} 4.5L${x + half - 20} 4`, '#fff', 1.8, 0.55),
    )
    .join('');
}

function slaw(sketch: Sketch): string {
  const { random } = sketch;
  const strands = (count: number) =>
    scatter(random, { cy: 8, rx: 92, ry: 7 }, count)
      .map(
        ({ x, y }) =>
          `M${Math.round(x - 9)} ${Math.round(y)}q8 ${Math.round(random.between(-9, 12))} 18 ${Math.round(random.between(-3, 5))}`,
      )
      .join('');
  return (
    slab('#efe6c6', 13) +
    stroke(strands(20), '#fffdf0', 4) +
    stroke(strands(12), '#a24d8b', 3.4) +
    stroke(strands(10), '#f0913a', 3.2) +
    stroke(strands(9), '#cfdf8c', 3.2)
  );
}

function onionRings(sketch: Sketch): string {
  const paint = linear(sketch, 90, '#ffd884', '#dd9433', '#9a5414');
  const ring = (x: number, y: number, rx: number) =>
    ellipse({ cx: x, cy: y, rx, ry: 9 }, '#6b3208') +
    ellipse({ cx: x, cy: y, rx, ry: 9 }, '', `stroke="${paint}" stroke-width="9"`) +
    stroke(`M${x - rx} ${y - 3}Q${x} ${y - 15} ${x + rx - 8} ${y - 6}`, '#fff1c2', 2, 0.7);
  return ring(-40, 9, 42) + ring(44, 8, 44);
}

function sauce(layer: 'mayo' | 'ketchup' | 'burger-sauce' | 'bbq' | 'hot' | 'guacamole' | 'mango'): string {
  const colours = {
    mayo: '#fff6da',
    ketchup: '#c5261b',
    'burger-sauce': '#f3a36a',
    bbq: '#5d2010',
    hot: '#e2501c',
    guacamole: '#a5bd4a',
    mango: '#f5ad2e',
  };
  const path =
    'M-86 0Q0-5 86 0 90 8 80 9 74 10 73 17 71 25 65 18 63 9 52 9 20 12-10 9-16 9-17 15-19 23-25 16-27 9-38 9-60 9-62 14-66 20-70 12-74 8-80 8-90 7-86 0Z';
  return (
    fill(path, colours[layer], `stroke="${SHADE}" stroke-opacity=".2" stroke-width="2"`) +
    stroke('M-78 3Q0-1 72 3', '#fff', 2, 0.45)
  );
}
