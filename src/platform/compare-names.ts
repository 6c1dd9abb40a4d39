// The collation is English in every browser, because a Nordic browser's own collation would sort Åsa last.
const collator = new Intl.Collator('en', { numeric: true });

/**
 * Compares names for sorting: adam, Émile, Eve, Table 9, Table 10. The database's collation `by_name` gives the same
 * order.
 */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}
