import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { inTransaction, changeWithEffects } from '#database/transaction.ts';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import type { UnnumberedOrder } from '#ordering/server/insert-orders.ts';
import type { OrderCallRequest } from '#ordering/server/apply-order-call.ts';
import type { OrderPlacement } from '#ordering/server/new-order.ts';
import { removeOrderLines } from '#ordering/server/remove-order-lines.ts';
import { insertOrderInTransaction } from '#ordering/server/place-order.ts';
import { markPaid } from '#payment/server/mark-paid.ts';
import { refundOrder, retryRefund } from '#payment/server/refund-order.ts';
import { cardOrder } from '#payment/testing/bench.ts';
import { workOf } from '#payment/testing/model/all-work.ts';
import type { ShopBench } from '#payment/testing/model/shop-bench.ts';

/** What people and the shop's own work do, by the code of the shop: each may be stopped, and killed, on its way. */
export interface Action {
  name: string;
  /** How many times as often as others it is drawn. */
  often?: number;
  /** `n` chooses among what there is. Undefined: there is nothing to do it with. */
  begin(shop: ShopBench, order: string, n: number): Promise<(() => Promise<unknown>) | undefined>;
}

const staff = { actor: 'admin', actorName: 'Olive Owner', actorId: null } as const;

export const actions: readonly Action[] = [
  ofOrder('open the page', ({ payments }, id) => payments.begin(id)),
  { ...ofOrder('return', ({ payments }, id) => payments.reconcile(id)), often: 3 },
  ofOrder('pay again by card', ({ payments }, id) => payments.payAgain(id, 'card')),
  ofOrder('pay in cash', ({ payments }, id) => payments.payAgain(id, 'cash')),
  ofOrder('replace', async (shop, id, n) => shop.payments.begin(await replace(shop, id, n))),
  step('customer cancels', 'cancel', { actor: 'customer', actorName: 'customer' }),
  { ...step('accept', 'accept'), often: 3 },
  step('reject', 'reject', { rejectReason: 'too_busy' }),
  step('cancel', 'cancel', { reason: 'No more rice' }),
  step('packed', 'packed'),
  step('collected', 'collected-by-customer'),
  step('undo', 'undo'),
  ofOrder('take a dish off', takeDishOff),
  ofOrder('refund', refund),
  ofOrder('mark paid', ({ db, services }, orderId) =>
    inTransaction(db, (tx) =>
      markPaid(tx, services, { orderId, method: 'cash', viewer: { id: null, name: staff.actorName } }),
    ),
  ),
  { name: 'retry a refund', begin: retry },
  { name: 'job', begin: job, often: 5 },
  { ...ofShop('messages', (shop) => shop.instance().handleEvents()), often: 3 },
  ofShop('sweep', (shop) => shop.instance().sweep()),
  ofShop('deadlines', (shop) => endOrdersPastDeadline(shop.services)),
  ofShop('the statement', (shop) => workOf(shop.instance(), 'bank')),
];

function ofOrder(name: string, work: (shop: ShopBench, order: string, n: number) => Promise<unknown>): Action {
  return { name, begin: async (shop, order, n) => () => work(shop, order, n) };
}

function ofShop(name: string, work: (shop: ShopBench) => Promise<unknown>): Action {
  return { name, begin: async (shop) => () => work(shop) };
}

function step(name: string, call: OrderCallRequest['call'], more: Partial<OrderCallRequest> = {}): Action {
  return ofOrder(name, (shop, id) => shop.move(id, call, more));
}

async function takeDishOff(shop: ShopBench, orderId: string, n: number): Promise<unknown> {
  const { lines } = await shop.order(orderId);
  const dish = lines[n % Math.max(lines.length, 1)];
  const by = { actor: staff.actorName, actorId: null };
  return inTransaction(shop.db, (tx) =>
    removeOrderLines(tx, shop.services, {
      orderId,
      lines: dish ? [{ line_id: dish.id, quantity: 1 }] : [],
      reason: 'sold_out',
      role: staff.actor,
      by,
      now: shop.clock.now,
    }),
  );
}

