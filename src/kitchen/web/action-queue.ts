import { v4 as randomId } from 'uuid';
import { type BoardCallInput, predictOrderAfter } from '#kitchen/board-steps.ts';
import type { Order, OrderStatus, RejectReason } from '#ordering/order.ts';
import type { StaffCall } from '#ordering/status-row.ts';
import {
  createDurableQueue,
  type DurableQueue,
  openQueueStorage,
  type QueueStorage,
  type SendOutcome,
  type QueuedCall,
  type DurableQueueOptions,
} from '#platform/web/durable-queue.ts';
import { doneStatuses, openStatuses } from '#ordering/order-status.ts';
import { m } from '#messages';
import { shopNow } from '#platform/web/clock.ts';
import { api, ApiError, type ApiInput } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';

/** A call without a response yet; a delayed call can be cancelled until it is sent. */
export interface QueuedAction extends Required<QueuedCall> {
  orderId: string;
  number: string;
  call: StaffCall;
  input: BoardCallInput;
  from: OrderStatus;
}

export type CallResult = SendOutcome<QueuedAction, Order>;

export interface ActionQueue extends Omit<DurableQueue<QueuedAction>, 'add'> {
  ask: (order: Order, call: StaffCall, input?: BoardCallInput, holdFor?: number) => QueuedAction;
}

/** Opens the storage of a person's queued calls for a store, shared by all their pages. */
export function openActionStorage(userId: string, storeId: string): QueueStorage<QueuedAction> {
  return openQueueStorage({ group: `kitchen_actions/${userId}/${storeId}` });
}

/**
 * Creates a queue of calls. Calls about one order are sent one after another. A refused call removes the later calls
 * about its order.
 */
