import type { DishRecipe, Part } from '#demo/pictures/dish-recipe.ts';
import { drawLayer } from '#demo/pictures/draw-layer.ts';
import { layVessel } from '#demo/pictures/lay-vessel.ts';
import { lay } from '#demo/pictures/morsels.ts';
import { createSketch, group, place, type Point, type Sketch } from '#demo/pictures/sketch.ts';
import { drawNapkin, drawSurface } from '#demo/pictures/surfaces.ts';

const WIDTH = 400;
const HEIGHT = 300;

/**
 * An SVG document of 400 by 300 units with its subject within the middle square. The same recipe gives the same bytes.
 * Its ids are short and not unique: show it as an image, do not paste several into one page.
 */
export function composeDish(recipe: DishRecipe): string {
  return composeScene(recipe, WIDTH, HEIGHT);
}

/** Several parts on one table, later ones in front; positions are relative to the picture's middle. */
export function composeScene(recipe: DishRecipe, width: number, height: number): string {
  const sketch = createSketch(recipe.key);
  const content = [
    drawSurface(sketch, recipe.surface, width, height),
    recipe.napkin === undefined ? '' : drawNapkin(sketch, ...recipe.napkin),
    group(
      strew(sketch, recipe, width, height) + recipe.parts.map((part) => drawPart(sketch, part)).join(''),
      place(width / 2, height / 2),
    ),
  ].join('');
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} fill="none" stroke-linecap="round" stroke-linejoin="round"><defs>${sketch.definitions()}</defs>${content}</svg>`;
}

function drawPart(sketch: Sketch, part: Part): string {
  const vessel = layVessel(sketch, part.vessel);
  const food = part.layers.map((layer) => drawLayer(sketch, layer, vessel.room)).join('');
  const [x, y] = part.at ?? [0, 0];
  return group(vessel.under + food + vessel.over, place(x, y, part.turn, part.scale));
}

/** Drawn in the corners: the dish never covers it, and a square crop keeps a little of it. */
function strew(sketch: Sketch, recipe: DishRecipe, width: number, height: number): string {
  const { random } = sketch;
  const corners = [0, 1, 2, 3].map((corner): Point => ({ x: corner % 2 === 0 ? -1 : 1, y: corner < 2 ? -1 : 1 }));
  const start = Math.floor(random.between(0, 4));
  let next = start;
  return (recipe.strewn ?? [])
    .map(([name, count, scale]) => {
      const points = Array.from({ length: count }, () => {
        const corner = corners[next % 4] ?? { x: 1, y: 1 };
        next += 1;
        return {
          x: corner.x * (width / 2 - random.between(16, 62)),
          y: corner.y * (height / 2 - random.between(12, 48)),
        };
      });
      return lay(sketch, name, points, scale);
    })
    .join('');
}
