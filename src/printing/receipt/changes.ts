import { isSameMinute } from '#printing/receipt/time.ts';
import type { ReceiptLine, ReceiptOptions, ReceiptOrder, RemovedPiece } from '#printing/receipt/order.ts';

/** The changes since the last copy. */
export interface Changes {
  /** Dishes that were taken off since. */
  removed: RemovedPiece[];
  /** The time of the last copy, if another is promised now. */
  oldPromise: Date | null;
}

export function changesSince(order: ReceiptOrder, since: ReceiptOptions['since']): Changes {
  const removed = (order.removed ?? []).filter(({ at }) => !since || new Date(at) > since.drawnAt);
  const promised = order.promised_at ?? order.requested_for;
  const hasMoved = since?.promisedAt && promised !== null && !isSameMinute(since.promisedAt, new Date(promised));
  return { removed, oldPromise: hasMoved ? (since?.promisedAt ?? null) : null };
}

export function hasChanged({ removed, oldPromise }: Changes): boolean {
  return removed.length > 0 || oldPromise !== null;
}

/** How many of a line there were on the last copy; null if as many as now. */
export function oldQuantity(line: ReceiptLine, { removed }: Changes): number | null {
  const gone = removed.filter(({ line_id: id }) => id === line.id).reduce((sum, { quantity }) => sum + quantity, 0);
  return gone === 0 ? null : line.quantity + gone;
}
