import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';

export const friedPlateRecipes: readonly DishRecipe[] = [
  {
    key: 'onion-bhajis',
    surface: 'forest',
    parts: [
      {
        vessel: ['plate', 'terracotta', 128],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['lettuce', -54, -40, 20],
              ['lettuce', 60, -44, 100],
              ['lettuce', -60, 40, 200],
              ['bhaji', -34, -46, 10, 1.2],
              ['bhaji', 32, -44, 70, 1.2],
              ['bhaji', -56, 18, 130, 1.2],
              ['bhaji', 0, 4, 200, 1.3],
              ['bhaji', 56, 14, 280, 1.15],
              ['lemon-wedge', -24, 68, 16],
            ],
          },
          { kind: 'pot', at: [34, 62], r: 30, sauce: ['#fffdf0', '#d5e2b0'] },
          { kind: 'lay', pieces: [['mint', 36, 58, 20, 0.5]] },
        ],
      },
    ],
  },
  {
    key: 'vegetable-samosas',
    surface: 'berry',
    parts: [
      {
        vessel: ['board', 'oak'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['coriander', -98, -62, 20, 1.2],
              ['samosa', -52, -34, -18, 1.5],
              ['samosa', 44, -30, 24, 1.5],
              ['samosa', -6, 34, 4, 1.6],
              ['coriander', 94, 80, 60, 1.2],
              ['chilli', 92, -86, 10, 0.8],
            ],
          },
          { kind: 'pot', at: [-84, 52], r: 34, glaze: 'charcoal', sauce: ['#8a4a24', '#3d170a'] },
        ],
      },
    ],
  },
  {
    key: 'chicken-pakora',
    surface: 'marigold',
    parts: [
      {
        vessel: ['basket', 'cream'],
        layers: [
          { kind: 'heap', size: [66, 48], of: [['pakora', 12, 1]] },
          { kind: 'pot', at: [72, 42], r: 30, sauce: ['#e8502a', '#9c1f10'] },
          {
            kind: 'lay',
            pieces: [
              ['lemon-wedge', -76, 56, 20],
              ['green-chilli', -10, -66, 20, 1.5],
              ['coriander', 20, 60],
              ['coriander', -84, -20, 50],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'halloumi-fries',
    surface: 'teal',
    parts: [
      {
        vessel: ['plate', 'stone', 128],
        layers: [
          { kind: 'heap', size: [72, 62], of: [['halloumi-chip', 17, 1.2]] },
          { kind: 'drizzle', colour: '#fffaf0', reach: 62, lines: 5 },
          {
            kind: 'sprinkle',
            size: [66, 58],
            of: [
              ['pomegranate', 22, 1.2],
              ['mint', 5, 0.7],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'chicken-tenders',
    surface: 'clay',
    parts: [
      {
        vessel: ['paper', 'cream'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['tender', -62, -36, -50, 1.3],
              ['tender', -20, -40, -70, 1.3],
              ['tender', 28, -38, -94, 1.3],
              ['tender', -44, 30, -30, 1.3],
              ['tender', 22, 34, -8, 1.35],
              ['parsley', -78, 62, 10, 1.2],
              ['lemon-wedge', -4, 78, 10],
            ],
          },
          { kind: 'pot', at: [80, 16], r: 34, glaze: 'charcoal', sauce: ['#fffdf2', '#efe0b4'] },
          { kind: 'lay', pieces: [['parsley', 82, 14, 30, 0.8]] },
        ],
      },
    ],
  },
  {
    key: 'salt-pepper-squid',
    surface: 'teal',
    parts: [
      {
        vessel: ['plate', 'charcoal', 128],
        layers: [
          { kind: 'heap', size: [66, 60], of: [['squid', 20, 1.25]] },
          {
            kind: 'sprinkle',
            size: [66, 60],
            of: [
              ['chilli-ring', 8],
              ['spring-onion', 9],
              ['black-sesame', 14],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['lime-wedge', 66, 54, -20, 1.1],
              ['lime-wedge', 44, 72, 30, 1.1],
            ],
          },
        ],
      },
    ],
  },
];
