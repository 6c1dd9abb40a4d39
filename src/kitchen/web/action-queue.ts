import { v4 as randomId } from 'uuid';
import { type CallInput, predict } from '#kitchen/board-steps.ts';
import type { Order, OrderStatus } from '#ordering/order.ts';
import type { OrderCall } from '#ordering/status-row.ts';
import {
  createDurableQueue,
  type DurableQueue,
  type Outcome,
  type Queueable,
  type QueuePorts,
  type KeptQueue,
} from '#platform/web/durable-queue.ts';
import { keepQueue } from '#platform/web/kept-queue.ts';

/** A call that was requested and not answered yet; a reject can be taken back until it is sent. */
export interface QueuedAction extends Required<Queueable> {
  orderId: string;
  number: string;
  call: OrderCall;
  input: CallInput;
  /** The status of the order at the request. */
  from: OrderStatus;
}

/** The result of a call. */
export type CallResult = Outcome<QueuedAction, Order>;

export interface ActionQueue extends Omit<DurableQueue<QueuedAction>, 'add'> {
  ask: (order: Order, call: OrderCall, input?: CallInput, holdFor?: number) => QueuedAction;
}

/** The requests of one person for one store's orders, on all of their pages. */
export function keepActions(userId: string, storeId: string): KeptQueue<QueuedAction> {
  return keepQueue({ group: `kitchen_actions/${userId}/${storeId}` });
}

/** Calls on one order are sent in order, and a refused one removes the later ones. */
export function createActionQueue(
  ports: Omit<QueuePorts<QueuedAction, Order>, 'lineOf' | 'dropsLine'> & { now: () => number },
): ActionQueue {
  const { add, ...queue } = createDurableQueue({ ...ports, lineOf: ({ orderId }) => orderId, dropsLine: true });
  return {
    ...queue,
    ask(order, call, input = {}, holdFor = 0) {
      const now = ports.now();
      const action: QueuedAction = {
        // The key also identifies the call to the server.
        id: randomId(),
        orderId: order.id,
        number: order.number,
        call,
        input,
        from: order.status,
        askedAt: now,
        sendAt: now + holdFor,
        attempts: 0,
        isFailing: false,
      };
      add(action);
      return action;
    },
  };
}

/** The orders as they will be after all requested calls. */
export function withPending(
  orders: ReadonlyMap<string, Order>,
  actions: readonly QueuedAction[],
  now: number,
): ReadonlyMap<string, Order> {
  const shown = new Map(orders);
  for (const action of actions) {
    const order = shown.get(action.orderId);
    // While it can still be taken back the ticket stays in its column.
    if (!order || action.sendAt > now) continue;
    shown.set(order.id, predict(order, action.call, action.input, action.askedAt));
  }
  return shown;
}

/** In milliseconds; a call that is not answered by then may not have arrived. */
const ANSWERED_WITHIN = 2000;

/**
 * Calls that should have been sent and may not have arrived: without an answer, waiting for one too long, or requested
 * while the server is silent (`isSilent`). Empty while all is well.
 */
export function unsentActions(
  actions: readonly QueuedAction[],
  now: number,
  isSilent: boolean,
): readonly QueuedAction[] {
  const due = actions.filter((action) => action.sendAt <= now);
  const isWaiting = (action: QueuedAction) => action.attempts > 0 || now - action.sendAt >= ANSWERED_WITHIN;
  // The server's failure at one call does not hold up the others.
  const isStuck = due.some((action) => !action.isFailing && isWaiting(action));
  return isSilent || isStuck ? due : due.filter(isWaiting);
}
