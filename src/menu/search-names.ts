import { wordFinder } from '#platform/fold-text.ts';

/** One of a word's spellings (poppadoms have a dozen), for index and search. Folded. */
export function canonicalSpelling(word: string): string {
  return word.replace(/^p[ao]p+[ao]d[aou]ms?$/, 'poppadom');
}

/** Returns whether a menu's name contains every word of a search, in any spelling. */
export function nameFinder(search: string): (name: string) => boolean {
  return wordFinder(search, canonicalSpelling);
}
