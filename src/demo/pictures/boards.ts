import { linear, SHADE } from '#demo/pictures/paint.ts';
import { fill, stroke } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';
import { softShadow } from '#demo/pictures/surfaces.ts';
import type { Vessel } from '#demo/pictures/vessels.ts';

const woods = {
  oak: ['#edc894', '#d3a066', '#a97640'],
  olive: ['#c8935c', '#a36d3a', '#74481f'],
  walnut: ['#8f6040', '#6b4229', '#452817'],
} as const;

const papers = {
  cream: ['#fffaf0', '#f3e6cd', '#d9c4a0'],
  kraft: ['#dcb88a', '#c79b68', '#a1764a'],
  check: ['#fffaf2', '#f7ead8', '#dcc5ad'],
  green: ['#dfe8d2', '#c3d2ae', '#98ad82'],
} as const;

export type Wood = keyof typeof woods;
export type Paper = keyof typeof papers;

const grain = (wood: Wood) => woods[wood][2];

/** A round board with a short handle, large enough for a pizza; `turn` in degrees rotates it from the upper right. */
export function drawPeel(sketch: Sketch, wood: Wood, turn = 0): Vessel {
  const [light, mid, dark] = woods[wood];
  const paint = linear(sketch, 40, light, mid, dark);
  const handle = 'M72-104L124-152Q138-162 150-150T148-126L104-72Z';
  const rings = 'M-118-30Q-20-52 118-28M-126 4Q0-16 126 8M-122 36Q10 16 118 44M-104 70Q0 56 102 74M-96-82Q0-94 98-76';
  const under =
    softShadow(sketch, 9, 13, 144) +
    fill(handle, SHADE, `opacity=".3" transform="translate(6 9)rotate(${turn})"`) +
    fill(handle, paint, `transform="rotate(${turn})"`) +
    `<circle r="130" fill="${paint}"/>` +
    stroke(rings, dark, 1.6, 0.45) +
    stroke('M-122-45A130 130 0 0 1-45-122', '#fff', 2.4, 0.5);
  return { under, over: '', room: { rx: 112, ry: 112 } };
}

/** A rectangular serving board. */
export function drawBoard(sketch: Sketch, wood: Wood): Vessel {
  const [light, mid, dark] = woods[wood];
  const shape = 'M-134-92Q-134-106-120-106L120-106Q134-106 134-92L134 92Q134 106 120 106L-120 106Q-134 106-134 92Z';
  const under =
    shadowOf(sketch, shape) +
    fill(shape, linear(sketch, 35, light, mid, dark)) +
    stroke(
      'M-130-70Q0-84 132-66M-132-34Q-20-46 132-30M-132 4Q10-10 132 8M-132 40Q0 28 132 44M-130 76Q10 64 130 80',
      grain(wood),
      1.6,
      0.4,
    ) +
    stroke('M-131 60L-131-92Q-131-103-120-103L80-103', '#fff', 2.4, 0.45);
  return { under, over: '', room: { rx: 118, ry: 90 } };
}

/** A sheet of greaseproof paper, crumpled at the edges; `check` is printed in red squares. */
export function drawPaper(sketch: Sketch, paper: Paper): Vessel {
  const [light, mid, dark] = papers[paper];
  const shape =
    'M-128-84L-96-108-40-98 8-112 62-100 116-106 130-62 122-10 134 40 116 98 58 92 4 110-52 98-112 106-132 52-120 2Z';
  const under =
    shadowOf(sketch, shape, 0.6) +
    fill(shape, linear(sketch, 40, light, mid, dark)) +
    (paper === 'check' ? fill(shape, checks(sketch)) : '') +
    stroke(
      'M-96-108L-82-62-120 2M116-106L84-70 122-10M116 98L86 62M-112 106L-80 70-132 52M8-112L0-86',
      dark,
      1.8,
      0.45,
    ) +
    stroke('M-126-80L-96-106-40-96', '#fff', 2.4, 0.7);
  return { under, over: '', room: { rx: 104, ry: 82 } };
}