export function createActionQueue(
  ports: Omit<DurableQueueOptions<QueuedAction, Order>, 'lineOf' | 'dropsLine'> & { now: () => number },
): ActionQueue {
  const { add, ...queue } = createDurableQueue({ ...ports, lineOf: ({ orderId }) => orderId, dropsLine: true });
  return {
    ...queue,
    ask(order, call, input = {}, holdFor = 0) {
      const now = ports.now();
      const action: QueuedAction = {
        // The id is also the call's idempotency key.
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

export function ordersAfterPendingActions(
  orders: ReadonlyMap<string, Order>,
  actions: readonly QueuedAction[],
  now: number,
): ReadonlyMap<string, Order> {
  const shown = new Map(orders);
  for (const action of actions) {
    const order = shown.get(action.orderId);
    // A delayed action does not change the shown order, so that the ticket stays in its column.
    if (!order || action.sendAt > now) continue;
    shown.set(order.id, predictOrderAfter(order, action.call, action.input, action.askedAt));
  }
  return shown;
}

/** The time after which a call without a response may be lost (ms). */
const ANSWERED_WITHIN = 2000;

/**
 * Returns the due calls that may be lost: calls that were retried, or have waited for `ANSWERED_WITHIN`. Returns all
 * due calls if the server is silent (`isSilent`), or if one of those calls got no response, not even an error.
 */
export function possiblyLostActions(
  actions: readonly QueuedAction[],
  now: number,
  isSilent: boolean,
): readonly QueuedAction[] {
  const due = actions.filter((action) => action.sendAt <= now);
  const isWaiting = (action: QueuedAction) => action.attempts > 0 || now - action.sendAt >= ANSWERED_WITHIN;
  // A call that fails on the server proves that the server responds, so other calls do not count as lost.
  const isStuck = due.some((action) => !action.isFailing && isWaiting(action));
  return isSilent || isStuck ? due : due.filter(isWaiting);
}

const TIMEOUT = 15_000;
/** The maximum age of a call (ms). An older call would not help the kitchen. */
const KEPT_FOR = 6 * 3_600_000;

/** Fetches a store's open and lost orders, and the latest 200 that ended in this trading day. */
export async function fetchBoardOrders(store: Store, signal: AbortSignal): Promise<Order[]> {
  const start_date = tradingDayOf(store, new Date(shopNow()));
  const [open, lost, done] = await Promise.all([
    fetchAll({ store_id: store.id, status: openStatuses.join() }, signal),
    fetchAll({ store_id: store.id, lost: '1' }, signal),
    api(
      'GET /v1/orders',
      { store_id: store.id, status: doneStatuses.join(), start_date, per_page: 200 },
      { signal, timeout: TIMEOUT },
    ),
  ]);
  return [...done.data, ...lost, ...open];
}

export async function fetchOrder(id: string): Promise<Order | null> {
  const { data } = await api('GET /v1/orders/{id}', { id }, { timeout: TIMEOUT });
  return 'history' in data ? data : null;
}

/**
 * Sends an action. A refused action is not retried, nor is an action that is too old. After a lost response or a server
 * error, the action is retried.
 */
export async function sendAction(action: QueuedAction): Promise<CallResult> {
  if (shopNow() - action.askedAt >= KEPT_FOR)
    return { kind: 'refused', error: new ApiError(0, { code: 'not_sent', message: m.kitchen_board_too_old() }) };
  try {
    return { kind: 'done', answer: await call(action) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!error.isUndecided) return { kind: 'refused', error };
    const waitsForAll = (error.code === 'offline' && !error.isTimeout) || error.status === 401 || error.status === 429;
    return { kind: waitsForAll ? 'unanswered' : 'failed' };
  }
}

async function call(action: QueuedAction): Promise<Order> {
  try {
    return (await post(action)).data;
  } catch (error) {
    // A conflict of the idempotency key shows that an earlier attempt succeeded. The bodies differ, because each
    // attempt counts its minutes from the time of sending.
    const isMade = error instanceof ApiError && error.code === 'idempotency_conflict';
    const order = isMade ? await fetchOrder(action.orderId) : null;
    if (order) return order;
    throw error;
  }
}

function post({ id: idempotencyKey, orderId: id, call: name, input }: QueuedAction): Promise<{ data: Order }> {
  return api(`POST /v1/orders/{id}/${name}`, { id, ...bodies[name](input) }, { timeout: TIMEOUT, idempotencyKey });
}

const bodies: { [Call in StaffCall]: (input: BoardCallInput) => Omit<ApiInput<`POST /v1/orders/{id}/${Call}`>, 'id'> } =
  {
    accept: ({ readyAt }) => (readyAt === undefined ? {} : { minutes: minutesUntil(readyAt) }),
    // The cast is safe, because the dialog offers only the contract's reasons.
    reject: ({ reason }) => ({ reason: reason as RejectReason }),
    packed: () => ({}),
    'collected-by-driver': () => ({}),
    'collected-by-customer': paidBody,
    'delivered-to-customer': paidBody,
    promise: ({ readyAt }) => ({ minutes: readyAt === undefined ? 1 : minutesUntil(readyAt) }),
    'lines/done': ({ ticks = { lines: [], done: true } }) => ({ ...ticks, lines: [...ticks.lines] }),
    'lines/remove': ({ lines = [], reason = '', endsOffers }) => ({
      lines: [...lines],
      reason,
      ...(endsOffers && { ends_offers: true }),
    }),
    undo: () => ({}),
    'followed-up': ({ followUp }) => ({ how: followUp ?? 'left' }),
    cancel: ({ reason }) => (reason ? { reason } : {}),
  };

function paidBody({ paidBy }: BoardCallInput) {
  return paidBy ? { paid_by: paidBy } : {};
}

function minutesUntil(time: number): number {
  return Math.min(480, Math.max(1, Math.round((time - shopNow()) / 60_000)));
}

async function fetchAll(
  which: { store_id: string; status?: string; lost?: '1' },
  signal: AbortSignal,
): Promise<Order[]> {
  const orders: Order[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await api('GET /v1/orders', { ...which, per_page: 200, page }, { signal, timeout: TIMEOUT });
    orders.push(...answer.data);
    if (page >= answer.meta.last_page) return orders;
  }
}
