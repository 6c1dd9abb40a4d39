import { createHmac } from 'node:crypto';
import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import type { LimitedBy, TooManyOrders } from '#ordering/server/count-orders.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import type { Placement } from '#ordering/server/new-order.ts';
import { AppError } from '#platform/errors.ts';
import { isStaff } from '#platform/http/viewer.ts';
import { networkOf } from '#platform/server/client-address.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { FulfilmentType, StaffStore } from '#store/contract.ts';
import type { OrderServices } from '#ordering/server/services.ts';

/** Orders within an hour through a proxy that is not trusted, whose customers cannot be told apart. */
const mostOfStranger = 1000;
/** In seconds, where it is not known when an order will be finished. */
const usualWait = 5 * 60;
const keptFor = 24 * 60 * 60_000;

/** What an order of a customer is counted by; null for staff, and in a shop without limits, where nothing is counted. */
export function limitedBy(
  { networkKey }: Pick<OrderServices, 'networkKey'>,
  store: StaffStore,
  { body, viewer, origin }: Placement,
): LimitedBy | null {
  if (isStaff(viewer)) return null;
  const { max_open_orders_per_person: maxOpen, max_orders_per_address_hour: maxHour } = store;
  if (maxOpen === null && maxHour === null) return null;
  const digits = body.contact.phone.replaceAll(/\D/g, '').slice(-10);
  return {
    network: digestNetwork(networkKey, origin.address),
    customer: maxOpen === null ? null : viewer.id,
    phone: maxOpen === null || digits === '' ? null : digits,
    max_open: maxOpen,
    max_hour: maxHour !== null && origin.isForwardedByStranger ? Math.max(maxHour, mostOfStranger) : maxHour,
    replaced: body.replaces === undefined ? null : hashSession(body.replaces).toString('hex'),
  };
}

/** The same for all addresses of one network; only who has the key can find the network again. */
export function digestNetwork(key: string, address: string): string {
  return createHmac('sha256', key).update(networkOf(address)).digest('base64url');
}

/** The refusal: 429 with `Retry-After` and words for the customer. */
export function tooManyOrders(
  { too_many: kind, until }: TooManyOrders,
  store: StaffStore,
  fulfilment: FulfilmentType,
  now: Date,
): AppError {
  const seconds = until === null ? usualWait : Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError('too_many_orders', wordsOf(kind, store, fulfilment), {
    headers: { 'retry-after': String(seconds) },
  });
}

function wordsOf(kind: TooManyOrders['too_many'], store: StaffStore, fulfilment: FulfilmentType): string {
  const { max_open_orders_per_person: most, phone } = store;
  const cash = store.payment_methods[fulfilment].includes('cash') ? 'yes' : 'no';
  switch (kind) {
    case 'open':
      return m.ordering_too_many_open({ count: most ?? 0, phone });
    case 'unpaid':
      return m.ordering_too_many_unpaid({ cash });
    case 'network_unpaid':
      return m.ordering_too_many_unpaid_nearby({ cash, phone });
    case 'network_hour':
      return m.ordering_too_many_nearby({ phone });
  }
}

/** Deletes which networks orders came from, a day after: an hour is all that counts. */
export function startForgettingOrigins(services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'now'>): Sweep {
  const { clock, db, log } = services;
  return startSweep({ name: 'order origins', every: 60 * 60_000, log, clock, atOnce: true }, async () => {
    await forgetOrigins(db, new Date(services.now().getTime() - keptFor));
  });
}

/** Of orders placed before then. */
export async function forgetOrigins(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('order_origins').where('placed_at', '<', before).execute();
}
