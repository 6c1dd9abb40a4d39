import { v4 as randomId } from 'uuid';
import { type CallInput, predict } from '#kitchen/board-steps.ts';
import type { Order, OrderStatus } from '#ordering/order.ts';
import type { OrderCall } from '#ordering/order-status.ts';

/** One call that somebody asked for and the server has not answered yet. */
export interface QueuedAction {
  id: string;
  orderId: string;
  number: string;
  call: OrderCall;
  input: CallInput;
  /** The status that the order had when this was asked for. */
  from: OrderStatus;
  askedAt: number;
  /** Not before this time (epoch ms): a reject can be taken back until then. */
  sendAt: number;
  /** How often it was sent without an answer. */
  attempts: number;
}

/** How a call ended: answered, refused for good, or without an answer, to be sent again. */
export type CallResult = { kind: 'done'; order: Order } | { kind: 'refused'; error: unknown } | { kind: 'unanswered' };

export interface QueuePorts {
  send: (action: QueuedAction) => Promise<CallResult>;
  /** Called with the whole list after every change, to show and to keep it. */
  onChange: (actions: readonly QueuedAction[]) => void;
  onDone: (action: QueuedAction, order: Order) => void;
  /** The action and the later ones on the same order are dropped. */
  onRefused: (action: QueuedAction, error: unknown, dropped: readonly QueuedAction[]) => void;
  now: () => number;
}

export interface ActionQueue {
  ask: (order: Order, call: OrderCall, input?: CallInput, holdFor?: number) => QueuedAction;
  /** Takes an action back that was not sent yet, with the later ones on its order; false when it is too late. */
  takeBack: (id: string) => boolean;
  /** Adds actions that an earlier page could not send. */
  adopt: (actions: readonly QueuedAction[]) => void;
  /** The connection is back: sends at once. */
  wake: () => void;
  stop: () => void;
}

const RETRY_AFTER = [1000, 2000, 4000, 8000, 15_000];

/**
 * Sends what was asked one by one, in the order it was asked; an unanswered call is sent again until it is answered. A
 * call that is still held back lets calls on other orders pass.
 */
export function createActionQueue(ports: QueuePorts): ActionQueue {
  let actions: QueuedAction[] = [];
  let sending: string | null = null;
  let retryAt = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stopped = false;

  function change(next: QueuedAction[]): void {
    actions = next;
    ports.onChange(actions);
  }

  /** The first action of each order: the others wait for it. */
  function heads(): QueuedAction[] {
    const seen = new Set<string>();
    return actions.filter((action) => !seen.has(action.orderId) && seen.add(action.orderId));
  }

  function schedule(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (stopped || sending !== null || actions.length === 0) return;
    const soonest = Math.min(...heads().map((action) => action.sendAt));
    timer = setTimeout(pump, Math.max(0, Math.max(soonest, retryAt) - ports.now()));
  }

  function pump(): void {
    const action = heads().find((head) => head.sendAt <= ports.now());
    if (stopped || sending !== null || !action || retryAt > ports.now()) return schedule();
    sending = action.id;
    void ports
      .send(action)
      .catch((error: unknown): CallResult => ({ kind: 'refused', error }))
      .then((result) => {
        sending = null;
        if (stopped) return;
        settle(action, result);
        pump();
      });
  }

  function settle(action: QueuedAction, result: CallResult): void {
    if (result.kind === 'unanswered') {
      retryAt = ports.now() + (RETRY_AFTER[Math.min(action.attempts, RETRY_AFTER.length - 1)] ?? 0);
      return change(
        actions.map((other) => (other.id === action.id ? { ...other, attempts: other.attempts + 1 } : other)),
      );
    }
    retryAt = 0;
    if (result.kind === 'done') {
      ports.onDone(action, result.order);
      return change(actions.filter((other) => other.id !== action.id));
    }
    const dropped = actions.filter((other) => other.orderId === action.orderId && other.id !== action.id);
    ports.onRefused(action, result.error, dropped);
    change(actions.filter((other) => other.orderId !== action.orderId));
  }

  return {
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
      change([...actions, action]);
      pump();
      return action;
    },
    takeBack(id) {
      const index = actions.findIndex((action) => action.id === id);
      const action = actions[index];
      // Once sent, it may have arrived even though no answer came.
      if (!action || action.id === sending || action.attempts > 0) return false;
      change(actions.filter((other, at) => at < index || other.orderId !== action.orderId));
      schedule();
      return true;
    },
    adopt(kept) {
      const known = new Set(actions.map((action) => action.id));
      change([...kept.filter((action) => !known.has(action.id)), ...actions].sort((a, b) => a.askedAt - b.askedAt));
      pump();
    },
    wake() {
      retryAt = 0;
      pump();
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
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
