import { asMenusSpell } from '#menu/search-names.ts';
import type { Item } from '#menu/menu-shapes.ts';
import { foldText, wordsOf } from '#platform/fold-text.ts';
import { plainText } from '#platform/plain-text.ts';

/** Words that people type instead of a menu's own, folded. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  nan: ['naan'],
  coke: ['cola'],
  pepsi: ['cola'],
  fries: ['chips'],
  donner: ['doner'],
  kebap: ['kebab'],
  eggplant: ['aubergine'],
  brinjal: ['aubergine'],
  shrimp: ['prawn', 'prawns'],
  chili: ['chilli'],
  soda: ['drink', 'drinks'],
};

/** Stems of Polish words, which are inflected, with the English words that menus use. Folded as well. */
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

/** Other words that a menu may use. An unfinished Polish word is found from its fourth letter on. */
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

/** Splits the typed text into diets and other words, folded. */
export function readWords(text: string): Wanted {
  let rest = foldText(plainText(text));
  const named: Item['dietary'] = [];
  for (const [words, diet] of diets) {
    const without = rest.replaceAll(words, ' ');
    if (without !== rest) named.push(diet);
    rest = without;
  }
  return { diets: named, words: wordsOf(rest).map(asMenusSpell) };
}

/** `garlic bread` as `garlicbread`: each word with the next, except negated ones. */
export function joinWords(all: readonly string[]): string[] {
  const words = all.filter((word) => !word.startsWith('-'));
  return words.slice(1).map((word, index) => `${words[index]}${word}`);
}
