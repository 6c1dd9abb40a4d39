// One collation for all browsers: a Nordic one sorts Åsa as the shop does.
const collator = new Intl.Collator('en', { numeric: true });

/** Sorts names as people do: adam, Émile, Eve, Table 9, Table 10. As the database's collation `by_name`. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}
