import { m } from '#messages';
import { recordConsent } from '#database/consents.ts';
import type { Db, Tx } from '#database/schema.ts';
import { readFailedMailsOfOrder } from '#mail/server/mail-retention.ts';
import type { orderEndpoints, orderRelations } from '#ordering/contract.ts';
import { needsReason } from '#ordering/next-status.ts';
import type { OrderCall } from '#ordering/status-row.ts';
import { eraseGuestOfOrder } from '#ordering/server/erase-guests.ts';
import { listOrders } from '#ordering/server/list-orders.ts';
import { applyOrderCall, type OrderCallRequest } from '#ordering/server/apply-order-call.ts';
import {
  isRepeatedCall,
  idempotentCallOf,
  type OrderCallInput,
  presentOrderFor,
  readOrder,
  orderAccessRefusal,
  type CallerRelation,
  relationToOrder,
} from '#ordering/server/order-calls.ts';
import { warnIfProxyHidesClients } from '#ordering/server/order-limits.ts';
import { placeOrder } from '#ordering/server/place-order.ts';
import { presentGuestOrder, presentOrder, type LoadedOrder } from '#ordering/server/present-order.ts';
import { throttleOfferCodeGuesses } from '#ordering/server/offer-checks.ts';
import { quoteOnServer, requireStaffForChannel } from '#ordering/server/new-order.ts';
import { listRatings, rateOrder } from '#ordering/server/ratings.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { tickOrderLines } from '#ordering/server/tick-order-lines.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import type { OrderInsertQueue } from '#ordering/server/insert-orders.ts';
import { findOrder } from '#ordering/server/order-views.ts';
import { followOrder, unfollowOrder } from '#push/server/follows.ts';
import { saveSubscription } from '#push/server/subscriptions.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { AnswerWithStatus } from '#platform/http/answer.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { isStaffOf } from '#platform/http/viewer.ts';
import { isUuid } from '#platform/uuid.ts';
import type { Store } from '#store/contract.ts';
import type { OrderServices } from '#ordering/server/services.ts';

type StaffCall = OrderCallInput<Tx> & { params: { id: string } };

type Services = Pick<
  OrderServices,
  | 'clients'
  | 'config'
  | 'db'
  | 'log'
  | 'menus'
  | 'networkKey'
  | 'orderParts'
  | 'orderSessions'
  | 'outbox'
  | 'owed'
  | 'payments'
  | 'prints'
  | 'push'
>;
type OrderingCall<K extends keyof typeof orderEndpoints> = HandlerInput<typeof orderEndpoints, K, Db, Tx>;

