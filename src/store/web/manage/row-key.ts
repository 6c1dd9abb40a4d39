/** Rows have no id, only an index. They are rendered from scratch when one is added or removed, so that half-typed text stays in its row. */
export function rowKey(rows: readonly unknown[], index: number): string {
  return `${index} of ${rows.length}`;
}
