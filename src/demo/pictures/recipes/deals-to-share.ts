import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';

const naan = (x: number, y: number, turn: number, scale: number): Layer => ({
  kind: 'bread',
  shape: 'naan',
  at: [x, y],
  turn,
  scale,
  brushed: '#ffd56a',
});

export const dealToShareRecipes: readonly DishRecipe[] = [
  {
    key: 'munch-box',
    surface: 'slate',
    parts: [
      {
        vessel: ['box'],
        layers: [
          naan(-44, -46, -10, 0.56),
          { kind: 'heap', at: [54, 46], size: [40, 28], of: [['chip', 15, 1]] },
          {
            kind: 'heap',
            at: [-58, 48],
            size: [34, 26],
            of: [
              ['shredded-lettuce', 7],
              ['red-onion', 3],
              ['tomato', 3, 0.7],
            ],
          },
          {
            kind: 'lay',
            pieces: [
              ['seekh-lamb', 34, -68, 4, 0.86],
              ['seekh-lamb', 30, -46, 2, 0.86],
              ['tender', 74, -20, 60, 0.95],
              ['bhaji', -64, 4, 20, 0.9],
              ['bhaji', -34, 18, 90, 0.9],
              ['tikka', -2, -12, 20, 1.2],
              ['tikka', 26, -14, 100, 1.2],
              ['tikka', 12, 12, 200, 1.2],
              ['coriander', -6, -34, 20, 0.8],
            ],
          },
          { kind: 'pot', at: [0, 58], r: 23, glaze: 'cream', sauce: ['#fffdf2', '#ecd9a6'] },
          { kind: 'pot', at: [88, 8], r: 20, glaze: 'cream', sauce: ['#ee5a32', '#a11d10'] },
        ],
      },
    ],
  },
  {
    key: 'pizza-night',
    surface: 'walnut',
    parts: [
      {
        at: [-74, -44],
        scale: 0.82,
        vessel: ['peel', 'oak', -160],
        layers: [
          {
            kind: 'pizza',
            sauce: 'tomato',
            cheese: 'melted',
            toppings: [
              ['pepperoni', 13, 1.15],
              ['basil', 3],
            ],
          },
        ],
      },
      {
        at: [82, 28],
        scale: 0.86,
        layers: [
          {
            kind: 'pizza',
            sauce: 'tomato',
            cheese: 'fresh',
            toppings: [
              ['basil', 6, 1.1],
              ['cherry-tomato', 4],
            ],
          },
        ],
      },
      {
        at: [-62, 100],
        scale: 0.44,
        vessel: ['bowl', 'charcoal'],
        layers: [{ kind: 'heap', size: [62, 60], of: [['dough-ball', 8, 1.3]] }],
      },
      {
        at: [128, -96],
        scale: 0.5,
        layers: [
          {
            kind: 'bottle',
            glass: ['#7a3a1c', '#45190b', '#240a04'],
            label: ['#f25a40', '#fff3e2'],
            emblem: 'bubbles',
            turn: 62,
          },
        ],
      },
    ],
  },
  {
    key: 'curry-night',
    surface: 'berry',
    parts: [
      { at: [-62, -84], layers: [naan(-20, 6, -26, 0.78)] },
      {
        at: [66, -56],
        scale: 0.72,
        vessel: ['karahi', 'copper'],
        layers: [
          {
            kind: 'curry',
            sauce: ['#f79a4c', '#e0701f', '#a63c10'],
            pieces: [['tikka', 9, 1.25]],
            oil: '#ffb347',
            swirl: '#fff3dc',
            herbs: [['coriander', 3, 1.2]],
          },
        ],
      },
      {
        at: [-72, 46],
        scale: 0.7,
        vessel: ['karahi', 'iron'],
        layers: [
          {
            kind: 'curry',
            sauce: ['#83a03e', '#557626', '#2f4a18'],
            pieces: [['paneer', 9, 1.3]],
            oil: '#d8b84a',
            herbs: [['chilli-ring', 3, 1.2]],
          },
        ],
      },
      {
        at: [70, 82],
        scale: 0.6,
        vessel: ['bowl', 'cream'],
        layers: [
          { kind: 'rice', tint: 'pilau' },
          { kind: 'lay', pieces: [['coriander', 0, 0, 0, 1.6]] },
        ],
      },
      { at: [4, 122], layers: [{ kind: 'pot', at: [0, 0], r: 24, glaze: 'charcoal', sauce: ['#ffc35a', '#d9781c'] }] },
    ],
  },
  {
    key: 'charcoal-platter',
    surface: 'oak',
    parts: [
      {
        vessel: ['tray', 'kraft'],
        scale: 1.06,
        layers: [
          naan(-58, -48, -16, 0.6),
          {
            kind: 'heap',
            at: [88, 58],
            size: [30, 26],
            of: [
              ['shredded-lettuce', 6],
              ['cabbage', 4],
              ['tomato', 3, 0.7],
            ],
          },
          {
            kind: 'skewer',
            at: [30, -66],
            turn: -4,
            scale: 0.86,
            pieces: ['tikka', 'red-pepper', 'tikka', 'green-pepper', 'tikka'],
          },
          {
            kind: 'lay',
            pieces: [
              ['seekh-lamb', 50, -32, -4, 0.9],
              ['seekh-lamb', 48, -8, -4, 0.9],
              ['lamb-chop', -70, 4, 4, 0.9],
              ['lamb-chop', -52, 44, 14, 0.9],
              ['corn', 26, 68, -8, 0.72],
              ['wing-hot', 46, 26, 10, 0.9],
              ['drum-hot', 10, 34, -30, 0.9],
              ['lemon-wedge', 96, -66, 40],
              ['coriander', -6, 2, 30],
            ],
          },
          { kind: 'pot', at: [-96, 70], r: 20, glaze: 'charcoal', sauce: ['#f3f6dc', '#bdd48c'] },
        ],
      },
    ],
  },
  {
    key: 'family-feast',
    surface: 'clay',
    parts: [
      {
        at: [-66, -40],
        scale: 0.84,
        vessel: ['plate', 'charcoal', 134],
        layers: [
          {
            kind: 'pizza',
            sauce: 'tomato',
            cheese: 'melted',
            toppings: [
              ['pepperoni', 8, 1.1],
              ['mushroom', 5],
              ['olive', 6, 1.1],
              ['green-pepper', 4],
            ],
          },
        ],
      },
      {
        at: [86, 36],
        scale: 0.74,
        vessel: ['plate', 'cream', 128],
        layers: [
          {
            kind: 'lay',
            pieces: [
              ['half-chicken', -6, -34, -14, 0.9],
              ['half-chicken', 10, 34, 6, 0.9],
              ['lemon-wedge', 76, 72, 10],
            ],
          },
        ],
      },
      {
        at: [-56, 98],
        scale: 0.5,
        vessel: ['basket', 'check'],
        layers: [{ kind: 'heap', size: [70, 52], of: [['skin-chip', 24, 1.4]] }],
      },
      {
        at: [98, -92],
        scale: 0.44,
        vessel: ['bowl', 'white'],
        layers: [
          { kind: 'bed', colours: ['#fff8e4', '#dcc79c'] },
          {
            kind: 'shreds',
            size: [80, 78],
            of: [
              ['#fffbe8', 40],
              ['#9a4a8a', 26],
              ['#f08f36', 26],
            ],
          },
        ],
      },
      { at: [30, 118], scale: 0.5, layers: [{ kind: 'lay', pieces: [['corn', 0, 0, -20, 1]] }] },
    ],
  },
];
