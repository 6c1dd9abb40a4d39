import type { Item } from '#menu/menu-shapes.ts';

/** Words that people type for what a menu calls otherwise, spelt as `foldWord` leaves them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  nan: ['naan'],
  coke: ['cola'],
  pepsi: ['cola'],
  pappadom: ['popadom', 'popadoms', 'poppadom', 'poppadoms'],
  papadom: ['popadom', 'popadoms', 'poppadom', 'poppadoms'],
  papadum: ['popadom', 'popadoms', 'poppadom', 'poppadoms'],
  poppadom: ['popadom', 'popadoms', 'papadom', 'papadum'],
  popadom: ['poppadom', 'poppadoms', 'papadom', 'papadum'],
  fries: ['chips'],
  donner: ['doner'],
  kebap: ['kebab'],
  eggplant: ['aubergine'],
  brinjal: ['aubergine'],
  shrimp: ['prawn', 'prawns'],
  chili: ['chilli'],
  soda: ['drink', 'drinks'],
};

/** Polish words by their stems, since they are inflected: menus here are written in English. Folded as well. */
const polishStems: Readonly<Record<string, string>> = {
  barani: 'lamb',
  boczek: 'bacon',
  bulk: 'bun',
  cebul: 'onion onions',
  chleb: 'bread naan',
  ciast: 'cake',
  czekolad: 'chocolate',
  czosn: 'garlic',
  deser: 'dessert desserts',
  dzieci: 'kids children',
  frytk: 'chips fries',
  grzyb: 'mushroom mushrooms',
  hamburger: 'burger',
  herbat: 'tea',
  indyk: 'turkey',
  jagnie: 'lamb',
  jajk: 'egg eggs',
  kanapk: 'sandwich wrap',
  kielbas: 'sausage',
  krazk: 'rings',
  krewet: 'prawn prawns',
  kurcza: 'chicken',
  makaron: 'pasta noodles',
  napoj: 'drink drinks',
  ostr: 'spicy hot',
  pieczar: 'mushroom mushrooms',
  pomidor: 'tomato tomatoes',
  ryba: 'fish',
  rybn: 'fish',
  ryz: 'rice',
  salat: 'salad',
  serem: 'cheese',
  serow: 'cheese',
  skrzyd: 'wings',
  sosem: 'sauce dip',
  warzyw: 'vegetable vegetables',
  wieprz: 'pork',
  wolow: 'beef',
  zeber: 'ribs',
  ziemnia: 'potato potatoes',
  zupa: 'soup',
};
const shortest = 4;

/** What else a menu may call it. While it is being typed, a Polish word counts from its fourth letter. */
export function othersFor(word: string): readonly string[] {
  const own = synonyms[word];
  if (own) return own;
  if (word === 'ser') return ['cheese'];
  if (word === 'sos') return ['sauce', 'dip'];
  return Object.entries(polishStems).flatMap(([stem, names]) =>
    word.startsWith(stem) || (word.length >= shortest && stem.startsWith(word)) ? names.split(' ') : [],
  );
}

const diets: readonly [words: RegExp, diet: Item['dietary'][number]][] = [
  [/\b(?:vegan|wegan\w*)\b/g, 'vegan'],
  [/\b(?:vegetarian|veggie|wegetarian\w*)\b/g, 'vegetarian'],
  [/\bhalal\b/g, 'halal'],
  [/\b(?:gluten[ -]?free|bez ?glutenu|bezgluten\w*)\b/g, 'gluten_free'],
];

export interface Wanted {
  diets: Item['dietary'];
  words: string[];
}

/** What was typed as the diets that it names and the other words, folded. */
export function readWords(text: string): Wanted {
  let rest = foldWord(text);
  const named: Item['dietary'] = [];
  for (const [words, diet] of diets) {
    const without = rest.replaceAll(words, ' ');
    if (without !== rest) named.push(diet);
    rest = without;
  }
  return { diets: named, words: splitWords(rest) };
}

/** `Jalapeño` is found as `jalapeno`; a Polish ł is a letter of its own to Unicode, and an l to a keyboard. */
export function foldWord(term: string): string {
  return term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l');
}

export function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** `garlic bread` as `garlicbread`: each word with the next. */
export function joinWords(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]}${word}`);
}
