import type { DishRecipe } from '#menu/pictures/dish-recipe.ts';
import { burgerRecipes } from '#menu/pictures/recipes/burgers.ts';
import { curryRecipes } from '#menu/pictures/recipes/curries.ts';
import { dealRecipes } from '#menu/pictures/recipes/deals.ts';
import { dessertRecipes } from '#menu/pictures/recipes/desserts.ts';
import { drinkRecipes } from '#menu/pictures/recipes/drinks.ts';
import { grillRecipes } from '#menu/pictures/recipes/grill.ts';
import { pizzaRecipes } from '#menu/pictures/recipes/pizzas.ts';
import { riceAndBreadRecipes } from '#menu/pictures/recipes/rice-and-bread.ts';
import { saladRecipes } from '#menu/pictures/recipes/salads.ts';
import { sideRecipes } from '#menu/pictures/recipes/sides.ts';
import { smallPlateRecipes } from '#menu/pictures/recipes/small-plates.ts';
import { wrapRecipes } from '#menu/pictures/recipes/wraps.ts';

/** Every dish that can be drawn, by its picture's key. */
export const recipes: ReadonlyMap<string, DishRecipe> = new Map(
  [
    ...dealRecipes,
    ...smallPlateRecipes,
    ...grillRecipes,
    ...burgerRecipes,
    ...pizzaRecipes,
    ...wrapRecipes,
    ...curryRecipes,
    ...riceAndBreadRecipes,
    ...sideRecipes,
    ...saladRecipes,
    ...dessertRecipes,
    ...drinkRecipes,
  ].map((recipe) => [recipe.key, recipe]),
);
