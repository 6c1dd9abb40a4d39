/** A row's place is all it is known by. Rows begin anew when one comes or goes, so that nothing half typed changes its row. */
export function rowKey(rows: readonly unknown[], index: number): string {
  return `${index} of ${rows.length}`;
}
