// The rules of every language but a few: a Nordic browser, too, has Åsa where the shop's own lists have her.
const collator = new Intl.Collator('en', { numeric: true });

/** Sorts names as people do: adam, Émile, Eve, Table 9, Table 10. The database's collation `by_name` does the same. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}
