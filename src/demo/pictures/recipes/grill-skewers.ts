import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';
import type { MorselName } from '#demo/pictures/morsels.ts';
import { salad } from '#demo/pictures/recipes/dressed-salad.ts';

const skewers = (turn: number, gap: number, pieces: readonly MorselName[], rows: number, scale = 1): Layer[] =>
  Array.from({ length: rows }, (_, row): Layer => {
    const offset = (row - (rows - 1) / 2) * gap;
    const angle = (turn * Math.PI) / 180;
    return {
      kind: 'skewer',
      turn,
      scale,
      pieces,
      at: [Math.round(-Math.sin(angle) * offset), Math.round(Math.cos(angle) * offset)],
    };
  });

export const skewerRecipes: readonly DishRecipe[] = [
  {
    key: 'chicken-tikka',
    surface: 'walnut',
    parts: [
      {
        vessel: ['plate', 'charcoal', 132],
        layers: [
          salad([10, 44], [66, 34]),
          ...skewers(-16, 50, ['tikka', 'tikka', 'tikka', 'tikka', 'tikka'], 2, 1.12),
          {
            kind: 'lay',
            pieces: [
              ['lemon-wedge', 66, 66, -24],
              ['coriander', -62, 44, 20],
              ['coriander', -74, 30, 80],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'chicken-shish',
    surface: 'teal',
    parts: [
      {
        vessel: ['plate', 'cream', 132],
        layers: [
          { kind: 'bread', shape: 'naan', scale: 0.74, turn: -30, at: [20, -18], tone: 'pale' },
          ...skewers(
            -28,
            46,
            ['chicken', 'red-pepper', 'chicken', 'green-pepper', 'chicken', 'onion-ring', 'chicken'],
            2,
            1,
          ),
          { kind: 'pot', at: [72, 62], r: 27, glaze: 'charcoal', sauce: ['#fffdf4', '#e9e6cf'] },
          {
            kind: 'lay',
            pieces: [
              ['parsley', -70, -30],
              ['parsley', -58, -40, 50],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'lamb-shish',
    surface: 'clay',
    parts: [
      {
        vessel: ['board', 'oak'],
        layers: [
          {
            kind: 'heap',
            at: [-62, 40],
            size: [44, 34],
            of: [
              ['red-onion', 9],
              ['parsley', 5],
              ['tomato', 2, 0.8],
            ],
          },
          ...skewers(14, 52, ['lamb', 'lamb', 'lamb', 'lamb', 'lamb'], 2, 1.1),
          {
            kind: 'lay',
            pieces: [
              ['lemon-wedge', 92, -66, 30],
              ['green-chilli', 70, 76, 10, 1.8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'paneer-shashlik',
    surface: 'berry',
    parts: [
      {
        vessel: ['plate', 'white', 132],
        layers: [
          {
            kind: 'heap',
            at: [-4, 4],
            size: [70, 56],
            of: [
              ['shredded-lettuce', 10],
              ['mint', 3],
            ],
          },
          ...skewers(
            -20,
            56,
            [
              'paneer-tikka',
              'green-pepper',
              'paneer-tikka',
              'onion-ring',
              'paneer-tikka',
              'red-pepper',
              'paneer-tikka',
            ],
            2,
            1,
          ),
          { kind: 'pot', at: [60, 66], r: 26, glaze: 'sage', sauce: ['#e3edbf', '#a9c46a'] },
        ],
      },
    ],
  },
  {
    key: 'prawn-skewers',
    surface: 'teal',
    parts: [
      {
        vessel: ['plate', 'stone', 132],
        layers: [
          { kind: 'bed', colours: ['#f7a94a', '#d86a1e'], size: [74, 54] },
          ...skewers(-18, 56, ['prawn', 'prawn', 'prawn', 'prawn', 'prawn'], 2, 1.12),
          {
            kind: 'lay',
            pieces: [
              ['lime-wedge', 68, 60, 10],
              ['lime-wedge', -66, -62, -20],
            ],
          },
          {
            kind: 'sprinkle',
            size: [66, 54],
            of: [
              ['chilli-ring', 6, 0.9],
              ['parsley', 8, 0.8],
            ],
          },
        ],
      },
    ],
  },
];
