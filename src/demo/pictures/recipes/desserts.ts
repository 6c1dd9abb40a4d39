import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';

export const dessertRecipes: readonly DishRecipe[] = [
  {
    key: 'cookie-dough',
    surface: 'rose',
    parts: [
      {
        vessel: ['skillet'],
        layers: [
          { kind: 'pool', colours: ['#f3c681', '#b87a34'] },
          { kind: 'sprinkle', size: [80, 80], of: [['chocolate-chunk', 17, 1.1]] },
          {
            kind: 'lay',
            pieces: [
              ['vanilla-scoop', -8, -14, 0, 1.15],
              ['vanilla-scoop', 34, 22, 60, 1],
            ],
          },
          { kind: 'drizzle', colour: '#43200d', reach: 64, lines: 5 },
        ],
      },
    ],
  },
  {
    key: 'brownie',
    surface: 'clay',
    parts: [
      {
        vessel: ['plate', 'cream', 128],
        layers: [
          { kind: 'pool', colours: ['#6b3a1e', '#35170a'], at: [6, 20], size: [82, 52] },
          {
            kind: 'lay',
            pieces: [
              ['brownie', -32, 12, -10, 1.28],
              ['brownie', 36, -16, 12, 1.28],
              ['vanilla-scoop', 4, -2, 0, 1.1],
              ['raspberry', -66, -52, 0, 1.1],
              ['raspberry', -48, -64, 50, 1.1],
              ['mint', -62, -68, -30, 0.8],
            ],
          },
          { kind: 'drizzle', colour: '#35170a', reach: 44, lines: 5 },
        ],
      },
    ],
  },
  {
    key: 'sticky-toffee',
    surface: 'forest',
    parts: [
      {
        vessel: ['bowl', 'cream', 118],
        layers: [
          { kind: 'pool', colours: ['#e8a24a', '#9c5416'] },
          { kind: 'lay', pieces: [['toffee-pudding', 0, 0, -8, 1.08]] },
          { kind: 'pool', colours: ['#d98a34', '#8f4612'], at: [-4, -8], size: [44, 30] },
          {
            kind: 'lay',
            pieces: [
              ['vanilla-scoop', 4, -10, 20, 0.9],
              ['almond', -34, 44, 30, 1.2],
              ['almond', 50, 40, -40, 1.2],
              ['almond', 60, -44, 20, 1.2],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'churros',
    surface: 'teal',
    parts: [
      {
        vessel: ['paper', 'kraft'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['churro', -40, -58, -24, 1.08],
              ['churro', -30, -26, -30, 1.08],
              ['churro', -26, 10, -22, 1.08],
              ['churro', -16, 44, -30, 1.08],
              ['churro', -2, 76, -24, 1],
            ],
          },
          { kind: 'pot', at: [74, -18], r: 42, glaze: 'cream', sauce: ['#7d4a2c', '#361709'] },
          { kind: 'lay', pieces: [['churro', 44, -44, -54, 0.7]] },
        ],
      },
    ],
    strewn: [['cinnamon', 2, 0.9]],
  },
  {
    key: 'cheesecake',
    surface: 'berry',
    parts: [
      {
        vessel: ['plate', 'white', 130],
        layers: [
          { kind: 'pool', colours: ['#e8364a', '#9c0f2c'], at: [14, 40], size: [76, 36] },
          {
            kind: 'lay',
            pieces: [
              ['cheesecake', -4, 2, 0, 0.94],
              ['strawberry', 34, -36, 16, 1.1],
              ['strawberry', 60, -16, -24, 0.9],
              ['blueberry', 14, -20, 0, 1.1],
              ['mint', 46, -58, -20, 0.8],
              ['strawberry', -70, 64, 30, 0.9],
              ['blueberry', -48, 74, 0, 1.1],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'gulab-jamun',
    surface: 'marigold',
    parts: [
      {
        vessel: ['bowl', 'blue', 116],
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
          {
            kind: 'sprinkle',
            size: [66, 66],
            of: [
              ['pistachio', 12, 1.1],
              ['almond', 6],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'rasmalai',
    surface: 'slate',
    parts: [
      {
        vessel: ['bowl', 'terracotta', 116],
        layers: [
          { kind: 'pool', colours: ['#fff3c4', '#f0cf7c'] },
          {
            kind: 'lay',
            pieces: [
              ['rasmalai', -36, -26, 0, 1.55],
              ['rasmalai', 40, -20, 90, 1.55],
              ['rasmalai', 0, 44, 180, 1.55],
            ],
          },
          {
            kind: 'sprinkle',
            size: [70, 70],
            of: [
              ['pistachio', 12, 1.1],
              ['ginger', 5, 0.8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'kulfi',
    surface: 'sage',
    parts: [
      {
        vessel: ['board', 'walnut'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['kulfi', -18, -40, -18, 1.36],
              ['kulfi', -10, 36, -12, 1.36],
            ],
          },
          { kind: 'sprinkle', size: [104, 80], of: [['pistachio', 14, 1.1]] },
        ],
      },
    ],
    strewn: [['pistachio', 6, 1.2]],
  },
  {
    key: 'three-scoops',
    surface: 'oak',
    parts: [
      {
        vessel: ['bowl', 'blue', 112],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['wafer', 54, -58, -40, 1.4],
              ['wafer', 64, -44, -30, 1.4],
              ['strawberry-scoop', -28, -24, 0, 1.35],
              ['vanilla-scoop', 36, 2, 60, 1.35],
              ['pistachio-scoop', -16, 42, 120, 1.3],
              ['mint', 8, 8, 20],
              ['strawberry', -58, 60, 20, 0.8],
            ],
          },
        ],
      },
    ],
  },
];
