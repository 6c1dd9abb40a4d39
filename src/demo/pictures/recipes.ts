import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';
import { burgerRecipes } from '#demo/pictures/recipes/burgers.ts';
import { curryRecipes } from '#demo/pictures/recipes/curries.ts';
import { chipRecipes } from '#demo/pictures/recipes/chips.ts';
import { dealForOneRecipes } from '#demo/pictures/recipes/deals-for-one.ts';
import { dealToShareRecipes } from '#demo/pictures/recipes/deals-to-share.ts';
import { dessertRecipes } from '#demo/pictures/recipes/desserts.ts';
import { drinkRecipes } from '#demo/pictures/recipes/drinks.ts';
import { grillPlateRecipes } from '#demo/pictures/recipes/grill-plates.ts';
import { skewerRecipes } from '#demo/pictures/recipes/grill-skewers.ts';
import { pizzaRecipes } from '#demo/pictures/recipes/pizzas.ts';
import { riceAndBreadRecipes } from '#demo/pictures/recipes/rice-and-bread.ts';
import { saladRecipes } from '#demo/pictures/recipes/salads.ts';
import { sideRecipes } from '#demo/pictures/recipes/sides.ts';
import { friedPlateRecipes } from '#demo/pictures/recipes/small-plates-fried.ts';
import { smallPlateRecipes } from '#demo/pictures/recipes/small-plates.ts';
import { wrapRecipes } from '#demo/pictures/recipes/wraps.ts';

/** Every dish that can be drawn, by the key of its picture. */
export const recipes: ReadonlyMap<string, DishRecipe> = new Map(
  [
    ...dealForOneRecipes,
    ...dealToShareRecipes,
    ...friedPlateRecipes,
    ...smallPlateRecipes,
    ...skewerRecipes,
    ...grillPlateRecipes,
    ...burgerRecipes,
    ...pizzaRecipes,
    ...wrapRecipes,
    ...curryRecipes,
    ...riceAndBreadRecipes,
    ...chipRecipes,
    ...sideRecipes,
    ...saladRecipes,
    ...dessertRecipes,
    ...drinkRecipes,
  ].map((recipe) => [recipe.key, recipe]),
);