async function job({ jobs }: ShopBench, _order: string, n: number) {
  const pending = await jobs.pending();
  const chosen = pending[n % Math.max(pending.length, 1)];
  return chosen && (() => jobs.attempt(chosen.id));
}

async function refund(shop: ShopBench, orderId: string, n: number): Promise<unknown> {
  const order = await shop.order(orderId);
  const line = order.lines[n % Math.max(order.lines.length, 1)];
  const byLine = line && { lines: [{ line_id: line.id, quantity: 1 }] };
  const wanted = n % 3 === 0 && byLine ? byLine : { amount: 1 + ((n * 97) % order.total) };
  const request = { orderId, key: randomUUID(), wanted, reason: 'Cold chips', actor: staff.actorName, actorId: null };
  return inTransaction(shop.db, (tx) => refundOrder(tx, shop.services, request));
}

async function retry({ db, services }: ShopBench, _order: string, n: number) {
  const failed = await db.selectFrom('refunds').select('id').where('status', '=', 'failed').orderBy('id').execute();
  const chosen = failed[n % Math.max(failed.length, 1)];
  const by = n % 2 === 0 ? ('provider' as const) : ('hand' as const);
  const request = { by, actor: staff.actorName, actorId: null };
  return chosen && (() => inTransaction(db, (tx) => retryRefund(tx, services, { id: chosen.id, ...request })));
}

/** The customer changes the basket, and orders again instead of the old order. Returns the new one. */
export async function replace(shop: ShopBench, old: string, n: number): Promise<string> {
  const known = await shop.services.menus.store(shop.db, shop.storeId);
  const order = { ...basket(shop, n), store_version: known?.version ?? 0 };
  // Of the request only these are read once the basket is priced.
  const placement = {
    viewer: { role: 'guest', id: null, name: 'guest' },
    body: { replaces: old },
    now: shop.clock.now,
    requestId: 'model',
  } as unknown as OrderPlacement;
  const priced = { shop: known, order, overridden: [] } as unknown as Parameters<typeof insertOrderInTransaction>[2];
  await changeWithEffects(shop.services, (tx, afterCommit) =>
    insertOrderInTransaction({ db: tx, afterCommit }, shop.services, priced, placement),
  );
  return order.id;
}

const price = 400;
/** In pence: less than a card is charged. */
const dip = 20;
const discount = 150;
const tip = 120;

/** An order of one to three dishes of £4, of which the last may be a dip, with a tip or a discount. */
export function basket(shop: ShopBench, n: number): Omit<UnnumberedOrder, 'store_version'> {
  const dishes = 1 + (n % 3);
  const off = n % 4 === 1 ? discount : 0;
  const given = n % 4 === 2 ? tip : 0;
  const prices = Array.from({ length: dishes }, (_, at) => (n % 5 === 3 && at > 0 && at === dishes - 1 ? dip : price));
  const subtotal = prices.reduce((all, one) => all + one, 0);
  const gross = subtotal - off;
  const net = Math.round(gross / 1.2);
  return {
    ...cardOrder(shop.storeId, shop.clock.now),
    contact: { name: 'Ada Byron', phone: '07700 900123', email: 'ada@example.com' },
    lines: prices.map((one, at) => line(`Dish ${at + 1}`, one)),
    subtotal,
    discounts: off > 0 ? [{ name: 'Happy hour', amount: off }] : [],
    tip: given,
    total: gross + given,
    vat: [{ rate: 2000, net, vat: gross - net }],
  };
}

function line(name: string, unit_price: number) {
  return {
    id: randomUUIDv7(),
    item_id: randomUUIDv7(),
    name,
    kitchen_name: null,
    quantity: 1,
    unit_price,
    options: [],
    note: '',
    vat_rate: 2000,
    allergens: { contains: [], may_contain: [] },
    total: unit_price,
  };
}
