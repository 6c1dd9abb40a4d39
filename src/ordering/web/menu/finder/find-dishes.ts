import MiniSearch, { type Query } from 'minisearch';
import type { Category, Item } from '#menu/menu-shapes.ts';
import { searchableWordSuffixes, foldText, foldedWordsOf } from '#platform/fold-text.ts';
import { type DishFilter, passesDishFilter } from '#menu/filter-dishes.ts';
import { canonicalSpelling } from '#menu/search-names.ts';
import { toPlainLine } from '#platform/plain-text.ts';

interface Dish {
  id: string;
  name: string;
  /** The name's adjacent words, joined in pairs, so that text typed without the space matches. */
  joined: string;
  description: string;
  category: string;
  options: string;
}

export type FindableCategory = Pick<Category, 'id' | 'name'> & { items: readonly Item[] };

export interface DishSearch {
  /**
   * Returns the matching dishes, best first: those with every searched word, or if there are none, those with any of
   * the words. A word that names a diet, such as `vegan`, filters the dishes.
   */
  find(text: string): Item[];
}

/**
 * Indexes the dishes' names, categories, descriptions and options, in small steps, so that taps are handled in between.
 */
export async function indexDishes(categories: readonly FindableCategory[]): Promise<DishSearch> {
  const items = new Map<string, Item>();
  const dishes: Dish[] = [];
  for (const category of categories) {
    for (const item of category.items) {
      if (items.has(item.id)) continue;
      items.set(item.id, item);
      dishes.push(describe(item, category.name));
    }
  }
  const index = new MiniSearch<Dish>({
    fields: ['name', 'joined', 'category', 'description', 'options'],
    tokenize: (text) => foldedWordsOf(text).flatMap(searchableWordSuffixes),
    processTerm: canonicalSpelling,
    searchOptions: {
      // Each word of a query is one term, because the query's text is split already.
      tokenize: (word) => [word],
      boost: { name: 5, joined: 10, category: 2, description: 1.5 },
      prefix: true,
      weights: { fuzzy: 0.4, prefix: 0.7 },
    },
  });
  await index.addAllAsync(dishes, { chunkSize: 8 });
  const search = (words: readonly string[]): Item[] => {
    for (const query of queriesFor(words)) {
      const found = index.search(query);
      if (found.length > 0) return found.flatMap(({ id }) => items.get(String(id)) ?? []);
    }
    return [];
  };
  return {
    find(text) {
      const { diets, words } = readWords(text);
      if (diets.length === 0) return search(words);
      const found = words.length === 0 ? [...items.values()] : search(words);
      const passing = found.filter((item) => passesDishFilter(item, { diets, without: [] }));
      // If no found dish has the diet, the diet's word is searched like any other word.
      return passing.length > 0 ? passing : search(foldedWordsOf(text).map(canonicalSpelling));
    },
  };
}

/** The fields that describe the dish itself. The options are searched only if no dish matches by these fields. */
const ofTheDish = ['name', 'joined', 'category', 'description'];

/**
 * Returns the queries for the typed words, strictest first. Only the first query with results is used, so that vague
 * matches never hide exact ones.
 */
function queriesFor(words: readonly string[]): Query[] {
  if (words.length === 0) return [];
  const every: Query = { combineWith: 'AND', queries: words.map(anyOf) };
  const joined = joinWords(words);
  const asWritten: Query =
    joined.length === 0
      ? every
      : { combineWith: 'OR', queries: [every, { queries: joined, boost: { name: 25, joined: 25 } }] };
  const asMeant = { ...asWritten, fuzzy: tolerance };
  return [
    { ...asWritten, fields: ofTheDish },
    asWritten,
    asMeant,
    { combineWith: 'OR', queries: words.map(anyOf), fuzzy: tolerance },
  ];
}

function anyOf(word: string): Query {
  const others = othersFor(word);
  return others.length > 0 ? { combineWith: 'OR', queries: [word, ...others] } : word;
}

/**
 * How many typing errors a word may have: a quarter of its letters, at least one. Words below three letters and negated
 * words may have none.
 */
function tolerance(term: string): number | false {
  if (term.length < 3 || term.startsWith('-')) return false;
  return Math.max(1, Math.round(term.length / 4));
}

/**
 * Returns the categories with the dishes that pass. A category whose dishes all pass stays the same object; a category
 * without such dishes is left out.
 */
export function filterCategories<C extends FindableCategory>(categories: readonly C[], filter: DishFilter): C[] {
  return categories.flatMap((category) => {
    const items = category.items.filter((item) => passesDishFilter(item, filter));
    if (items.length === 0) return [];
    return items.length === category.items.length ? [category] : [{ ...category, items }];
  });
}

function describe({ id, name, description, option_groups: groups = [] }: Item, category: string): Dish {
  const options = new Set(groups.flatMap((group) => (group.options ?? []).map((option) => option.name)));
  const joined = joinWords(foldedWordsOf(name)).join(' ');
  return { id, name, joined, description, category, options: [...options].join(' ') };
}

/** Folded words that people type, with the words that menus use instead. */
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

/** Folded stems of Polish words, which are inflected, with the English words that menus use. */
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

/**
 * Returns other words that a menu may use for a typed word. An unfinished Polish word is recognised from its fourth
 * letter on.
 */
function othersFor(word: string): readonly string[] {
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

export interface SearchQuery {
  diets: Item['dietary'];
  words: string[];
}

function readWords(text: string): SearchQuery {
  let rest = foldText(toPlainLine(text));
  const named: Item['dietary'] = [];
  for (const [words, diet] of diets) {
    const without = rest.replaceAll(words, ' ');
    if (without !== rest) named.push(diet);
    rest = without;
  }
  return { diets: named, words: foldedWordsOf(rest).map(canonicalSpelling) };
}

/** Joins each word with the next one, but leaves out negated words: `garlic bread` becomes `garlicbread`. */
function joinWords(all: readonly string[]): string[] {
  const words = all.filter((word) => !word.startsWith('-'));
  return words.slice(1).map((word, index) => `${words[index]}${word}`);
}
