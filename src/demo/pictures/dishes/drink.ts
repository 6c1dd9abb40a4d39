import { defineMorsel, sprinkle, type MorselName, type Sprinkle } from '#demo/pictures/morsels.ts';
import { linear, radial, SHADE } from '#demo/pictures/paint.ts';
import { circle, dots, ellipse, fill, repeat, scatter, stroke } from '#demo/pictures/shapes.ts';
import { group, place, type Sketch } from '#demo/pictures/sketch.ts';

type Emblem = MorselName | 'drop' | 'bubbles';
type Placed = { at?: readonly [x: number, y: number]; scale?: number; turn?: number };

export type Can = Placed & {
  kind: 'can';
  /** The lit, middle and deep colour of the can, then the colour of its band. */
  colours: readonly [light: string, mid: string, deep: string, band: string];
  emblem: Emblem;
};

export type Bottle = Placed & {
  kind: 'bottle';
  glass: readonly [light: string, mid: string, deep: string];
  label: readonly [ground: string, band: string];
  emblem: Emblem;
};

export type Glass = Placed & {
  kind: 'glass';
  liquid: readonly [top: string, middle: string, bottom: string];
  ice?: number;
  /** The garnish on the rim. */
  slice?: MorselName;
  straw?: string;
  /** The colour of the cream or froth on top. */
  froth?: string;
  dusting?: readonly Sprinkle[];
};

export type Cup = Placed & {
  kind: 'cup';
  liquid: readonly [light: string, dark: string];
  glaze: readonly [light: string, dark: string];
  dusting?: readonly Sprinkle[];
};

const roundness = (sketch: Sketch) =>
  linear(
    sketch,
    0,
    ['#1a0a04', 0, 0.42],
    ['#1a0a04', 0.16, 0.08],
    ['#fff', 0.27, 0.55],
    ['#fff', 0.4, 0],
    ['#1a0a04', 0.68, 0.04],
    ['#1a0a04', 1, 0.5],
  );

/** A can standing on y = 112, 108 units wide. */
export function drawCan(sketch: Sketch, can: Can): string {
  const [light, mid, deep, band] = can.colours;
  const body = 'M-42-104Q-54-98-54-82L-54 88Q-53 100-44 106 0 122 44 106 53 100 54 88L54-82Q54-98 42-104Z';
  const drawn =
    (can.turn === undefined ? ground(sketch, 112, 84) : lyingShadow(56)) +
    fill(body, linear(sketch, 90, light, mid, deep)) +
    fill('M-54 38Q-20 10 0 34T54 24L54 74Q20 96 0 74T-54 82Z', band, 'opacity=".9"') +
    circle(0, 8, 37, light, 'opacity=".45"') +
    group(drawEmblem(sketch, can.emblem, band), 'transform="translate(0 8)rotate(-14)scale(2)"') +
    fill(body, roundness(sketch)) +
    ellipse({ cy: -104, rx: 42, ry: 10 }, linear(sketch, 0, '#8b8884', '#fdfdfb', '#b5b2ad', '#6e6b67')) +
    ellipse({ cy: -103, rx: 36, ry: 7 }, linear(sketch, 20, '#77746f', '#d9d7d2')) +
    ellipse({ cx: 3, cy: -103, rx: 12, ry: 3.4 }, '#eceae6', 'stroke="#6e6b67"') +
    stroke('M-44 106Q0 120 44 106', '#e9e7e3', 2.4, 0.6) +
    dew(sketch, 48);
  return group(drawn, place(...(can.at ?? [0, 0]), can.turn, can.scale));
}

/** A bottle standing on y = 112. */
export function drawBottle(sketch: Sketch, bottle: Bottle): string {
  const [light, mid, deep] = bottle.glass;
  const [paper, band] = bottle.label;
  const body =
    'M-15-120L15-120 16-78C18-58 44-52 46-24L46 96Q45 110 32 113 0 120-32 113-45 110-46 96L-46-24C-44-52-18-58-16-78Z';
  const drawn =
    (bottle.turn === undefined ? ground(sketch, 112, 72) : lyingShadow(48)) +
    fill(body, linear(sketch, 90, light, mid, deep)) +
    fill('M-46-14Q0-4 46-14L46 76Q0 88-46 76Z', paper) +
    fill('M-46 52Q0 64 46 52L46 64Q0 76-46 64Z', band) +
    group(drawEmblem(sketch, bottle.emblem, band), 'transform="translate(0 22)rotate(-12)scale(1.5)"') +
    fill(body, roundness(sketch)) +
    fill('M-19-128Q0-134 19-128L19-112Q0-106-19-112Z', linear(sketch, 0, '#7c6a3c', '#fff2c4', '#c7a24e', '#6d5426')) +
    dew(sketch, 38);
  return group(drawn, place(...(bottle.at ?? [0, 0]), bottle.turn, bottle.scale));
}

