/** Rows have only an index. Adding or removing one renders all of them again, so half-typed text stays in its row. */
export function rowKey(rows: readonly unknown[], index: number): string {
  return `${index} of ${rows.length}`;
}
