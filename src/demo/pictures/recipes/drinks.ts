import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';
import type { SurfaceName } from '#demo/pictures/surfaces.ts';

const drink = (key: string, surface: SurfaceName, ...layers: Layer[]): DishRecipe => ({
  key,
  surface,
  parts: [{ layers }],
});
const beside = (...pieces: Extract<Layer, { kind: 'lay' }>['pieces']): Layer => ({ kind: 'lay', pieces });

export const drinkRecipes: readonly DishRecipe[] = [
  drink(
    'mango-lassi',
    'forest',
    {
      kind: 'glass',
      liquid: ['#ffe6a6', '#ffc95c', '#f4a02c'],
      froth: '#ffe9ba',
      dusting: [['pistachio', 8]],
      at: [0, 16],
      scale: 1.08,
    },
    beside(['mint', 96, 112, 20, 1.1], ['pistachio', -92, 118, 0, 1.4], ['pistachio', -110, 108, 60, 1.4]),
  ),
  drink(
    'mint-lemonade',
    'teal',
    {
      kind: 'glass',
      liquid: ['#f3f6b8', '#e6ec8e', '#c9d96a'],
      ice: 4,
      slice: 'lemon',
      straw: '#f6fbe8',
      dusting: [['mint', 3, 0.7]],
      at: [0, 14],
      scale: 1.06,
    },
    beside(['lemon-wedge', 92, 110, 10, 1.1], ['mint', -96, 112, -10, 1.1]),
  ),
  drink(
    'thick-shake',
    'rose',
    {
      kind: 'glass',
      liquid: ['#ffd6dc', '#f7a2b2', '#e77a92'],
      froth: '#ffe6ea',
      straw: '#d8324a',
      dusting: [
        ['strawberry', 1, 1.1],
        ['raspberry', 2, 0.8],
      ],
      at: [0, 18],
      scale: 1.06,
    },
    beside(['strawberry', 96, 108, 20], ['strawberry', 116, 116, -40, 0.8]),
  ),
  {
    key: 'karak-chai',
    surface: 'berry',
    parts: [
      {
        vessel: ['plate', 'mustard', 122],
        layers: [
          {
            kind: 'cup',
            liquid: ['#e0a86a', '#a8672f'],
            glaze: ['#fffaf0', '#d8c4a4'],
            dusting: [['anise', 1, 1.1]],
            scale: 1.2,
            at: [-4, -4],
          },
          beside(['cookie', 52, 80, 20, 0.8], ['cookie', 88, 54, 70, 0.8]),
        ],
      },
    ],
    strewn: [
      ['cinnamon', 1],
      ['cardamom', 4, 1.2],
    ],
  },
  drink(
    'cola',
    'clay',
    {
      kind: 'can',
      colours: ['#f25a40', '#c9231a', '#7d0c10', '#fff3e2'],
      emblem: 'bubbles',
      at: [-34, 4],
      scale: 1.04,
    },
    { kind: 'glass', liquid: ['#6b3016', '#4a1c0c', '#2a0d05'], ice: 3, at: [72, 34], scale: 0.76 },
  ),
  drink(
    'cola-zero',
    'marigold',
    {
      kind: 'can',
      colours: ['#6a6560', '#34302d', '#121010', '#d8322a'],
      emblem: 'bubbles',
      at: [-34, 4],
      scale: 1.04,
    },
    { kind: 'glass', liquid: ['#6b3016', '#4a1c0c', '#2a0d05'], ice: 3, slice: 'lime', at: [72, 34], scale: 0.76 },
  ),
  drink(
    'cloudy-lemonade',
    'sage',
    { kind: 'can', colours: ['#fff3a8', '#f4d23c', '#c99a12', '#fffdf0'], emblem: 'lemon', at: [-34, 4], scale: 1.04 },
    { kind: 'glass', liquid: ['#fbf6c4', '#f4ec9a', '#e6d76a'], ice: 3, slice: 'lemon', at: [74, 34], scale: 0.76 },
  ),
  drink(
    'orange-can',
    'rose',
    { kind: 'can', colours: ['#ffc05a', '#f48a1c', '#b9540c', '#fff6e2'], emblem: 'orange', at: [-34, 4], scale: 1.04 },
    { kind: 'glass', liquid: ['#ffcf72', '#fca434', '#e87d14'], ice: 3, slice: 'orange', at: [74, 34], scale: 0.76 },
  ),
  drink(
    'ginger-beer',
    'teal',
    {
      kind: 'bottle',
      glass: ['#b8743a', '#7d4318', '#4a230b'],
      label: ['#fff6e0', '#c9541c'],
      emblem: 'lime',
      at: [-24, 8],
      scale: 1.06,
    },
    { kind: 'glass', liquid: ['#fbe6b0', '#f2cd7c', '#dca648'], ice: 3, slice: 'lime', at: [78, 36], scale: 0.74 },
  ),
  drink(
    'still-water',
    'oak',
    {
      kind: 'bottle',
      glass: ['#e6f4f6', '#a9d3dc', '#6fa9b8'],
      label: ['#fdfefe', '#2f7f96'],
      emblem: 'drop',
      at: [-24, 8],
      scale: 1.06,
    },
    { kind: 'glass', liquid: ['#eef8f8', '#d3ebee', '#b3d8de'], ice: 4, at: [78, 36], scale: 0.74 },
  ),
  drink(
    'large-bottle',
    'berry',
    {
      kind: 'bottle',
      glass: ['#7a3a1c', '#45190b', '#240a04'],
      label: ['#f25a40', '#fff3e2'],
      emblem: 'bubbles',
      at: [-10, 4],
      scale: 1.14,
    },
    { kind: 'glass', liquid: ['#6b3016', '#4a1c0c', '#2a0d05'], ice: 2, at: [92, 52], scale: 0.6 },
    { kind: 'glass', liquid: ['#6b3016', '#4a1c0c', '#2a0d05'], ice: 2, at: [-100, 52], scale: 0.6 },
  ),
  drink(
    'alcohol-free-lager',
    'forest',
    {
      kind: 'bottle',
      glass: ['#6fae6a', '#2f7a44', '#164a2a'],
      label: ['#fff6e0', '#d9a21e'],
      emblem: 'lemon',
      at: [-26, 8],
      scale: 1.06,
    },
    { kind: 'glass', liquid: ['#ffe08a', '#f7bb3a', '#d98f16'], froth: '#fff8e6', at: [76, 34], scale: 0.78 },
  ),
];
