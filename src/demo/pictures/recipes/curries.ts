import type { DishRecipe, VesselSpec } from '#demo/pictures/dish-recipe.ts';
import type { Curry } from '#demo/pictures/dishes/curry.ts';
import type { Sprinkle } from '#demo/pictures/morsels.ts';
import type { SurfaceName } from '#demo/pictures/surfaces.ts';

function curry(
  key: string,
  surface: SurfaceName,
  vessel: VesselSpec,
  given: Omit<Curry, 'kind'>,
  strewn: readonly Sprinkle[] = [],
): DishRecipe {
  return { key, surface, strewn, parts: [{ vessel, layers: [{ kind: 'curry', ...given }] }] };
}

const brass: VesselSpec = ['karahi', 'copper', 116];
const steel: VesselSpec = ['karahi', 'steel', 116];
const iron: VesselSpec = ['karahi', 'iron', 116];

export const curryRecipes: readonly DishRecipe[] = [
  curry(
    'tikka-masala',
    'cream',
    brass,
    {
      sauce: ['#f79a4c', '#e0701f', '#a63c10'],
      pieces: [['tikka', 13, 1.1]],
      oil: '#ffb347',
      swirl: '#fff3dc',
      herbs: [['coriander', 5]],
    },
    [
      ['cardamom', 3],
      ['coriander', 2],
    ],
  ),
  curry('butter-chicken', 'forest', ['bowl', 'cream', 122], {
    sauce: ['#ffb45e', '#ef8a2e', '#bf5413'],
    pieces: [['butter-chicken', 13, 1.15]],
    oil: '#ffd27a',
    swirl: '#fff6e2',
    herbs: [['curry-leaf', 4]],
  }),
  curry(
    'korma',
    'berry',
    ['bowl', 'white', 122],
    {
      sauce: ['#fff0c2', '#f6d58c', '#d9a24a'],
      pieces: [['chicken-piece', 13, 1.1]],
      herbs: [
        ['almond', 12, 1.1],
        ['pistachio', 6],
        ['coriander', 3],
      ],
    },
    [['almond', 4, 1.2]],
  ),
  curry(
    'madras',
    'marigold',
    iron,
    {
      sauce: ['#c4421c', '#8f2410', '#531006'],
      pieces: [['lamb-piece', 13, 1.1]],
      oil: '#f0752a',
      herbs: [
        ['curry-leaf', 5, 1.1],
        ['chilli-ring', 6],
      ],
    },
    [['chilli', 2, 0.8]],
  ),
  curry('jalfrezi', 'teal', steel, {
    sauce: ['#ea6a2c', '#c43f15', '#84210b'],
    pieces: [
      ['tikka', 8, 1.1],
      ['green-pepper', 5, 1.1],
      ['yellow-pepper', 3, 1.1],
      ['onion-ring', 4],
    ],
    oil: '#ffa04a',
    herbs: [
      ['green-chilli', 5, 1.1],
      ['coriander', 3],
    ],
  }),
  curry('bhuna', 'rose', brass, {
    sauce: ['#c2652c', '#94401a', '#5c210b'],
    pieces: [
      ['chicken-piece', 12, 1.15],
      ['tomato', 3, 0.8],
    ],
    oil: '#e89a4a',
    herbs: [
      ['coriander', 5],
      ['ginger', 6],
    ],
  }),
  curry('dhansak', 'slate', ['bowl', 'mustard', 122], {
    sauce: ['#f2b84c', '#d98f26', '#9c5a12'],
    pieces: [
      ['chicken-piece', 10, 1.1],
      ['pineapple', 4],
      ['chickpea', 8, 0.7],
    ],
    oil: '#ffd66a',
    herbs: [
      ['coriander', 4],
      ['chilli-ring', 3],
    ],
  }),
  curry(
    'rogan-josh',
    'sage',
    brass,
    {
      sauce: ['#d8502a', '#a32c14', '#641407'],
      pieces: [['lamb-piece', 13, 1.2]],
      oil: '#ff8f42',
      swirl: '#f7e3c4',
      herbs: [['mint', 4]],
    },
    [
      ['anise', 2],
      ['cinnamon', 1],
    ],
  ),
  curry('lamb-karahi', 'walnut', iron, {
    sauce: ['#bd5424', '#8a3212', '#531a08'],
    pieces: [
      ['lamb', 11, 1.2],
      ['cherry-tomato', 4],
    ],
    oil: '#e88a3a',
    herbs: [
      ['ginger', 11, 1.1],
      ['green-chilli', 4, 1.1],
      ['coriander', 4],
    ],
  }),
  curry(
    'goan-fish-curry',
    'teal',
    ['bowl', 'terracotta', 122],
    {
      sauce: ['#fbb659', '#ec8a33', '#b4531a'],
      pieces: [['fish-piece', 10, 1.4]],
      oil: '#f0612a',
      herbs: [
        ['curry-leaf', 6, 1.1],
        ['chilli-ring', 4],
      ],
    },
    [['lime', 2, 1.1]],
  ),
  curry('saag-paneer', 'clay', ['bowl', 'charcoal', 122], {
    sauce: ['#83a03e', '#557626', '#2f4a18'],
    pieces: [['paneer', 12, 1.15]],
    oil: '#d8b84a',
    swirl: '#fdf3d8',
    herbs: [['chilli-ring', 4]],
  }),
  curry('chana-masala', 'forest', brass, {
    sauce: ['#e0843a', '#b8561c', '#75300c'],
    pieces: [['chickpea', 34, 1.45]],
    oil: '#f5ae52',
    herbs: [
      ['red-onion', 5],
      ['coriander', 5],
    ],
  }),
  curry(
    'tarka-dal',
    'berry',
    ['bowl', 'stone', 122],
    {
      sauce: ['#ffd866', '#efb02e', '#bb7714'],
      pieces: [['chickpea', 8, 0.6]],
      oil: '#fff0a0',
      herbs: [
        ['crispy-onion', 8],
        ['chilli', 2, 0.6],
        ['curry-leaf', 4],
        ['coriander', 3],
      ],
    },
    [['chilli', 1, 0.7]],
  ),
  curry('aloo-gobi', 'slate', steel, {
    sauce: ['#f4c24e', '#d8942a', '#985c14'],
    pieces: [
      ['potato', 8, 1.25],
      ['cauliflower', 8, 1.25],
    ],
    oil: '#ffe07a',
    herbs: [
      ['coriander', 6],
      ['ginger', 5],
      ['chilli-ring', 3],
    ],
  }),
];
