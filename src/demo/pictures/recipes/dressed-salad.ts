import type { Layer } from '#demo/pictures/dish-recipe.ts';

/** A little dressed salad under and beside the meat. */
export const salad = (at: readonly [number, number], size: readonly [number, number] = [44, 34]): Layer => ({
  kind: 'heap',
  at,
  size,
  of: [
    ['shredded-lettuce', 7],
    ['cabbage', 4],
    ['red-onion', 3],
    ['tomato', 2, 0.7],
  ],
});