/** A tall glass standing on y = 112, seen slightly from above. */
export function drawGlass(sketch: Sketch, glass: Glass): string {
  const body = 'M-58-88L-44 98Q-42 108-30 111 0 117 30 111 42 108 44 98L58-88Z';
  const filled = 'M-56-70L-44 94Q-42 103-30 106 0 112 30 106 42 103 44 94L56-70Z';
  const straw =
    glass.straw === undefined ? '' : stroke('M16 60L40-134', glass.straw, 8) + stroke('M14 60L38-134', '#fff', 2, 0.6);
  const slice =
    glass.slice === undefined ? '' : repeat(defineMorsel(sketch, glass.slice), { x: -50, y: -92 }, -18, 1.5);
  const cubes = scatter(sketch.random, { cy: -34, rx: 30, ry: 34 }, glass.ice ?? 0).map((point) =>
    repeat(defineMorsel(sketch, 'ice'), point, sketch.random.between(-30, 30), 1.1),
  );
  const top =
    glass.froth === undefined
      ? ellipse({ cy: -70, rx: 56, ry: 11 }, glass.liquid[0], 'stroke="#fff" stroke-opacity=".5"')
      : fill(
          'M-56-68C-70-84-48-102-34-96-30-116 0-120 8-106 28-116 48-102 44-92 62-88 64-70 54-64 30-54-30-54-56-68Z',
          linear(sketch, 75, '#fff', glass.froth),
          `stroke="${SHADE}" stroke-opacity=".2" stroke-width="2"`,
        ) + stroke('M-38-84Q-20-96 0-88M4-96Q22-102 34-92M-26-70Q0-62 26-72', SHADE, 2, 0.16);
  const drawn =
    ground(sketch, 112, 72) +
    fill(body, '#fff', 'opacity=".28"') +
    fill(filled, linear(sketch, 90, ...glass.liquid)) +
    cubes.join('') +
    (glass.froth === undefined ? straw + top : top + straw) +
    group(
      sprinkle(sketch, { rx: 34, ry: 11 }, glass.dusting ?? []),
      `transform="translate(0 ${glass.froth === undefined ? -70 : -88})"`,
    ) +
    fill(
      body,
      linear(
        sketch,
        0,
        ['#fff', 0, 0.5],
        ['#fff', 0.1, 0.05],
        ['#fff', 0.24, 0.4],
        ['#fff', 0.34, 0],
        ['#000', 1, 0.2],
      ),
    ) +
    slice +
    ellipse({ cy: -88, rx: 58, ry: 11 }, '', 'stroke="#fff" stroke-width="2" stroke-opacity=".75"') +
    stroke('M-36 104Q0 113 36 104', '#fff', 3, 0.5) +
    dew(sketch, 40);
  return group(drawn, place(...(glass.at ?? [0, 0]), glass.turn, glass.scale));
}

/** A cup seen from above, 60 units in radius. */
export function drawCup(sketch: Sketch, cup: Cup): string {
  const [light, dark] = cup.glaze;
  const drawn =
    stroke('M48-30Q92-52 92-12T54 22', dark, 15) +
    stroke('M48-32Q90-52 90-13T54 20', light, 8) +
    circle(5, 8, 64, SHADE, 'opacity=".28"') +
    circle(0, 0, 62, linear(sketch, 50, light, dark)) +
    circle(0, 0, 55, linear(sketch, 50, dark, light)) +
    circle(0, 0, 52, radial(sketch, { cx: 0.4, cy: 0.36, r: 0.7 }, ...cup.liquid)) +
    sprinkle(sketch, { rx: 34, ry: 34 }, cup.dusting ?? []) +
    stroke('M-40-10Q-34-34-8-42', '#fff', 4, 0.55) +
    dots(scatter(sketch.random, { rx: 44, ry: 44 }, 14), '#fff', 2.6, 0.4);
  return group(drawn, place(...(cup.at ?? [0, 0]), cup.turn, cup.scale));
}

/** The shadow of an object that stands at height `y`. */
export function ground(sketch: Sketch, y: number, reach: number): string {
  return ellipse(
    { cx: reach * 0.14, cy: y, rx: reach, ry: reach * 0.2 },
    radial(sketch, { cx: 0.5, cy: 0.5, r: 0.5 }, [SHADE, 0.4, 0.6], [SHADE, 1, 0]),
  );
}

/** An object on its side has a shadow along its whole length. */
function lyingShadow(half: number): string {
  return `<rect x="${-half + 12}" y="-104" width="${half * 2}" height="222" rx="30" fill="${SHADE}" opacity=".28"/>`;
}

function dew(sketch: Sketch, reach: number): string {
  return (
    dots(scatter(sketch.random, { cy: 14, rx: reach, ry: 82 }, 20), '#fff', 3, 0.5) +
    dots(scatter(sketch.random, { cy: 30, rx: reach, ry: 70 }, 9), '#fff', 4.6, 0.45)
  );
}

function drawEmblem(sketch: Sketch, emblem: Emblem, colour: string): string {
  if (emblem === 'drop')
    return fill('M0-15Q11 1 11 8A11 11 0 0 1-11 8Q-11 1 0-15Z', colour) + stroke('M-5 8Q-5 13 0 14', '#fff', 2, 0.8);
  if (emblem === 'bubbles') return circle(-3, 3, 9, colour) + circle(8, -7, 5.5, colour) + circle(-7, -10, 3.5, colour);
  return `<use href="#${defineMorsel(sketch, emblem)}"/>`;
}
