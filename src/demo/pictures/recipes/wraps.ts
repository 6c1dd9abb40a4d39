import type { DishRecipe, VesselSpec } from '#demo/pictures/dish-recipe.ts';
import type { Roll, Wrap } from '#demo/pictures/dishes/wrap.ts';
import type { SurfaceName } from '#demo/pictures/surfaces.ts';
import type { Sprinkle } from '#demo/pictures/morsels.ts';

function handheld(
  key: string,
  surface: SurfaceName,
  vessel: VesselSpec,
  layer: Roll | Wrap,
  strewn: readonly Sprinkle[] = [],
): DishRecipe {
  return { key, surface, strewn, parts: [{ vessel, layers: [layer] }] };
}

const roll = (paper: Roll['paper'], sauce: string, filling: Roll['filling']): Roll => ({
  kind: 'roll',
  paper,
  sauce,
  filling,
});

export const wrapRecipes: readonly DishRecipe[] = [
  handheld(
    'tikka-roll',
    'forest',
    ['plate', 'cream', 132],
    roll('kraft', '#5f7d2c', [
      ['shredded-lettuce', 8],
      ['tikka', 9, 1.15],
      ['red-onion', 5],
      ['mint', 2, 0.8],
    ]),
  ),
  handheld('seekh-roll', 'marigold', ['board', 'walnut'], {
    ...roll('white', '#4d6a24', [
      ['shredded-lettuce', 9],
      ['onion-ring', 6],
      ['coriander', 4],
    ]),
    across: ['seekh-lamb', 3],
  }),
  handheld(
    'shish-roll',
    'clay',
    ['plate', 'charcoal', 132],
    roll('red', '#6b7f33', [
      ['shredded-lettuce', 6],
      ['lamb', 9, 1.15],
      ['tomato', 4, 0.8],
      ['red-onion', 5],
      ['parsley', 3],
    ]),
  ),
  handheld(
    'paneer-roll',
    'berry',
    ['board', 'oak'],
    roll('green', '#5d6f2a', [
      ['cabbage', 8],
      ['paneer-tikka', 9, 1.2],
      ['red-pepper', 4],
      ['green-pepper', 4],
      ['mint', 2, 0.8],
    ]),
  ),
  handheld(
    'doner-wrap',
    'teal',
    ['board', 'oak'],
    {
      kind: 'wrap',
      paper: 'kraft',
      sauce: '#e9d3a4',
      filling: [
        ['chicken-strip', 5, 0.7],
        ['shredded-lettuce', 5, 0.7],
        ['tomato', 3, 0.5],
        ['cabbage', 3, 0.6],
      ],
    },
    [['tomato', 2]],
  ),
  handheld('crispy-wrap', 'sage', ['board', 'walnut'], {
    kind: 'wrap',
    paper: 'red',
    sauce: '#7a3216',
    filling: [
      ['nugget', 6, 0.62],
      ['cheddar', 6],
      ['shredded-lettuce', 6, 0.7],
    ],
  }),
  handheld('halloumi-wrap', 'rose', ['board', 'olive'], {
    kind: 'wrap',
    paper: 'white',
    sauce: '#f2d9a0',
    filling: [
      ['halloumi', 4, 0.6],
      ['cabbage', 6, 0.7],
      ['cucumber', 3, 0.5],
      ['carrot', 4],
    ],
  }),
  handheld(
    'falafel-wrap',
    'oak',
    ['board', 'walnut'],
    {
      kind: 'wrap',
      paper: 'green',
      bread: 'spinach',
      sauce: '#e6d2a0',
      filling: [
        ['falafel', 5, 0.75],
        ['cabbage', 5, 0.7],
        ['tomato', 3, 0.5],
        ['parsley', 3, 0.8],
      ],
    },
    [['chickpea', 5, 1.1]],
  ),
];
