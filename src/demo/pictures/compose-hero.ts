import { composeScene } from '#demo/pictures/compose-dish.ts';
import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';
import { heroSpread } from '#demo/pictures/recipes/hero.ts';

/** An SVG document of 1200 by 600 units: a laid table, fullest in the middle, so that any side can be cropped. */
export function composeHero(spread: DishRecipe = heroSpread): string {
  return composeScene(spread, 1200, 600);
}
