import type { DishRecipe } from '#demo/pictures/dish-recipe.ts';

export const dealForOneRecipes: readonly DishRecipe[] = [
  {
    key: 'burger-box',
    surface: 'marigold',
    parts: [
      {
        layers: [
          {
            kind: 'can',
            colours: ['#f25a40', '#c9231a', '#7d0c10', '#fff3e2'],
            emblem: 'bubbles',
            at: [96, -24],
            scale: 0.86,
          },
          { kind: 'carton', of: 'skin-chip', colours: ['#d9503a', '#8e2418'], at: [-96, -2], scale: 0.92 },
          {
            kind: 'burger',
            bun: 'seeded',
            layers: ['burger-sauce', 'lettuce', 'beef', 'cheddar', 'tomato', 'onion'],
            at: [0, 26],
            scale: 0.92,
          },
        ],
      },
      { at: [108, 96], layers: [{ kind: 'pot', at: [0, 0], r: 26, glaze: 'cream', sauce: ['#fffdf2', '#ecd9a6'] }] },
    ],
  },
  {
    key: 'lunch-wrap',
    surface: 'teal',
    parts: [
      {
        vessel: ['board', 'oak'],
        at: [-34, -8],
        scale: 0.88,
        layers: [
          {
            kind: 'wrap',
            paper: 'kraft',
            sauce: '#efd9a6',
            filling: [
              ['tikka', 4, 0.7],
              ['shredded-lettuce', 5, 0.7],
              ['tomato', 2, 0.5],
              ['red-onion', 2, 0.6],
            ],
          },
        ],
      },
      {
        vessel: ['bowl', 'charcoal'],
        at: [104, 78],
        scale: 0.52,
        layers: [
          { kind: 'bed', colours: ['#d9993a', '#84500f'] },
          { kind: 'heap', size: [80, 78], of: [['skin-chip', 22, 1.5]] },
        ],
      },
      {
        at: [124, -58],
        scale: 0.74,
        layers: [{ kind: 'can', colours: ['#fff3a8', '#f4d23c', '#c99a12', '#fffdf0'], emblem: 'lemon', turn: 14 }],
      },
    ],
  },
  {
    key: 'half-chicken-sides',
    surface: 'forest',
    parts: [
      {
        vessel: ['plate', 'cream', 128],
        at: [-36, -12],
        scale: 0.92,
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['rocket', -56, 56, 10],
              ['half-chicken', 2, -4, -12, 1],
              ['lemon-wedge', 58, 66, 10],
            ],
          },
        ],
      },
      {
        vessel: ['bowl', 'terracotta'],
        at: [104, -62],
        scale: 0.52,
        layers: [
          { kind: 'rice', tint: 'pilau' },
          { kind: 'lay', pieces: [['coriander', 0, 0, 0, 2]] },
        ],
      },
      {
        vessel: ['bowl', 'charcoal'],
        at: [100, 76],
        scale: 0.56,
        layers: [
          { kind: 'bed', colours: ['#d9993a', '#84500f'] },
          { kind: 'heap', size: [80, 78], of: [['skin-chip', 22, 1.5]] },
        ],
      },
    ],
  },
  {
    key: 'little-finch-box',
    surface: 'sage',
    parts: [
      {
        layers: [
          { kind: 'glass', liquid: ['#ffe08a', '#f8c24a', '#e79a24'], straw: '#d9503a', at: [92, 10], scale: 0.78 },
          { kind: 'carton', of: 'chip', colours: ['#f6cf6a', '#d0962a'], at: [-92, 6], scale: 0.84 },
          { kind: 'burger', bun: 'brioche', layers: ['ketchup', 'beef', 'american'], at: [2, 46], scale: 0.72 },
          {
            kind: 'lay',
            pieces: [
              ['orange', -104, 112, 0, 0.9],
              ['orange', -76, 118, 40, 0.9],
            ],
          },
        ],
      },
    ],
  },
];
