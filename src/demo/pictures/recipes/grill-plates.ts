import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';
import { salad } from '#demo/pictures/recipes/dressed-salad.ts';

export const grillPlateRecipes: readonly DishRecipe[] = [
  {
    key: 'seekh-kebab',
    surface: 'forest',
    parts: [
      {
        vessel: ['plate', 'terracotta', 130],
        layers: [
          salad([-44, 46], [44, 30]),
          {
            kind: 'lay',
            pieces: [
              ['seekh-lamb', 4, -44, -18, 1.12],
              ['seekh-lamb', 8, -10, -18, 1.12],
              ['seekh-lamb', 14, 24, -18, 1.12],
            ],
          },
          { kind: 'pot', at: [58, 66], r: 26, sauce: ['#a9c95a', '#4f7d26'] },
          { kind: 'sprinkle', size: [60, 40], of: [['coriander', 4, 0.8]] },
        ],
      },
    ],
    strewn: [['green-chilli', 2, 1.6]],
  },
  {
    key: 'lamb-chops',
    surface: 'marigold',
    parts: [
      {
        vessel: ['board', 'walnut'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['rocket', -96, -60, 20],
              ['rocket', -88, 52, -60],
              ['lamb-chop', -38, -46, 8, 1.12],
              ['lamb-chop', 24, -18, 22, 1.12],
              ['lamb-chop', -58, 26, -4, 1.12],
              ['lamb-chop', 12, 56, 6, 1.12],
              ['lemon-wedge', 98, -76, 40],
              ['chilli', 96, 74, -40, 0.8],
            ],
          },
          { kind: 'sprinkle', size: [80, 60], of: [['coriander', 4, 0.7]] },
        ],
      },
    ],
  },
  {
    key: 'mixed-grill',
    surface: 'slate',
    parts: [
      {
        vessel: ['tray', 'kraft'],
        layers: [
          salad([84, 52], [34, 32]),
          {
            kind: 'skewer',
            at: [42, 16],
            turn: -6,
            scale: 0.92,
            pieces: ['chicken', 'red-pepper', 'chicken', 'green-pepper', 'chicken'],
          },
          {
            kind: 'lay',
            pieces: [
              ['seekh-lamb', -46, -66, -8],
              ['tikka', 46, -72, 20, 1.4],
              ['tikka', 84, -60, 80, 1.4],
              ['tikka', 60, -36, 140, 1.4],
              ['lamb-chop', -62, -20, 8],
              ['tandoori-leg', -38, 50, -8, 1.02],
              ['onion-ring', 98, -24, 0, 1.3],
              ['lemon-wedge', 44, 66, 10],
              ['coriander', 20, -44],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'half-chicken',
    surface: 'sage',
    parts: [
      {
        vessel: ['plate', 'stone', 132],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['rocket', -70, 44, 30],
              ['rocket', -52, 62, -10],
              ['spinach', -80, 24, 70, 0.9],
              ['half-chicken', 4, -10, -10, 1.02],
              ['lemon-wedge', 62, 70, 8],
            ],
          },
          { kind: 'pot', at: [-4, 78], r: 24, glaze: 'charcoal', sauce: ['#f0612a', '#9c2410'] },
        ],
      },
    ],
  },
  {
    key: 'tandoori-legs',
    surface: 'cream',
    parts: [
      {
        vessel: ['karahi', 'iron', 118],
        layers: [
          { kind: 'bed', colours: ['#5a2a14', '#2c1108'], size: [100, 100] },
          {
            kind: 'heap',
            size: [80, 72],
            of: [
              ['onion-ring', 9, 1.3],
              ['shredded-lettuce', 5],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['tandoori-leg', 6, -46, -24, 1.08],
              ['tandoori-leg', -4, 6, -14, 1.08],
              ['tandoori-leg', 10, 54, -4, 1.08],
              ['lime-wedge', 70, -4, 60],
              ['coriander', -30, -30],
              ['coriander', 44, 30, 60],
            ],
          },
        ],
      },
    ],
    strewn: [['lime', 2, 1]],
  },
  {
    key: 'salmon-tikka',
    surface: 'oak',
    parts: [
      {
        vessel: ['plate', 'blue', 132],
        layers: [
          {
            kind: 'heap',
            at: [-30, 40],
            size: [50, 34],
            of: [
              ['cucumber', 5, 0.9],
              ['rocket', 5, 0.9],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['salmon-fillet', 0, -38, -16, 1.3],
              ['salmon-fillet', 16, 18, -16, 1.3],
              ['lemon', 70, 64, 0, 1.05],
              ['lemon', 84, 50, 30, 1.05],
            ],
          },
          { kind: 'sprinkle', at: [6, -10], size: [64, 44], of: [['dill', 8, 0.9]] },
        ],
      },
    ],
  },
  {
    key: 'chicken-doner',
    surface: 'rose',
    parts: [
      {
        vessel: ['board', 'walnut'],
        layers: [
          { kind: 'bread', shape: 'naan', scale: 1.02, turn: -8, at: [0, 6], tone: 'pale' },
          {
            kind: 'heap',
            at: [-6, 0],
            size: [70, 36],
            of: [
              ['shredded-lettuce', 6],
              ['doner-strip', 8, 1.1],
              ['chicken-strip', 9, 1.1],
            ],
          },
          {
            kind: 'heap',
            at: [54, 36],
            size: [30, 20],
            of: [
              ['cabbage', 7],
              ['red-onion', 3],
            ],
          },
          { kind: 'drizzle', colour: '#fff6e2', reach: 56, lines: 5 },
          {
            kind: 'lay',
            pieces: [
              ['chilli', -92, 78, -14, 0.8],
              ['tomato', 96, -74, 0, 1],
              ['tomato', 78, -86, 0, 1],
            ],
          },
        ],
      },
    ],
  },
];
