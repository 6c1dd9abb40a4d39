import type { DishRecipe, Layer } from '#demo/pictures/dish-recipe.ts';

const raita = (x: number, y: number): Layer => ({
  kind: 'pot',
  at: [x, y],
  r: 34,
  glaze: 'white',
  sauce: ['#fffef8', '#e2e8d2'],
});

export const riceAndBreadRecipes: readonly DishRecipe[] = [
  {
    key: 'chicken-biryani',
    surface: 'teal',
    parts: [
      {
        vessel: ['karahi', 'copper', 116],
        layers: [
          { kind: 'rice', tint: 'biryani' },
          { kind: 'heap', size: [70, 66], of: [['tikka', 8, 1.2]] },
          {
            kind: 'lay',
            pieces: [
              ['egg', -34, 40, 20, 1.3],
              ['egg', 46, -34, 80, 1.3],
            ],
          },
          {
            kind: 'sprinkle',
            size: [74, 70],
            of: [
              ['coriander', 5],
              ['crispy-onion', 7],
              ['mint', 2, 0.8],
            ],
          },
        ],
      },
    ],
    strewn: [
      ['anise', 2],
      ['cardamom', 3],
    ],
  },
  {
    key: 'lamb-biryani',
    surface: 'walnut',
    parts: [
      {
        vessel: ['bowl', 'terracotta', 122],
        layers: [
          { kind: 'rice', tint: 'saffron' },
          { kind: 'heap', size: [70, 66], of: [['lamb-piece', 9, 1.3]] },
          {
            kind: 'sprinkle',
            size: [76, 72],
            of: [
              ['crispy-onion', 12],
              ['mint', 5, 0.9],
              ['pomegranate', 9, 1.2],
            ],
          },
        ],
      },
      { at: [128, -92], layers: [raita(0, 0)] },
    ],
  },
  {
    key: 'vegetable-biryani',
    surface: 'berry',
    parts: [
      {
        vessel: ['bowl', 'mustard', 122],
        layers: [
          { kind: 'rice', tint: 'pilau' },
          {
            kind: 'heap',
            size: [72, 68],
            of: [
              ['cauliflower', 6, 1.1],
              ['potato', 5, 1.1],
              ['red-pepper', 4],
            ],
          },
          {
            kind: 'sprinkle',
            size: [76, 72],
            of: [
              ['cashew', 8, 1.1],
              ['coriander', 5],
              ['pomegranate', 6],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'basmati',
    surface: 'forest',
    parts: [
      {
        vessel: ['bowl', 'blue', 118],
        layers: [
          { kind: 'rice', tint: 'basmati' },
          {
            kind: 'lay',
            pieces: [
              ['coriander', 8, -6, 20, 1.3],
              ['coriander', -8, 6, 120, 1.1],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'pilau',
    surface: 'clay',
    parts: [
      {
        vessel: ['bowl', 'cream', 120],
        layers: [
          { kind: 'rice', tint: 'pilau' },
          {
            kind: 'sprinkle',
            of: [
              ['cardamom', 3],
              ['anise', 1, 1.1],
              ['clove', 4, 0.9],
              ['coriander', 3, 0.8],
            ],
          },
        ],
      },
    ],
    strewn: [
      ['cardamom', 3],
      ['cinnamon', 1],
    ],
  },
  {
    key: 'mushroom-rice',
    surface: 'sage',
    parts: [
      {
        vessel: ['bowl', 'charcoal', 120],
        layers: [
          { kind: 'rice', tint: 'mushroom' },
          { kind: 'heap', size: [72, 70], of: [['mushroom', 13, 1.1]] },
          { kind: 'sprinkle', size: [76, 74], of: [['chive', 14]] },
        ],
      },
    ],
    strewn: [['mushroom', 2, 1.1]],
  },
  {
    key: 'plain-naan',
    surface: 'marigold',
    parts: [
      {
        vessel: ['board', 'walnut'],
        layers: [
          { kind: 'bread', shape: 'naan', turn: -30, scale: 0.92, at: [14, -12] },
          { kind: 'bread', shape: 'naan', turn: -14, scale: 0.98, at: [-8, 14], brushed: '#ffe08a' },
        ],
      },
    ],
  },
  {
    key: 'garlic-naan',
    surface: 'walnut',
    parts: [
      {
        vessel: ['plate', 'charcoal', 134],
        layers: [
          {
            kind: 'bread',
            shape: 'naan',
            turn: -22,
            scale: 1.06,
            brushed: '#ffd56a',
            topping: [
              ['almond', 9, 0.8],
              ['coriander', 12, 0.75],
            ],
          },
        ],
      },
    ],
    strewn: [['coriander', 3]],
  },
  {
    key: 'peshwari-naan',
    surface: 'rose',
    parts: [
      {
        vessel: ['board', 'oak'],
        layers: [
          {
            kind: 'bread',
            shape: 'naan',
            turn: -12,
            scale: 1.04,
            brushed: '#ffe6a0',
            topping: [
              ['almond', 13],
              ['pistachio', 6],
              ['clove', 5, 0.6],
            ],
          },
        ],
      },
    ],
    strewn: [['almond', 5, 1.1]],
  },
  {
    key: 'keema-naan',
    surface: 'teal',
    parts: [
      {
        vessel: ['plate', 'terracotta', 134],
        layers: [
          {
            kind: 'bread',
            shape: 'naan',
            turn: 16,
            scale: 1.04,
            brushed: '#f0b45a',
            topping: [
              ['keema', 13, 0.95],
              ['green-chilli', 5],
              ['coriander', 5, 0.7],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'cheese-naan',
    surface: 'slate',
    parts: [
      {
        vessel: ['board', 'oak'],
        layers: [
          {
            kind: 'bread',
            shape: 'naan',
            turn: -20,
            scale: 1.04,
            topping: [
              ['mozzarella', 7, 0.9],
              ['cheddar', 12],
              ['green-chilli', 6, 0.9],
              ['chilli-ring', 3, 0.8],
            ],
          },
        ],
      },
    ],
  },
  {
    key: 'roti',
    surface: 'cream',
    parts: [
      {
        vessel: ['basket', 'green'],
        layers: [
          { kind: 'bread', shape: 'roti', tone: 'wholemeal', scale: 0.94, at: [-18, -4], turn: 30 },
          { kind: 'bread', shape: 'roti', tone: 'wholemeal', scale: 0.96, at: [14, 6], turn: 120 },
        ],
      },
    ],
  },
];
