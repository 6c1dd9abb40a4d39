import type { Line } from '#ordering/order.ts';

/** The lines with `ids` ticked at `at` (ISO 8601), or not ticked (null). Keeps the first tick's time; the same list if nothing changes. */
export function tickLines<Of extends Pick<Line, 'id' | 'done_at'>>(
  lines: Of[],
  ids: readonly string[],
  at: string | null,
): Of[] {
  const isChanged = ({ id, done_at: doneAt = null }: Of) => ids.includes(id) && (doneAt === null) !== (at === null);
  return lines.some(isChanged) ? lines.map((line) => (isChanged(line) ? { ...line, done_at: at } : line)) : lines;
}
