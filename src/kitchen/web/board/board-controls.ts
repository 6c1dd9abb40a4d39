import { createContext, useContext } from 'react';
import type { BoardCallInput } from '#kitchen/board-steps.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import type { ReceiptChoice } from '#kitchen/web/print-receipts.ts';
import type { Line, Order } from '#ordering/order.ts';
import { isInKitchen } from '#ordering/order-status.ts';
import type { StaffCall } from '#ordering/status-row.ts';
import type { Store } from '#store/contract.ts';

/** The functions of the board that tickets call. The object is stable, so that tickets do not render again. */
export interface BoardControls {
  store: Store;
  ask: (order: Order, call: StaffCall, input?: BoardCallInput) => void;
  undo: (order: Order) => void;
  takeBack: (action: QueuedAction) => void;
  acknowledge: (keys: readonly string[]) => void;
  showOrder: (id: string) => void;
  openDetails: (order: Order) => void;
  openReceipts: (order: Order) => void;
  askReason: (order: Order, call: 'reject' | 'cancel') => void;
  askPaid: (order: Order, call: StaffCall) => void;
  askTakeOff: (order: Order) => void;
  print: (order: Order, choice: ReceiptChoice) => void;
}

export const BoardControlsContext = createContext<BoardControls | null>(null);

export function useBoardControls(): BoardControls {
  const controls = useContext(BoardControlsContext);
  if (!controls) throw new Error('A ticket was rendered outside its board.');
  return controls;
}

/**
 * Returns the function that ticks a line as cooked, or clears its tick; undefined while the kitchen does not have the
 * order.
 */
export function useTickLine(order: Order): ((line: Line) => void) | undefined {
  const { ask } = useBoardControls();
  if (!isInKitchen(order.status)) return undefined;
  return ({ id, done_at: doneAt }) => ask(order, 'lines/done', { ticks: { lines: [id], done: !doneAt } });
}
