import { wordFinder } from '#platform/fold-text.ts';

/** Poppadoms have a dozen spellings; they are indexed and searched by one. Folded. */
export function asMenusSpell(word: string): string {
  return word.replace(/^p[ao]p+[ao]d[aou]ms?$/, 'poppadom');
}

/** Tells whether a name of the menu contains every word of a search, in each spelling of a dish. */
export function nameFinder(search: string): (name: string) => boolean {
  return wordFinder(search, asMenusSpell);
}
