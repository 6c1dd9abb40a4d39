import { drawMenu, expectedOf } from './draw-menu.ts';
import type { ExpectedDish, LayoutForm } from './draw-menu.ts';
import { pageForms } from './page-forms.ts';
import { pdfForms, printedSeed } from './pdf-forms.ts';
import { sheetForms } from './sheet-forms.ts';

export interface MenuLayout {
  name: string;
  kind: LayoutForm['kind'];
  fileName: string;
  bytes: Uint8Array;
  /** `deals` are lines that a reader may take for dishes or leave out. */
  expected: { dishes: ExpectedDish[]; deals: string[] };
}

export interface LayoutScore {
  /** The menu's dishes, and how many of them were read by their names. */
  dishes: number;
  right: number;
  /** Of those read, how many are in their own category. */
  categoriesRight: number;
  /** The menu's sure prices, one for each size, and how many were read with their size. */
  prices: number;
  pricesRight: number;
  /** The prices nobody can be sure of, and how many were marked so. */
  doubtful: number;
  doubtfulMarked: number;
  /** Sure prices that were marked doubtful, which costs the owner a look. */
  needlesslyMarked: number;
  /** Dishes that the menu does not have, such as its opening hours. */
  invented: number;
  /** Each fault in words, for a report. */
  misses: string[];
}

/** Old menus in the forms that owners bring them in. A PDF has its own seed. */
export function menuLayouts(seed: number): Promise<MenuLayout[]> {
  return Promise.all(
    [...sheetForms, ...pageForms, ...pdfForms].map(async (form, index) => {
      const menu = drawMenu(form.menu, form.kind === 'pdf' ? printedSeed : seed * 100 + index);
      const expected = { dishes: expectedOf(menu.sections), deals: menu.deals };
      return { name: form.name, kind: form.kind, fileName: form.fileName, bytes: await form.write(menu), expected };
    }),
  );
}

/**
 * Compares the dishes that were read with those of the menu. A dish is right if its name is, and each dish read counts
 * once. A size is right if its name and price are. A dish without sizes is also right as one with a single size.
 */
export function scoreLayout(expected: MenuLayout['expected'], read: readonly ExpectedDish[]): LayoutScore {
  const score = { dishes: 0, right: 0, categoriesRight: 0, prices: 0, pricesRight: 0, doubtful: 0, doubtfulMarked: 0 };
  const whole: LayoutScore = { ...score, needlesslyMarked: 0, invented: 0, misses: [] };
  const left = [...read];
  const take = (dish: ExpectedDish) => {
    const names = new Set([sameName(dish.name), sameName(`${dish.number} ${dish.name}`)]);
    const named = left.filter((one) => names.has(sameName(one.name)));
    const found = named.find((one) => sameName(one.category) === sameName(dish.category)) ?? named[0];
    if (found) left.splice(left.indexOf(found), 1);
    return found;
  };
  for (const dish of expected.dishes) countDish(whole, dish, take(dish));
  // A deal's price may have been read off its name.
  const isDeal = (name: string) => expected.deals.some((deal) => sameName(deal).startsWith(sameName(name)));
  for (const { name, category } of left) {
    if (isDeal(name)) continue;
    whole.invented += 1;
    whole.misses.push(`invented: ${category} / ${name}`);
  }
  return whole;
}

/** Sums scores up. */
export function addScores(scores: readonly LayoutScore[]): LayoutScore {
  const sum = scoreLayout({ dishes: [], deals: [] }, []);
  for (const { misses, ...counts } of scores) {
    for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof counts] += count;
    sum.misses.push(...misses);
  }
  return sum;
}

function countDish(score: LayoutScore, dish: ExpectedDish, found: ExpectedDish | undefined): void {
  const miss = (words: string) => score.misses.push(`${dish.category} / ${dish.name}: ${words}`);
  const wanted = dish.sizes.length > 0 ? dish.sizes : [{ name: '', price: dish.price }];
  score.dishes += 1;
  if (dish.isDoubtful) score.doubtful += 1;
  else score.prices += wanted.length;
  if (!found) return void miss('not read');
  score.right += 1;
  if (sameName(found.category) === sameName(dish.category)) score.categoriesRight += 1;
  else miss(`in category ${found.category}`);
  if (dish.isDoubtful) {
    if (found.isDoubtful) score.doubtfulMarked += 1;
    else miss(`not marked, read as ${showPrices(found)}`);
    return;
  }
  if (found.isDoubtful) {
    score.needlesslyMarked += 1;
    miss('needlessly marked');
  }
  const right = wanted.filter((size) => priceOf(found, size.name) === size.price).length;
  score.pricesRight += right;
  if (right < wanted.length) miss(`${showPrices(dish)} read as ${showPrices(found)}`);
}

function priceOf(dish: ExpectedDish, size: string): number | null | undefined {
  if (size) return dish.sizes.find((one) => sameName(one.name) === sameName(size))?.price;
  return dish.sizes.length === 1 ? dish.sizes[0]!.price : dish.price;
}

const showPrices = ({ price, sizes }: ExpectedDish) =>
  sizes.length > 0 ? sizes.map((size) => `${size.name} ${size.price}`).join(', ') : String(price);

/**
 * A name as names are compared: without case, space, typographic quotes, a dish's number (`23. `), marks of diets at
 * its end, and Chinese beside English. Of a category with its parents (`Menu > Pizzas`) the last counts.
 */
function sameName(name: string): string {
  const bare = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’′]/g, "'")
    .replaceAll(/[“”″]|''/g, '"')
    .replace(/^.* > /, '')
    .replace(/^\s*\d+[a-z]?[.)]\s+/, '')
    .replace(/(?:\s*\((?:v|vg|ve|gf)\))+\s*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return bare.replaceAll(/\p{Script=Han}+/gu, '').trim() || bare;
}
