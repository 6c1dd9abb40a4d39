import { foldText, typedWords } from '#platform/fold-text.ts';

/** Poppadoms have a dozen spellings; they are indexed and searched by one. Folded. */
export function asMenusSpell(word: string): string {
  return word.replace(/^p[ao]p+[ao]d[aou]ms?$/, 'poppadom');
}

/** Tells whether a name of the menu contains every word of a search, in any order; every name does if the search is empty. */
export function nameFinder(search: string): (name: string) => boolean {
  const words = typedWords(search).map(asMenusSpell);
  return (name) => {
    const text = words.length > 0 ? foldText(name).replaceAll(/\p{L}+/gu, asMenusSpell) : '';
    return words.every((word) => text.includes(word));
  };
}
