import { toPlainLine } from '#platform/plain-text.ts';

/**
 * Combining marks of Latin, Greek, Cyrillic and Arabic. Marks of Thai and Hindi are left out, because they are vowels.
 */
const accents = /[\u0300-\u036F\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED]/g;
const apostrophes = /['’‘ʼ`]/g;
/** Letters that Unicode does not decompose, with the letters that people type instead. */
const typedAs: Readonly<Record<string, string>> = {
  ł: 'l',
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/**
 * Folds a text for searches: `Jalapeño` becomes `jalapeno`, `Großer Döner` becomes `grosser doner`, and `O’Neill`
 * becomes `oneill`. The database's function `fold_text` must agree: a change here needs a migration of that function
 * and its indexes.
 */
export function foldText(text: string): string {
  return (
    text
      // The acute accent is replaced first, because NFKD decomposes it into a space and a mark.
      .replaceAll('´', "'")
      .normalize('NFKD')
      .replaceAll(accents, '')
      .replaceAll(apostrophes, '')
      .toLowerCase()
      .replaceAll(/[łßøđæœþıς]/g, (letter) => typedAs[letter] ?? letter)
      .normalize('NFC')
  );
}

/** Words that searches ignore, so that `fish and chips` finds `Fish & chips` and `Fish ’n’ chips`. */
const joining = new Set(['and', 'n']);
/** Words that negate the next word, so that a search for `cheese` does not find `no cheese`. */
const negations = new Set(['no', 'without', 'bez', 'sans', 'ohne']);

/**
 * Splits an office search into folded words; a result must contain them all. Words such as `and` are left out, unless
 * the search consists of nothing else.
 */
export function searchWords(text: string): string[] {
  const words = foldText(toPlainLine(text)).split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => !joining.has(word) && /[\p{L}\p{M}\p{N}]/u.test(word));
  return telling.length > 0 ? telling : words;
}

/**
 * Creates a predicate that is true for a text with all words of a search, in any order. An empty search matches every
 * text. `spell` unifies spellings of a folded word.
 */
export function createSearchMatcher(search: string, spell = (word: string) => word): (text: string) => boolean {
  const words = searchWords(search).map(spell);
  return (text) => {
    const folded = words.length > 0 ? foldText(text).replaceAll(/\p{L}+/gu, spell) : '';
    return words.every((word) => folded.includes(word));
  };
}

/**
 * The folded words of a text, without the words that searches ignore. A negation joins the next word: `no cheese`
 * becomes `-cheese`.
 */
export function foldedWordsOf(text: string): string[] {
  const all = foldText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  const words: string[] = [];
  for (const [index, word] of all.entries()) {
    const before = all[index - 1];
    if (before !== undefined && negations.has(before) && /^\p{L}/u.test(word)) words[words.length - 1] = `-${word}`;
    else words.push(word);
  }
  const telling = words.filter((word) => !joining.has(word));
  return telling.length > 0 ? telling : words;
}

const unseparated =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns the word and, in a script without spaces, all its suffixes, because a word may begin at any character. */
export function searchableWordSuffixes(word: string): string[] {
  if (!unseparated.test(word)) return [word];
  const signs = [...word];
  return signs.map((_, index) => signs.slice(index).join(''));
}