export function orderingHandlers(services: Services, queue: OrderInsertQueue): Handlers<typeof orderEndpoints, Db, Tx> {
  const step = (call: StaffCall, name: OrderCall, more: Partial<OrderCallRequest> = {}) =>
    moveOfStaff(services, call, name, more);

  return {
    'POST /v1/orders/quote': async (call) => {
      const { db, body, viewer, now } = call;
      warnIfProxyHidesClients(services, call);
      const shop = await services.menus.shop(body.store_id);
      if (!shop) throw invalidFieldError('store_id', m.ordering_store_unknown());
      requireStaffForChannel(body.channel, viewer, body.store_id);
      await throttleOfferCodeGuesses(services.db, shop, body, call);
      return { data: await quoteOnServer(db, shop, body, now, { viewer }) };
    },

    'POST /v1/orders': async (call) => {
      const { body, viewer, now, requestId, address, isBehindUnknownProxy } = call;
      warnIfProxyHidesClients(services, call);
      const origin = { address, isBehindUnknownProxy };
      const { order, isNew } = await placeOrder(services, queue, { body, viewer, now, requestId, origin });
      const data = presentOrder(order, isStaffOf(viewer, order.row.store_id) ? viewer.role : 'customer', now, {
        withSession: true,
        readerId: viewer.id,
      });
      return new AnswerWithStatus(isNew ? 201 : 200, { data });
    },

    'GET /v1/orders': (call) => listOrders(services, call),

    'GET /v1/orders/session/{sessionId}': async ({ db, params, query, viewer, now, secret }) => {
      const orderId = await findBySession(db, params.sessionId === 'own' ? secret : params.sessionId);
      const order = await readOrder(services.orderParts, db, orderId);
      const shown = presentOrder(order, 'customer', now, { withSession: true, readerId: viewer.id });
      return { data: await withIncludedStore(services, query, order, shown) };
    },

    'GET /v1/orders/{id}': async (call) => {
      const order = await readOrder(services.orderParts, call.db, call.params.id);
      const relation = relationToOrder(order.row, call.viewer, call.secret);
      const shown = relation === 'stranger' ? presentGuestOrder(order) : presentOrderFor(order, call, relation);
      return { data: await withIncludedStore(services, call.query, order, shown) };
    },

    'GET /v1/orders/{id}/failed-mails': readFailedMails,

    'POST /v1/orders/{id}/accept': (call) => step(call, 'accept', { minutes: call.body.minutes }),
    'POST /v1/orders/{id}/reject': (call) => step(call, 'reject', { rejectReason: call.body.reason }),
    'POST /v1/orders/{id}/packed': (call) => step(call, 'packed'),
    'POST /v1/orders/{id}/collected-by-driver': (call) => step(call, 'collected-by-driver'),
    'POST /v1/orders/{id}/collected-by-customer': (call) =>
      step(call, 'collected-by-customer', { paidBy: call.body.paid_by }),
    'POST /v1/orders/{id}/delivered-to-customer': (call) =>
      step(call, 'delivered-to-customer', { paidBy: call.body.paid_by }),
    'POST /v1/orders/{id}/promise': (call) => step(call, 'promise', { minutes: call.body.minutes }),
    'POST /v1/orders/{id}/lines/remove': (call) => removeOfStaff(services, call),
    'POST /v1/orders/{id}/lines/done': (call) => tickOfStaff(services, call),
    'POST /v1/orders/{id}/undo': (call) => step(call, 'undo'),
    'POST /v1/orders/{id}/followed-up': (call) => step(call, 'followed-up', { followUp: call.body.how }),
    'POST /v1/orders/{id}/cancel': (call) => cancel(services, call),
    'POST /v1/orders/{id}/arrived': (call) => arrive(services, call),
    'POST /v1/orders/{id}/rating': (call) => rate(services, call),
    'GET /v1/ratings': listRatings,

    'POST /v1/orders/{id}/forget': (call) => eraseGuestOfOrder(services, call),

    'POST /v1/orders/{id}/push': (call) => followOwn(services, call),

    'POST /v1/orders/{id}/push/stop': async (call) => unfollowOrder(call.db, await findOwn(call), call.body.endpoint),
  };
}

/** Finds the id of the order that was placed with this session. Throws 404 if there is none. */
async function findBySession(db: Db, session: string | null): Promise<string> {
  if (session === null || !isUuid(session)) throw new AppError('not_found', m.ordering_not_found());
  const found = await db
    .selectFrom('orders')
    .select('id')
    .where('session_hash', '=', hashSession(session))
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', m.ordering_not_found());
  return found.id;
}

async function moveOfStaff(services: Services, call: StaffCall, name: OrderCall, more: Partial<OrderCallRequest>) {
  return move(services, call, await readOfStaff(services, call), { name, relation: 'staff', more });
}

async function removeOfStaff(services: Services, call: OrderingCall<'POST /v1/orders/{id}/lines/remove'>) {
  const { viewer, now, body } = call;
  const order = await readOfStaff(services, call);
  return makeCall(services, call, order, { name: 'lines/remove', relation: 'staff' }, () =>
    removeOrderLines(call.db, services, {
      orderId: order.row.id,
      lines: body.lines,
      endsOffers: body.ends_offers,
      reason: body.reason,
      role: viewer.role,
      by: { actor: viewer.name, actorId: viewer.id },
      now,
    }),
  );
}

async function tickOfStaff(services: Services, call: OrderingCall<'POST /v1/orders/{id}/lines/done'>) {
  const { viewer, now, body } = call;
  const order = await readOfStaff(services, call);
  return makeCall(services, call, order, { name: 'lines/done', relation: 'staff' }, () =>
    tickOrderLines(call.db, services, { orderId: order.row.id, ...body, actor: viewer.role, now }),
  );
}

/** Reads an order. Throws 403 unless the caller is staff of the order's store. */
async function readOfStaff(services: Services, call: StaffCall): Promise<LoadedOrder> {
  const order = await readOrder(services.orderParts, call.db, call.params.id);
  if (!isStaffOf(call.viewer, order.row.store_id)) throw new AppError('forbidden', m.platform_forbidden());
  return order;
}

/** Subscribes the caller's device to push news of their order, and records an account's consent to notifications. */
async function followOwn(services: Services, call: OrderingCall<'POST /v1/orders/{id}/push'>): Promise<void> {
  const { db, viewer, now, body } = call;
  const orderId = await findOwn(call);
  // A guest's `own_orders` is ignored, because only an account can follow all of its orders.
  const wants = viewer.id === null ? {} : { own_orders: body.own_orders };
  const userAgent = call.header('user-agent') ?? '';
  const testOrigin = services.push.test?.origin;
  const device = { subscription: body.subscription, wants, viewer, userAgent, now, testOrigin };
  const { id } = await saveSubscription(db, device);
  await followOrder(db, orderId, id, now);
  if (viewer.role !== 'customer' || viewer.id === null) return;
  const words = [m.ordering_push_offer(), body.own_orders && m.ordering_push_all()].filter(Boolean).join(' ');
  const consent = { kind: 'notifications', page: '/orders/{orderId}', words, device: userAgent } as const;
  await recordConsent(db, { ...consent, userId: viewer.id, subscriptionId: id, now });
}

