import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';
import type { MorselName } from '#demo/pictures/morsels.ts';

/** A deep heap of chips: the bed is the shade between them. */
const chips = (
  of: MorselName,
  count: number,
  size: readonly [number, number],
  bed: readonly [string, string],
  scale = 1.15,
): Layer[] => [
  { kind: 'bed', colours: bed, size: [size[0] + 14, size[1] + 12] },
  { kind: 'heap', size, of: [[of, count, scale]] },
];

const golden = ['#d9993a', '#84500f'] as const;

export const chipRecipes: readonly DishRecipe[] = [
  {
    key: 'skin-on-chips',
    surface: 'teal',
    parts: [
      {
        vessel: ['basket', 'kraft'],
        layers: [
          ...chips('skin-chip', 42, [70, 52], golden),
          { kind: 'pot', at: [74, 46], r: 33, sauce: ['#e8503a', '#98160f'] },
        ],
      },
    ],
  },
  {
    key: 'masala-chips',
    surface: 'berry',
    parts: [
      {
        vessel: ['karahi', 'iron', 114],
        layers: [
          ...chips('masala-chip', 40, [78, 74], ['#a84a16', '#5a1f08']),
          {
            kind: 'sprinkle',
            size: [76, 70],
            of: [
              ['curry-leaf', 6],
              ['chilli-ring', 7],
              ['coriander', 5],
              ['black-sesame', 16],
            ],
          },
        ],
      },
    ],
    strewn: [['chilli', 2, 0.8]],
  },
  {
    key: 'sweet-potato-fries',
    surface: 'forest',
    parts: [
      {
        vessel: ['bowl', 'cream', 118],
        layers: [
          ...chips('sweet-chip', 40, [78, 74], ['#c85a14', '#7a2c06']),
          {
            kind: 'sprinkle',
            size: [74, 70],
            of: [
              ['parsley', 8, 0.7],
              ['sesame', 20],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'cheese-chips',
    surface: 'clay',
    parts: [
      {
        vessel: ['tray', 'kraft'],
        layers: [
          ...chips('chip', 38, [84, 54], golden),
          { kind: 'pool', colours: ['#ffd968', '#f0a82a'], at: [-20, -14], size: [34, 20] },
          { kind: 'pool', colours: ['#ffd968', '#f0a82a'], at: [36, 18], size: [38, 22] },
          { kind: 'pool', colours: ['#ffd968', '#f0a82a'], at: [48, -30], size: [22, 14] },
          { kind: 'pool', colours: ['#ffd968', '#f0a82a'], at: [-48, 30], size: [26, 14] },
          {
            kind: 'sprinkle',
            size: [84, 52],
            of: [
              ['cheddar', 20],
              ['jalapeno', 11],
              ['spring-onion', 10],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'doner-loaded',
    surface: 'slate',
    parts: [
      {
        vessel: ['tray', 'check'],
        layers: [
          ...chips('chip', 34, [88, 58], golden),
          {
            kind: 'heap',
            size: [66, 38],
            of: [
              ['chicken-strip', 8, 1.2],
              ['doner-strip', 7, 1.2],
            ],
          },
          {
            kind: 'sprinkle',
            size: [76, 46],
            of: [
              ['cabbage', 9],
              ['chilli-ring', 5],
            ],
          },
          { kind: 'drizzle', colour: '#fff8ea', reach: 62, lines: 5 },
          { kind: 'sprinkle', size: [70, 42], of: [['parsley', 6, 0.8]] },
        ],
      },
    ],
  },
  {
    key: 'butter-chicken-loaded',
    surface: 'sage',
    parts: [
      {
        vessel: ['box'],
        layers: [
          ...chips('chip', 32, [78, 56], golden),
          { kind: 'pool', colours: ['#f79a42', '#c9561a'], size: [62, 42] },
          { kind: 'heap', size: [46, 30], of: [['butter-chicken', 8, 1]] },
          { kind: 'drizzle', colour: '#f4f7e2', reach: 50, lines: 5 },
          {
            kind: 'sprinkle',
            size: [60, 42],
            of: [
              ['crispy-onion', 9],
              ['coriander', 5, 0.8],
            ],
          },
        ],
      },
    ],
  },
];
