import type { Layer } from '#demo/pictures/dish-recipe.ts';
import { drawBread } from '#demo/pictures/dishes/bread.ts';
import { drawBurger } from '#demo/pictures/dishes/burger.ts';
import { drawCarton } from '#demo/pictures/dishes/carton.ts';
import { drawCurry, glints } from '#demo/pictures/dishes/curry.ts';
import { drawBottle, drawCan, drawCup, drawGlass } from '#demo/pictures/dishes/drink.ts';
import { drawPizza, drizzle } from '#demo/pictures/dishes/pizza.ts';
import { drawBeads, drawShreds } from '#demo/pictures/dishes/shreds.ts';
import { drawRice } from '#demo/pictures/dishes/rice.ts';
import { drawSkewer } from '#demo/pictures/dishes/skewer.ts';
import { drawRoll, drawWrap } from '#demo/pictures/dishes/wrap.ts';
import { defineMorsel, heap, sprinkle } from '#demo/pictures/morsels.ts';
import { radial, SHADE } from '#demo/pictures/paint.ts';
import { blob, ellipse, fill, repeat, type Area } from '#demo/pictures/shapes.ts';
import type { Sketch } from '#demo/pictures/sketch.ts';
import { drawPot } from '#demo/pictures/vessels.ts';

/** Draws one layer of food around 0,0; `room` is the space inside its vessel. */
export function drawLayer(sketch: Sketch, layer: Layer, room: Area): string {
  switch (layer.kind) {
    case 'pizza':
      return drawPizza(sketch, layer);
    case 'curry':
      return drawCurry(sketch, layer, room);
    case 'burger':
      return drawBurger(sketch, layer);
    case 'rice':
      return drawRice(sketch, layer, room);
    case 'bread':
      return drawBread(sketch, layer);
    case 'wrap':
      return drawWrap(sketch, layer);
    case 'roll':
      return drawRoll(sketch, layer);
    case 'skewer':
      return drawSkewer(sketch, layer);
    case 'can':
      return drawCan(sketch, layer);
    case 'bottle':
      return drawBottle(sketch, layer);
    case 'glass':
      return drawGlass(sketch, layer);
    case 'cup':
      return drawCup(sketch, layer);
    case 'carton':
      return drawCarton(sketch, layer);
    case 'heap':
      return heap(sketch, areaOf(layer, room), layer.of);
    case 'sprinkle':
      return sprinkle(sketch, areaOf(layer, room), layer.of);
    case 'lay':
      return layer.pieces
        .map(([name, x, y, turn, scale]) => repeat(defineMorsel(sketch, name), { x, y }, turn, scale))
        .join('');
    case 'drizzle':
      return drizzle(sketch, layer.reach ?? room.rx * 0.75, layer.colour, layer.lines);
    case 'pot': {
      const pot = drawPot(sketch, layer.glaze ?? 'white', layer.r ?? 36, ...layer.sauce);
      return `<g transform="translate(${layer.at[0]} ${layer.at[1]})">${pot}</g>`;
    }
    case 'shreds':
      return drawShreds(sketch, areaOf(layer, room), layer.of);
    case 'beads':
      return drawBeads(sketch, areaOf(layer, room), layer);
    case 'bed':
      return bed(sketch, layer, room);
    case 'pool': {
      const { cx, cy, rx, ry } = areaOf(layer, room);
      return bed(sketch, layer, room) + glints(sketch, { cx, cy, rx: rx * 0.75, ry: ry * 0.75 }, 6);
    }
  }
}

function areaOf(layer: { at?: readonly [number, number]; size?: readonly [number, number] }, room: Area): Area {
  const [cx, cy] = layer.at ?? [0, 0];
  const [rx, ry] = layer.size ?? [room.rx * 0.78, room.ry * 0.78];
  return { cx, cy, rx, ry };
}

/** The layer underneath: sauce, syrup, the shaded depth of a heap. */
function bed(sketch: Sketch, layer: Extract<Layer, { kind: 'bed' | 'pool' }>, room: Area): string {
  const paint = radial(sketch, { cx: 0.38, cy: 0.34, r: 0.7 }, ...layer.colours);
  if (layer.size === undefined) return ellipse(room, paint);
  return fill(
    blob(sketch.random, areaOf(layer, room), 0.06, 11),
    paint,
    `stroke="${SHADE}" stroke-opacity=".15" stroke-width="2"`,
  );
}
