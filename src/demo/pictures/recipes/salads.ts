import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';

const leaves = (lettuce: number, rocket: number, spinach: number, radicchio = 0): Layer[] => [
  { kind: 'bed', colours: ['#5f8a34', '#2f5420'] },
  {
    kind: 'heap',
    size: [78, 76],
    of: [
      ['lettuce', lettuce, 1.1],
      ['spinach', spinach],
      ['rocket', rocket],
      ...(radicchio > 0 ? ([['radicchio', radicchio]] as const) : []),
    ],
  },
];

export const saladRecipes: readonly DishRecipe[] = [
  {
    key: 'chopped-salad',
    surface: 'clay',
    parts: [
      {
        vessel: ['bowl', 'cream', 118],
        layers: [
          ...leaves(11, 4, 3),
          {
            kind: 'sprinkle',
            size: [76, 74],
            of: [
              ['tomato', 6, 0.9],
              ['cucumber', 7, 0.95],
              ['onion-ring', 5],
              ['parsley', 8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'feta-salad',
    surface: 'teal',
    parts: [
      {
        vessel: ['plate', 'white', 130],
        layers: [
          {
            kind: 'heap',
            size: [84, 80],
            of: [
              ['lettuce', 6, 1],
              ['tomato', 8],
              ['cucumber', 8],
            ],
          },
          {
            kind: 'sprinkle',
            size: [82, 76],
            of: [
              ['red-onion', 7, 1.1],
              ['feta', 14, 1.15],
              ['olive', 9, 1.2],
              ['parsley', 6, 0.7],
            ],
          },
        ],
      },
    ],
    strewn: [['olive', 3, 1.1]],
  },
  {
    key: 'tikka-salad',
    surface: 'marigold',
    parts: [
      {
        vessel: ['bowl', 'charcoal', 120],
        layers: [
          ...leaves(8, 5, 4, 4),
          {
            kind: 'heap',
            size: [60, 52],
            of: [
              ['tikka', 9, 1.15],
              ['cucumber', 4, 0.9],
            ],
          },
          { kind: 'drizzle', colour: '#f6faea', reach: 64, lines: 5 },
          {
            kind: 'sprinkle',
            size: [74, 70],
            of: [
              ['pomegranate', 14, 1.2],
              ['red-onion', 4],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'caesar-salad',
    surface: 'forest',
    parts: [
      {
        vessel: ['plate', 'stone', 130],
        layers: [
          { kind: 'heap', size: [68, 64], of: [['lettuce', 12, 1.15]] },
          { kind: 'heap', at: [4, 2], size: [56, 40], of: [['chicken-strip', 8, 1.2]] },
          {
            kind: 'sprinkle',
            size: [72, 66],
            of: [
              ['crouton', 10, 1.1],
              ['parmesan', 9, 1.1],
            ],
          },
          { kind: 'drizzle', colour: '#fff6dc', reach: 58, lines: 5 },
        ],
      },
    ],
  },
  {
    key: 'falafel-bowl',
    surface: 'rose',
    parts: [
      {
        vessel: ['bowl', 'sage', 122],
        layers: [
          { kind: 'bed', colours: ['#a9c765', '#55782c'] },
          {
            kind: 'heap',
            size: [80, 78],
            of: [
              ['lettuce', 5, 1.1],
              ['spinach', 5, 1.1],
            ],
          },
          { kind: 'rice', tint: 'brown', at: [-46, 40], size: 0.5 },
          {
            kind: 'beads',
            at: [50, 52],
            size: [37, 33],
            count: 19,
            r: 7.2,
            colours: ['#e8bd70', '#fff2cc', '#8f5e24'],
          },
          {
            kind: 'shreds',
            at: [-56, -34],
            size: [30, 34],
            of: [
              ['#8d3f7d', 17],
              ['#d99ccb', 9],
            ],
          },
          {
            kind: 'shreds',
            at: [64, -24],
            size: [22, 28],
            of: [
              ['#e8791e', 14],
              ['#ffb35c', 9],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['avocado', 4, -78, 10, 1],
              ['avocado', 8, -62, 10, 1],
              ['falafel', -24, -16, 0, 1.35],
              ['falafel', 22, -20, 60, 1.35],
              ['falafel', 0, 20, 120, 1.35],
            ],
          },
          { kind: 'drizzle', colour: '#f7e7bd', reach: 46, lines: 4 },
          {
            kind: 'sprinkle',
            size: [80, 78],
            of: [
              ['sesame', 16],
              ['parsley', 6, 0.8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'salmon-bowl',
    surface: 'slate',
    parts: [
      {
        vessel: ['bowl', 'blue', 122],
        layers: [
          { kind: 'rice', tint: 'basmati' },
          { kind: 'heap', at: [-58, -34], size: [26, 36], of: [['cucumber', 8, 0.95]] },
          {
            kind: 'shreds',
            at: [58, 44],
            size: [25, 26],
            of: [
              ['#e8791e', 14],
              ['#ffb35c', 9],
            ],
          },
          {
            kind: 'shreds',
            at: [-46, 56],
            size: [26, 20],
            of: [
              ['#8d3f7d', 13],
              ['#d99ccb', 7],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['salmon-fillet', 12, -14, -28, 1.35],
              ['avocado', 64, -50, 60, 1],
              ['avocado', 76, -34, 60, 1],
              ['lime-wedge', 2, 78, 0, 0.9],
            ],
          },
          {
            kind: 'sprinkle',
            size: [76, 74],
            of: [
              ['sesame', 16],
              ['black-sesame', 16],
              ['spring-onion', 9],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'flame-chicken-bowl',
    surface: 'berry',
    parts: [
      {
        vessel: ['bowl', 'terracotta', 122],
        layers: [
          { kind: 'rice', tint: 'saffron' },
          {
            kind: 'beads',
            at: [-54, -40],
            size: [32, 33],
            count: 38,
            r: 4.5,
            colours: ['#f9cf3c', '#fff6b8', '#b9780f'],
          },
          {
            kind: 'heap',
            at: [56, 44],
            size: [30, 28],
            of: [
              ['red-pepper', 6],
              ['green-pepper', 5],
            ],
          },
          { kind: 'heap', at: [4, 2], size: [40, 30], of: [['chicken-strip', 8, 1.25]] },
          {
            kind: 'lay',
            pieces: [
              ['avocado', 58, -58, 30, 1],
              ['avocado', 68, -44, 30, 1],
              ['lime-wedge', -58, 58, 20, 1],
            ],
          },
          {
            kind: 'sprinkle',
            size: [74, 70],
            of: [
              ['coriander', 5, 0.8],
              ['black-sesame', 12],
            ],
          },
        ],
      },
    ],
  },
];
