import type { Line } from '#ordering/order.ts';

/**
 * Returns the lines with `ids` ticked at `at` (ISO 8601), or unticked if `at` is null. A line that is already ticked
 * keeps its time. If nothing changes, the same array is returned.
 */
export function tickLines<Of extends Pick<Line, 'id' | 'done_at'>>(
  lines: Of[],
  ids: readonly string[],
  at: string | null,
): Of[] {
  const isChanged = ({ id, done_at: doneAt = null }: Of) => ids.includes(id) && (doneAt === null) !== (at === null);
  return lines.some(isChanged) ? lines.map((line) => (isChanged(line) ? { ...line, done_at: at } : line)) : lines;
}
