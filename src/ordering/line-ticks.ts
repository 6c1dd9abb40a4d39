import type { Line } from '#ordering/order.ts';

/**
 * Returns the lines; the lines with these `ids` are ticked at `at` (ISO 8601), or unticked if `at` is null. A ticked
 * line keeps its time. Without a change, returns `lines` itself.
 */
export function setLineTicks<Of extends Pick<Line, 'id' | 'done_at'>>(
  lines: Of[],
  ids: readonly string[],
  at: string | null,
): Of[] {
  const isChanged = ({ id, done_at: doneAt = null }: Of) => ids.includes(id) && (doneAt === null) !== (at === null);
  return lines.some(isChanged) ? lines.map((line) => (isChanged(line) ? { ...line, done_at: at } : line)) : lines;
}
