import type { IndexedItem, MenuIndex } from '#menu/menu-index.ts';
import { beginningsIn, wordsOf } from '#platform/fold-text.ts';

export interface DishSearch {
  /** A number before the dish: `2 chips` means two. */
  quantity: number;
  found: readonly IndexedItem[];
}

const most = 99;

/**
 * Finds dishes for a text typed at the till, the best match first: each typed word must begin a word of the dish's name, or of
 * its kitchen name. A number before it is the quantity; a number alone may also be the dish's own, as in `12. Chow mein`.
 */
export function findDishes({ items }: MenuIndex, typed: string): DishSearch {
  const words = wordsOf(typed);
  if (words.length === 0) return { quantity: 1, found: [] };
  const whole = ranked(items, words);
  const [first = ''] = words;
  const count = /^(\d{1,2})x?$/.exec(first)?.[1];
  const quantity = Number(count ?? 0);
  const rest = words.slice(1);
  if (whole.length > 0 || quantity < 1 || quantity > most || rest.length === 0) return { quantity: 1, found: whole };
  return { quantity, found: ranked(items, rest[0] === 'x' ? rest.slice(1) : rest) };
}

function ranked(items: MenuIndex['items'], words: readonly string[]): IndexedItem[] {
  const scored: { dish: IndexedItem; score: number }[] = [];
  for (const dish of items.values()) {
    const { name, kitchen_name: short } = dish.item;
    const score = Math.max(scoreOf(wordsOf(name), words), short ? scoreOf(wordsOf(short), words) : 0);
    if (score > 0) scored.push({ dish, score });
  }
  return scored.sort((a, b) => b.score - a.score).map(({ dish }) => dish);
}

/** 0: no match. More for a name that begins with the text, and for whole words. */
function scoreOf(name: readonly string[], words: readonly string[]): number {
  if (
    words.length === 0 ||
    !words.every((word) => name.some((part) => beginningsIn(part).some((end) => end.startsWith(word))))
  )
    return 0;
  const whole = words.filter((word) => name.includes(word)).length;
  return 1 + whole + (name[0]?.startsWith(words[0] ?? '') ? 2 : 0) + (whole === name.length ? 2 : 0);
}
