import { sprinkle, type Sprinkle } from '#demo/pictures/morsels.ts';
import { radial, SHADE } from '#demo/pictures/paint.ts';
import { around, blob, dots, fill, scatter, stroke } from '#demo/pictures/shapes.ts';
import { round, type Sketch } from '#demo/pictures/sketch.ts';

export type Pizza = {
  kind: 'pizza';
  sauce: 'tomato' | 'bbq' | 'white' | 'masala' | 'pesto';
  /** `fresh`: pools of mozzarella on the sauce; `melted`: covered edge to edge; `none`: marinara. */
  cheese: 'fresh' | 'melted' | 'none';
  toppings: readonly Sprinkle[];
  drizzle?: string;
  cuts?: boolean;
};

const sauces = {
  tomato: ['#d8452a', '#b12a17'],
  bbq: ['#7d331a', '#561d0e'],
  white: ['#fbeccb', '#e9cf9c'],
  masala: ['#e3772f', '#b94e19'],
  pesto: ['#8fa044', '#5f7429'],
} as const;

/** A pizza with a radius of 114 units around 0,0. */
export function drawPizza(sketch: Sketch, pizza: Pizza): string {
  const { random } = sketch;
  const [sauceLight, sauceDark] = sauces[pizza.sauce];
  const crust = radial(
    sketch,
    { cx: 0.46, cy: 0.45, r: 0.55 },
    ['#c98a3f', 0.8],
    ['#f3cd84', 0.88],
    ['#e0a04c', 0.95],
    ['#a8601f', 1],
  );
  const sauce = radial(sketch, { cx: 0.45, cy: 0.42, r: 0.6 }, sauceLight, sauceDark);
  const rim = { rx: 106, ry: 106 };
  const middle = { rx: 84, ry: 84 };
  return (
    fill(blob(random, { rx: 115, ry: 115 }, 0.012, 14), crust) +
    dots(around(random, rim, 14), '#fdeab8', 9, 0.4) +
    dots(around(random, { rx: 109, ry: 109 }, 9), '#7a3a10', 7, 0.45) +
    dots(around(random, { rx: 104, ry: 104 }, 9), '#4a1f08', 4.5, 0.55) +
    fill(blob(random, { rx: 99, ry: 99 }, 0.03, 13), sauce, `stroke="${SHADE}" stroke-opacity=".3" stroke-width="3"`) +
    drawCheese(sketch, pizza.cheese) +
    sprinkle(sketch, middle, pizza.toppings) +
    (pizza.drizzle === undefined ? '' : drizzle(sketch, 82, pizza.drizzle)) +
    (pizza.cuts === false ? '' : drawCuts(random.between(0, 60))) +
    stroke('M-103-42A111 111 0 0 1-42-103', '#fff3cf', 3.5, 0.5)
  );
}

/** A thin line of sauce, squeezed back and forth over the dish. */
export function drizzle(sketch: Sketch, reach: number, colour: string, lines = 6): string {
  const { random } = sketch;
  let path = '';
  for (let line = 0; line <= lines; line += 1) {
    const height = reach * (-0.8 + (line / lines) * 1.6);
    const half = Math.sqrt(reach ** 2 - height ** 2) * random.between(0.8, 1) * (line % 2 === 0 ? -1 : 1);
    const y = height + random.between(-3, 3);
    path +=
      line === 0
        ? `M${round(half)} ${round(y)}`
        : `S${round(half * 1.1)} ${round(y - reach * 0.24)} ${round(half)} ${round(y)}`;
  }
  return `<g transform="rotate(-24)">${stroke(path, SHADE, 5, 0.22)}${stroke(path, colour, 3.4)}${stroke(path, '#fff', 0.9, 0.4)}</g>`;
}

function drawCheese(sketch: Sketch, cheese: Pizza['cheese']): string {
  const { random } = sketch;
  if (cheese === 'none') return dots(scatter(random, { rx: 84, ry: 84 }, 22), '#f3a06a', 5, 0.45);
  if (cheese === 'fresh') {
    const white = radial(sketch, { cx: 0.4, cy: 0.36, r: 0.66 }, '#fffdf2', '#fdf0cd', '#f0cf8d');
    return scatter(random, { rx: 76, ry: 76 }, 11)
      .map(({ x, y }) => {
        const size = random.between(15, 25);
        const shape = blob(random, { cx: x, cy: y, rx: size, ry: size * random.between(0.75, 1) }, 0.16, 8);
        return fill(shape, white, 'stroke="#e08a4a" stroke-opacity=".55" stroke-width="2.5"');
      })
      .join('');
  }
  const melted = radial(sketch, { cx: 0.42, cy: 0.4, r: 0.62 }, '#fde7a2', '#f8cf73', '#ec9f3c');
  const patches = (count: number) =>
    scatter(random, { rx: 80, ry: 80 }, count)
      .map(({ x, y }) => blob(random, { cx: x, cy: y, rx: random.between(9, 17), ry: random.between(7, 13) }, 0.25, 6))
      .join('');
  return (
    fill(blob(random, { rx: 95, ry: 95 }, 0.045, 15), melted) +
    fill(patches(6), '#fff3c8', 'opacity=".65"') +
    fill(patches(6), '#c9701c', 'opacity=".42"') +
    dots(scatter(random, { rx: 86, ry: 86 }, 14), '#d8481f', 5, 0.35)
  );
}

function drawCuts(start: number): string {
  const lines = [0, 45, 90, 135]
    .map((angle) => {
      const turn = ((angle + start) * Math.PI) / 180;
      const [x, y] = [Math.round(Math.cos(turn) * 112), Math.round(Math.sin(turn) * 112)];
      return `M${-x} ${-y}L${x} ${y}`;
    })
    .join('');
  return (
    stroke(lines, '#5a1f08', 1.8, 0.5) + `<g transform="translate(1.5 1.5)">${stroke(lines, '#fff1c4', 1, 0.4)}</g>`
  );
}
