import type { DishRecipe } from '#menu/pictures/dish-recipe.ts';
import { burgerRecipes } from '#menu/pictures/recipes/burgers.ts';
import { curryRecipes } from '#menu/pictures/recipes/curries.ts';
import { chipRecipes } from '#menu/pictures/recipes/chips.ts';
import { dealForOneRecipes } from '#menu/pictures/recipes/deals-for-one.ts';
import { dealToShareRecipes } from '#menu/pictures/recipes/deals-to-share.ts';
import { dessertRecipes } from '#menu/pictures/recipes/desserts.ts';
import { drinkRecipes } from '#menu/pictures/recipes/drinks.ts';
import { grillPlateRecipes } from '#menu/pictures/recipes/grill-plates.ts';
import { skewerRecipes } from '#menu/pictures/recipes/grill-skewers.ts';
import { pizzaRecipes } from '#menu/pictures/recipes/pizzas.ts';
import { riceAndBreadRecipes } from '#menu/pictures/recipes/rice-and-bread.ts';
import { saladRecipes } from '#menu/pictures/recipes/salads.ts';
import { sideRecipes } from '#menu/pictures/recipes/sides.ts';
import { friedPlateRecipes } from '#menu/pictures/recipes/small-plates-fried.ts';
import { smallPlateRecipes } from '#menu/pictures/recipes/small-plates.ts';
import { wrapRecipes } from '#menu/pictures/recipes/wraps.ts';

/** Every dish that can be drawn, by its picture's key. */
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
