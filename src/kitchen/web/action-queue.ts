import { v4 as randomId } from 'uuid';
import { type CallInput, predict } from '#kitchen/board-steps.ts';
import type { Order, OrderStatus } from '#ordering/order.ts';
import type { OrderCall } from '#ordering/order-status.ts';
import {
  createDurableQueue,
  type DurableQueue,
  type Outcome,
  type Queueable,
  type QueuePorts,
  type KeptQueue,
} from '#platform/web/durable-queue.ts';
import { keepQueue } from '#platform/web/kept-queue.ts';

/** One call that somebody asked for and the server has not answered yet; a reject can be taken back until it is sent. */
export interface QueuedAction extends Required<Queueable> {
  orderId: string;
  number: string;
  call: OrderCall;
  input: CallInput;
  /** The status that the order had when this was asked for. */
  from: OrderStatus;
}

/** How a call ended. */
export type CallResult = Outcome<QueuedAction, Order>;

export interface ActionQueue extends Omit<DurableQueue<QueuedAction>, 'add'> {
  ask: (order: Order, call: OrderCall, input?: CallInput, holdFor?: number) => QueuedAction;
}

/** An older action means nothing to the kitchen any more. */
const keptFor = 6 * 3_600_000;

/** What one person asked of one store's orders, on all of their pages. */
export function keepActions(userId: string, storeId: string): KeptQueue<QueuedAction> {
  return keepQueue({ group: `kitchen_actions/${userId}/${storeId}`, keptFor });
}

/** Calls on one order follow each other, and a refused one takes the later ones along. */
export function createActionQueue(
  ports: Omit<QueuePorts<QueuedAction, Order>, 'lineOf' | 'dropsLine'> & { now: () => number },
): ActionQueue {
  const { add, ...queue } = createDurableQueue({ ...ports, lineOf: ({ orderId }) => orderId, dropsLine: true });
  return {
    ...queue,
    ask(order, call, input = {}, holdFor = 0) {
      const now = ports.now();
      const action: QueuedAction = {
        // It names the call to the server too.
        id: randomId(),
        orderId: order.id,
        number: order.number,
        call,
        input,
        from: order.status,
        askedAt: now,
        sendAt: now + holdFor,
        attempts: 0,
      };
      add(action);
      return action;
    },
  };
}

/** The orders as they will be once everything asked for has gone through. */
export function withPending(
  orders: ReadonlyMap<string, Order>,
  actions: readonly QueuedAction[],
  now: number,
): ReadonlyMap<string, Order> {
  const shown = new Map(orders);
  for (const action of actions) {
    const order = shown.get(action.orderId);
    // While it can still be taken back the ticket stays where it is.
    if (!order || action.sendAt > now) continue;
    shown.set(order.id, predict(order, action.call, action.input, action.askedAt));
  }
  return shown;
}

/** Of milliseconds: an answer comes sooner than this, or there may be none. */
const ANSWERED_WITHIN = 2000;

/**
 * What should have gone out by now and nobody knows whether it has: a call found no answer, waits for one too long, or was asked
 * for while the server is silent (`isSilent`). Empty while all is well.
 */
export function unsentActions(
  actions: readonly QueuedAction[],
  now: number,
  isSilent: boolean,
): readonly QueuedAction[] {
  const due = actions.filter((action) => action.sendAt <= now);
  const isStuck = due.some((action) => action.attempts > 0 || now - action.sendAt >= ANSWERED_WITHIN);
  return isSilent || isStuck ? due : [];
}
