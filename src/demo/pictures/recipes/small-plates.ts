import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';

export const smallPlateRecipes: readonly DishRecipe[] = [
  {
    key: 'charcoal-wings',
    surface: 'slate',
    parts: [
      {
        vessel: ['basket', 'check'],
        layers: [
          {
            kind: 'heap',
            size: [66, 48],
            of: [
              ['wing-hot', 7, 1.08],
              ['drum-hot', 6, 1.08],
            ],
          },
          {
            kind: 'sprinkle',
            size: [66, 48],
            of: [
              ['sesame', 18, 1.1],
              ['spring-onion', 8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'chilli-paneer',
    surface: 'rose',
    parts: [
      {
        vessel: ['skillet'],
        layers: [
          { kind: 'bed', colours: ['#b8451c', '#5f1a08'], size: [92, 92] },
          {
            kind: 'heap',
            size: [76, 76],
            of: [
              ['paneer', 15, 1.15],
              ['red-pepper', 6],
              ['green-pepper', 6],
              ['onion-ring', 4],
            ],
          },
          {
            kind: 'sprinkle',
            size: [74, 74],
            of: [
              ['spring-onion', 9],
              ['green-chilli', 5],
              ['sesame', 14],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'dough-balls',
    surface: 'sage',
    parts: [
      {
        vessel: ['skillet'],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['dough-ball', 0, -66, 20, 1.12],
              ['dough-ball', 50, -44, 80, 1.12],
              ['dough-ball', 68, 6, 140, 1.12],
              ['dough-ball', 42, 54, 200, 1.12],
              ['dough-ball', -10, 70, 260, 1.12],
              ['dough-ball', -56, 42, 320, 1.12],
              ['dough-ball', -68, -10, 30, 1.12],
              ['dough-ball', -46, -52, 90, 1.12],
            ],
          },
          { kind: 'pot', at: [0, 0], r: 33, glaze: 'cream', sauce: ['#fff2a8', '#e9bd4a'] },
          { kind: 'sprinkle', size: [80, 80], of: [['parsley', 12, 0.6]] },
        ],
      },
    ],
  },
  {
    key: 'garlic-mushrooms',
    surface: 'oak',
    parts: [
      {
        vessel: ['plate', 'terracotta', 128],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['rocket', -70, -40, 30],
              ['rocket', 60, -54, 130],
              ['rocket', 20, 74, 200],
              ['rocket', -70, 40, 300],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['stuffed-mushroom', -32, -40, 0, 1.25],
              ['stuffed-mushroom', 36, -38, 60, 1.25],
              ['stuffed-mushroom', -52, 24, 120, 1.25],
              ['stuffed-mushroom', 4, 12, 180, 1.3],
              ['stuffed-mushroom', 58, 22, 240, 1.2],
              ['stuffed-mushroom', -12, 66, 300, 1.15],
            ],
          },
          { kind: 'sprinkle', size: [70, 66], of: [['parsley', 8, 0.7]] },
        ],
      },
    ],
  },
  {
    key: 'popadoms',
    surface: 'clay',
    parts: [
      {
        vessel: ['plate', 'charcoal', 134],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['popadom', -34, 22, 40],
              ['popadom', 34, 30, 140],
              ['popadom', 4, -14, 0, 1.12],
            ],
          },
        ],
      },
      { at: [104, -74], layers: [{ kind: 'pot', at: [0, 0], r: 38, glaze: 'cream', sauce: ['#ffc35a', '#d9781c'] }] },
      { at: [-108, -66], layers: [{ kind: 'pot', at: [0, 0], r: 37, glaze: 'cream', sauce: ['#f3f6dc', '#bdd48c'] }] },
      { at: [114, 58], layers: [{ kind: 'pot', at: [0, 0], r: 34, glaze: 'cream', sauce: ['#b5682a', '#5f2a0c'] }] },
      {
        at: [-106, 70],
        layers: [
          { kind: 'pot', at: [0, 0], r: 36, glaze: 'cream', sauce: ['#f0d6dd', '#b77a97'] },
          {
            kind: 'heap',
            size: [15, 14],
            of: [
              ['red-onion', 6, 0.8],
              ['tomato', 3, 0.5],
              ['parsley', 3, 0.8],
            ],
          },
        ],
      },
    ],
  },
];
