import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';

/** A dinner for many people on one table. Positions are relative to the middle of 1200 by 600 units. */
export const heroSpread: DishRecipe = {
  key: 'hero',
  surface: 'walnut',
  parts: [
    {
      at: [0, 0],
      layers: [
        {
          kind: 'lay',
          pieces: [
            ['coriander', -262, 40, 20, 1.4],
            ['chilli', -258, -22, 30, 1],
            ['lemon-wedge', 262, 36, 20, 1.1],
            ['basil', -20, 262, 30, 1.3],
            ['basil', 8, 276, 100, 1.1],
            ['anise', 306, -8, 0, 1.2],
            ['cardamom', 330, 6, 30, 1.3],
            ['cinnamon', 402, 14, 28, 1],
            ['mint', 566, 60, 20, 1.3],
            ['coriander', -330, 268, 60, 1.2],
            ['chilli-ring', -288, 12, 0, 1.3],
            ['olive', -180, -250, 0, 1.3],
            ['olive', -200, -236, 0, 1.2],
            ['cherry-tomato', -216, -262, 0, 1.2],
          ],
        },
      ],
    },
    {
      at: [-470, -166],
      scale: 1.1,
      vessel: ['basket', 'check'],
      layers: [
        {
          kind: 'heap',
          size: [70, 52],
          of: [
            ['wing-hot', 7, 1.08],
            ['drum-hot', 6, 1.08],
          ],
        },
        {
          kind: 'sprinkle',
          size: [66, 48],
          of: [
            ['sesame', 12, 1.2],
            ['spring-onion', 8],
          ],
        },
      ],
    },
    {
      at: [-430, 136],
      scale: 1.14,
      vessel: ['plate', 'cream', 132],
      layers: [
        {
          kind: 'heap',
          at: [6, 52],
          size: [64, 30],
          of: [
            ['shredded-lettuce', 8],
            ['cabbage', 4],
            ['red-onion', 4],
            ['tomato', 2, 0.8],
          ],
        },
        {
          kind: 'skewer',
          at: [-8, -34],
          turn: -18,
          scale: 1.1,
          pieces: ['tikka', 'red-pepper', 'tikka', 'green-pepper', 'tikka', 'tikka'],
        },
        {
          kind: 'skewer',
          at: [8, 16],
          turn: -18,
          scale: 1.1,
          pieces: ['tikka', 'tikka', 'onion-ring', 'tikka', 'green-pepper', 'tikka'],
        },
        {
          kind: 'lay',
          pieces: [
            ['lemon-wedge', 70, 70, -20],
            ['coriander', -80, 20, 20],
          ],
        },
      ],
    },
    {
      at: [-210, -206],
      scale: 0.86,
      vessel: ['bowl', 'charcoal'],
      layers: [
        { kind: 'bed', colours: ['#d9993a', '#84500f'] },
        { kind: 'heap', size: [82, 80], of: [['skin-chip', 40, 1.12]] },
        { kind: 'sprinkle', of: [['parsley', 6]] },
      ],
    },
    {
      at: [-72, 32],
      scale: 1.5,
      vessel: ['peel', 'oak', 98],
      layers: [
        {
          kind: 'pizza',
          sauce: 'tomato',
          cheese: 'melted',
          toppings: [
            ['pepperoni', 13, 1.1],
            ['mushroom', 5],
            ['olive', 6],
            ['basil', 5],
          ],
        },
      ],
    },
    {
      at: [178, -160],
      scale: 1.08,
      vessel: ['karahi', 'copper'],
      layers: [
        {
          kind: 'curry',
          sauce: ['#ffa552', '#e8781f', '#ad4610'],
          pieces: [['butter-chicken', 12, 1.15]],
          oil: '#ffc766',
          swirl: '#fff6e2',
          herbs: [['coriander', 4]],
        },
      ],
    },
    {
      at: [236, 178],
      turn: -8,
      layers: [
        { kind: 'bread', shape: 'naan', scale: 1.22, at: [26, -8], turn: -22 },
        { kind: 'bread', shape: 'naan', scale: 1.24, turn: -4, brushed: '#ffd56a', topping: [['coriander', 9, 0.75]] },
      ],
    },
    {
      at: [422, -110],
      scale: 0.96,
      vessel: ['bowl', 'blue', 120],
      layers: [
        { kind: 'bed', colours: ['#5f8a34', '#2f5420'] },
        {
          kind: 'heap',
          size: [80, 78],
          of: [
            ['lettuce', 9, 1.1],
            ['spinach', 3],
            ['radicchio', 3],
          ],
        },
        {
          kind: 'sprinkle',
          size: [76, 72],
          of: [
            ['tomato', 5, 0.9],
            ['cucumber', 6, 0.95],
            ['feta', 8, 1.1],
            ['onion-ring', 4],
            ['olive', 4, 1.1],
          ],
        },
      ],
    },
    {
      at: [440, 152],
      scale: 0.98,
      vessel: ['bowl', 'terracotta', 118],
      layers: [
        { kind: 'rice', tint: 'pilau' },
        {
          kind: 'sprinkle',
          of: [
            ['cardamom', 2],
            ['coriander', 4],
          ],
        },
      ],
    },
    {
      at: [600, 14],
      scale: 0.84,
      layers: [
        { kind: 'cup', liquid: ['#ffd27a', '#f09a26'], glaze: ['#fffaf0', '#d8c4a4'], dusting: [['pistachio', 6]] },
      ],
    },
    { at: [306, -262], layers: [{ kind: 'pot', at: [0, 0], r: 38, glaze: 'charcoal', sauce: ['#f3f6dc', '#bdd48c'] }] },
    { at: [-266, 232], layers: [{ kind: 'pot', at: [0, 0], r: 36, glaze: 'charcoal', sauce: ['#ee5a32', '#a11d10'] }] },
    { at: [-592, 20], layers: [{ kind: 'pot', at: [0, 0], r: 46, glaze: 'mustard', sauce: ['#ffc35a', '#d9781c'] }] },
    {
      at: [36, -286],
      scale: 0.72,
      vessel: ['bowl', 'cream'],
      layers: [
        { kind: 'pool', colours: ['#f6c25a', '#b9701a'] },
        {
          kind: 'lay',
          pieces: [
            ['gulab', -34, -34, 0, 1.5],
            ['gulab', 38, -28, 0, 1.5],
            ['gulab', -30, 38, 0, 1.5],
            ['gulab', 40, 42, 0, 1.5],
          ],
        },
        { kind: 'sprinkle', size: [66, 66], of: [['pistachio', 9, 1.2]] },
      ],
    },
    {
      at: [596, -268],
      scale: 0.9,
      vessel: ['plate', 'terracotta', 124],
      layers: [
        {
          kind: 'lay',
          pieces: [
            ['bhaji', -40, 10, 20, 1.2],
            ['bhaji', -10, 50, 90, 1.2],
            ['bhaji', -60, 54, 160, 1.1],
          ],
        },
      ],
    },
    {
      at: [604, 272],
      scale: 0.9,
      vessel: ['plate', 'charcoal', 124],
      layers: [
        {
          kind: 'lay',
          pieces: [
            ['samosa', -40, -40, -14, 1.4],
            ['samosa', -20, 20, 20, 1.4],
          ],
        },
      ],
    },
  ],
};