/** A woven basket lined with paper. */
export function drawBasket(sketch: Sketch, paper: Paper): Vessel {
  const [light, mid, dark] = papers[paper];
  const body = 'M-128-26C-128-82-76-104 0-104S128-82 128-26L128 26C128 82 76 104 0 104S-128 82-128 26Z';
  const lining =
    'M-120-40L-104-92-62-80-34-108 8-92 52-110 70-82 112-84 110-36 128-4 110 34 116 78 76 80 52 110 4 94-36 108-60 82-108 88-106 38-126 0Z';
  const under =
    shadowOf(sketch, body) +
    fill(body, linear(sketch, 45, '#d8a765', '#a8733a', '#6d441d')) +
    `<path d="${body}" stroke="#5b3514" stroke-width="9" stroke-dasharray="3 9" opacity=".55"/>` +
    `<path d="${body}" stroke="#f3cf93" stroke-width="3" stroke-dasharray="5 7" opacity=".7"/>` +
    fill(lining, linear(sketch, 40, light, mid, dark)) +
    (paper === 'check' ? fill(lining, checks(sketch)) : '') +
    fill('M-96-20C-96-66-58-82 0-82S96-66 96-20L96 20C96 66 58 84 0 84S-96 66-96 20Z', SHADE, 'opacity=".22"');
  return { under, over: '', room: { rx: 96, ry: 78 } };
}

/** A steel tray lined with paper. */
export function drawTray(sketch: Sketch, paper: Paper): Vessel {
  const [light, mid, dark] = papers[paper];
  const shape = 'M-140-82Q-140-104-118-104L118-104Q140-104 140-82L140 82Q140 104 118 104L-118 104Q-140 104-140 82Z';
  const lining = 'M-126-88L-70-94-10-90 60-95 124-90 128-20 124 50 127 90 60 93-20 90-90 94-127 88-123 20-128-40Z';
  const under =
    shadowOf(sketch, shape) +
    fill(shape, linear(sketch, 45, '#f7f5f1', '#a9a6a1', '#d9d7d2', '#6b6864')) +
    `<path d="${shape}" stroke="#fff" stroke-width="2" opacity=".6"/>` +
    fill(lining, linear(sketch, 40, light, mid, dark)) +
    (paper === 'check' ? fill(lining, checks(sketch)) : '') +
    stroke('M-126-88L-104-60M124-90L100-64M127 90L98 66M-127 88L-98 62', dark, 1.8, 0.5);
  return { under, over: '', room: { rx: 118, ry: 82 } };
}

/** An open kraft takeaway box, its lid flaps folded back. */
export function drawBox(sketch: Sketch): Vessel {
  const kraft = linear(sketch, 45, '#e9c796', '#cfa369', '#a87b45');
  const flaps =
    'M-112-96L-128-128 122-130 110-96ZM-112 96L-126 130 126 130 112 96ZM-116-92L-150-84-150 84-116 92ZM116-92L150-86 150 86 116 92Z';
  const shape = 'M-118-98L118-98 118 98-118 98Z';
  const under =
    shadowOf(sketch, `${flaps}${shape}`) +
    fill(flaps, linear(sketch, 60, '#f1d5a8', '#d9b07a', '#b98a52')) +
    fill(shape, kraft) +
    fill('M-110-90L110-90 110 90-110 90Z', linear(sketch, 45, '#a97b45', '#d6ab72', '#e9c796')) +
    fill(
      'M-106-84L-40-90 30-85 106-89 109-20 105 60 108 88 20 85-60 89-107 86-104 0Z',
      linear(sketch, 40, '#fffaf0', '#f3e6cd', '#e0cdaa'),
    ) +
    stroke('M-118-98L118-98 118 98-118 98Z', '#8d6231', 1.8, 0.6);
  return { under, over: '', room: { rx: 100, ry: 80 } };
}

function checks(sketch: Sketch): string {
  const squares =
    '<path d="M0 0h11v11H0Z" fill="#c8402c"/><path d="M11 0h11v11H11ZM0 11h11v11H0Z" fill="#e79a88" opacity=".7"/>';
  return `url(#${sketch.define((id) => `<pattern id="${id}" width="22" height="22" patternUnits="userSpaceOnUse" patternTransform="rotate(12)">${squares}</pattern>`)})`;
}

/** Several outlines, each wider and fainter, imitate a blurred shadow, which phones draw slowly. */
function shadowOf(sketch: Sketch, shape: string, strength = 1): string {
  const id = sketch.define((own) => `<path id="${own}" d="${shape}"/>`);
  const rings = [4, 8, 12, 16, 20, 25, 30, 36].map((width) => `<use href="#${id}" stroke-width="${width}"/>`).join('');
  const filled = `<use href="#${id}" fill="${SHADE}" opacity="${(0.3 * strength).toFixed(1).slice(1)}"/>`;
  return `<g transform="translate(6 10)" stroke="${SHADE}" stroke-opacity="${(0.05 * strength).toFixed(2).slice(1)}">${filled}${rings}</g>`;
}