/**
 * Finds the id of an order that the caller may read whole. Throws 404 for an unknown order, and 401 or 403 for a
 * stranger.
 */
async function findOwn(call: OrderCallInput<Tx> & { params: { id: string } }): Promise<string> {
  const row = await findOrder(call.db, call.params.id);
  if (!row) throw new AppError('not_found', m.ordering_not_found());
  if (relationToOrder(row, call.viewer, call.secret) === 'stranger') throw orderAccessRefusal(call);
  return row.id;
}

async function cancel(services: Services, call: OrderingCall<'POST /v1/orders/{id}/cancel'>) {
  const { order, relation } = await readRelated(services, call);
  const reason = call.body.reason ?? null;
  if (!reason && needsReason('cancel', relation === 'staff' ? call.viewer.role : 'customer')) {
    throw invalidFieldError('reason', m.ordering_reason_needed());
  }
  return move(services, call, order, { name: 'cancel', relation, more: { reason } });
}

async function arrive(services: Services, call: OrderingCall<'POST /v1/orders/{id}/arrived'>) {
  const { order, relation } = await readRelated(services, call);
  return move(services, call, order, { name: 'arrived', relation, more: { note: { kind: 'arrived' } } });
}

async function rate(services: Services, call: OrderingCall<'POST /v1/orders/{id}/rating'>) {
  const { order, relation } = await readRelated(services, call);
  if (relation === 'staff') throw new AppError('forbidden', m.platform_forbidden());
  return makeCall(services, call, order, { name: 'rating', relation }, () =>
    rateOrder(call.db, services, { orderId: order.row.id, ...call.body, now: call.now }),
  );
}

/** Reads an order with the caller's relation to it. Throws 404 for an unknown order, and 401 or 403 for a stranger. */
async function readRelated(services: Services, call: OrderCallInput<Tx> & { params: { id: string } }) {
  const order = await readOrder(services.orderParts, call.db, call.params.id);
  const relation = relationToOrder(order.row, call.viewer, call.secret);
  if (relation === 'stranger') throw orderAccessRefusal(call);
  return { order, relation };
}

async function move(
  services: Services,
  call: OrderCallInput<Tx>,
  order: LoadedOrder,
  { name, relation, more }: { name: OrderCall; relation: CallerRelation; more: Partial<OrderCallRequest> },
) {
  const { viewer, now } = call;
  return makeCall(services, call, order, { name, relation }, () =>
    applyOrderCall(call.db, services, {
      orderId: order.row.id,
      call: name,
      actor: relation === 'staff' ? viewer.role : 'customer',
      actorName: relation === 'staff' ? viewer.name : 'customer',
      actorId: viewer.id,
      now,
      ...more,
    }),
  );
}

/** Makes a call about an order once per idempotency key, and returns the order as it is afterwards. */
async function makeCall(
  services: Services,
  call: OrderCallInput<Tx>,
  order: LoadedOrder,
  { name, relation }: { name: OrderCall; relation: CallerRelation },
  make: () => Promise<unknown>,
) {
  if (await isRepeatedCall(call.db, idempotentCallOf(call, order, name))) {
    return { data: presentOrderFor(order, call, relation) };
  }
  await make();
  call.afterCommit(services.outbox.wake);
  return { data: presentOrderFor(await readOrder(services.orderParts, call.db, order.row.id), call, relation) };
}

async function withIncludedStore<T extends object>(
  { menus }: Pick<Services, 'menus'>,
  { include }: { include: readonly (typeof orderRelations)[number][] },
  { row }: LoadedOrder,
  shown: T,
): Promise<T & { store?: Store }> {
  const shop = include.includes('store') ? await menus.shop(row.store_id) : null;
  return shop ? { ...shown, store: shop.store } : shown;
}

async function readFailedMails({ db, params, viewer }: OrderingCall<'GET /v1/orders/{id}/failed-mails'>) {
  const order = await findOrder(db, params.id);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  if (!isStaffOf(viewer, order.store_id)) throw new AppError('forbidden', m.platform_forbidden());
  return { data: await readFailedMailsOfOrder(db, order.id) };
}
