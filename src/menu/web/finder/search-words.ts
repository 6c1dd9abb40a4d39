import type { Item } from '#menu/contract.ts';

/** Words that people type for what a menu calls otherwise, spelt as `foldWord` leaves them. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
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

const diets: readonly [words: RegExp, diet: Item['dietary'][number]][] = [
  [/\bvegan\b/g, 'vegan'],
  [/\b(?:vegetarian|veggie)\b/g, 'vegetarian'],
  [/\bhalal\b/g, 'halal'],
  [/\bgluten[ -]?free\b/g, 'gluten_free'],
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

/** `Jalapeño` is found as `jalapeno`. */
export function foldWord(term: string): string {
  return term.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** `garlic bread` as `garlicbread`: each word with the next. */
export function joinWords(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]}${word}`);
}
