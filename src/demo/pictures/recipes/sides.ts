import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';

export const sideRecipes: readonly DishRecipe[] = [
  {
    key: 'onion-rings',
    surface: 'marigold',
    parts: [
      {
        vessel: ['basket', 'check'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['battered-ring', -54, -22, 10, 1.25],
              ['battered-ring', 10, -40, 60, 1.35],
              ['battered-ring', 62, -6, 120, 1.2],
              ['battered-ring', -24, 26, 200, 1.35],
              ['battered-ring', 34, 36, 280, 1.3],
            ],
          },
          { kind: 'pot', at: [-78, 46], r: 30, glaze: 'charcoal', sauce: ['#7d331a', '#3d1409'] },
        ],
      },
    ],
  },
  {
    key: 'charred-corn',
    surface: 'walnut',
    parts: [
      {
        vessel: ['plate', 'blue', 130],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['corn', -2, -30, -24, 1.42],
              ['corn', 8, 32, -18, 1.42],
              ['lime-wedge', 74, 66, -20],
              ['lime-wedge', -78, -52, 30],
            ],
          },
          {
            kind: 'sprinkle',
            size: [62, 50],
            of: [
              ['feta', 10, 0.7],
              ['parsley', 9, 0.6],
              ['chilli-ring', 4, 0.8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'slaw',
    surface: 'teal',
    parts: [
      {
        vessel: ['bowl', 'white', 116],
        layers: [
          { kind: 'bed', colours: ['#fff8e4', '#dcc79c'] },
          {
            kind: 'shreds',
            size: [90, 88],
            of: [
              ['#fffbe8', 70],
              ['#e3eebb', 24],
              ['#9a4a8a', 44],
              ['#f08f36', 36],
              ['#fffdf2', 16],
            ],
          },
          {
            kind: 'sprinkle',
            size: [70, 66],
            of: [
              ['parsley', 6, 0.8],
              ['black-sesame', 12],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'raita',
    surface: 'rose',
    parts: [
      {
        vessel: ['bowl', 'blue', 112],
        layers: [
          { kind: 'pool', colours: ['#ffffff', '#e6ead6'] },
          {
            kind: 'sprinkle',
            size: [58, 56],
            of: [
              ['cucumber', 7, 1],
              ['mint', 4, 0.9],
              ['pomegranate', 10, 1.1],
              ['black-sesame', 12],
            ],
          },
        ],
      },
    ],
    strewn: [
      ['mint', 2],
      ['cucumber', 1, 1.1],
    ],
  },
  {
    key: 'dip-trio',
    surface: 'oak',
    parts: [
      {
        vessel: ['board', 'walnut'],
        layers: [
          { kind: 'pot', at: [-66, -24], r: 56, glaze: 'cream', sauce: ['#fffdf2', '#ecd9a6'] },
          { kind: 'pot', at: [62, -34], r: 54, glaze: 'charcoal', sauce: ['#ee5a32', '#a11d10'] },
          { kind: 'pot', at: [6, 58], r: 52, glaze: 'sage', sauce: ['#f0f5d2', '#a9c86c'] },
          {
            kind: 'lay',
            pieces: [
              ['parsley', -62, -22, 20, 1.1],
              ['chilli-ring', 66, -32, 0, 1.1],
              ['mint', 8, 58, -20, 0.9],
              ['skin-chip', 104, 40, -50],
              ['skin-chip', 90, 62, -20],
              ['skin-chip', -96, 60, 30],
            ],
          },
        ],
      },
    ],
  },
];
