import { createSearchMatcher } from '#platform/fold-text.ts';

/** Maps the spelling variants of a folded word (poppadoms have a dozen) to one spelling, for index and search. */
export function canonicalSpelling(word: string): string {
  return word.replace(/^p[ao]p+[ao]d[aou]ms?$/, 'poppadom');
}

export function createNameMatcher(search: string): (name: string) => boolean {
  return createSearchMatcher(search, canonicalSpelling);
}
