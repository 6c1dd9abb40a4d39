import { createHmac } from 'node:crypto';
import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import type { OrderLimitKeys, ExceededOrderLimit } from '#ordering/server/insert-orders.ts';
import { hashSession } from '#ordering/server/order-sessions.ts';
import type { OrderPlacement } from '#ordering/server/new-order.ts';
import { lastPhoneDigits } from '#platform/contact-shapes.ts';
import { AppError } from '#platform/errors.ts';
import { isStaff, type Viewer } from '#platform/http/viewer.ts';
import type { RateLimitedCaller } from '#platform/server/call-limits.ts';
import { isLoopbackUrl } from '#platform/server/addresses.ts';
import { callerNetwork } from '#platform/server/client-address.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import type { FulfilmentType, StaffStore } from '#store/contract.ts';
import type { OrderServices } from '#ordering/server/services.ts';

const maxUnpaidOfNetwork = 6;
/**
 * The limits for all customers behind one proxy that hides their addresses: orders in an hour, and unpaid orders at one
 * time.
 */
const maxOfStranger = { hour: 1000, unpaid: 200 };
/** Seconds for `Retry-After` if it is not known when a counted order stops counting. */
const defaultRetryAfter = 5 * 60;
const originRetention = 24 * 60 * 60_000;

/**
 * Warns of a proxy that hides customers' addresses: an order then seems to come from the proxy itself. Orders from a
 * page that was opened on the server's own machine cause no warning.
 */
export function warnIfProxyHidesClients(
  { clients, log }: Pick<OrderServices, 'clients' | 'log'>,
  call: RateLimitedCaller & { viewer: Viewer; header(name: string): string | undefined },
): void {
  const page = URL.parse(call.header('origin') ?? '');
  if (isStaff(call.viewer) || (page && isLoopbackUrl(page)) || !clients.recordUnnamedClient(call)) return;
  const hint = 'All customers behind it count as one. Let it send the header X-Forwarded-For.';
  const nginx = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';
  log.warn({ peer: call.address, hint, nginx }, 'a proxy does not say where its calls come from');
}

/** The keys and limits for counting a customer's orders; null for staff, and in a shop without limits. */
export function orderLimitKeysOf(
  { networkKey }: Pick<OrderServices, 'networkKey'>,
  store: StaffStore,
  { body, viewer, origin }: OrderPlacement,
): OrderLimitKeys | null {
  if (isStaff(viewer)) return null;
  const { max_open_orders_per_person: maxOpen, max_orders_per_address_hour: maxHour } = store;
  if (maxOpen === null && maxHour === null) return null;
  const { isBehindUnknownProxy: isMany } = origin;
  return {
    network: digestNetwork(networkKey, origin.address),
    customer: maxOpen === null ? null : viewer.id,
    phone: maxOpen === null ? null : lastPhoneDigits(body.contact.phone),
    max_open: maxOpen,
    max_hour: maxHour !== null && isMany ? Math.max(maxHour, maxOfStranger.hour) : maxHour,
    max_network_unpaid: maxHour === null ? null : isMany ? maxOfStranger.unpaid : maxUnpaidOfNetwork,
    replaced: body.replaces === undefined ? null : hashSession(body.replaces).toString('hex'),
  };
}

/** A digest that is equal for all addresses of a network. Without the key nobody can find the network by its digest. */
export function digestNetwork(key: string, address: string): string {
  return createHmac('sha256', key).update(callerNetwork(address)).digest('base64url');
}

/** The error for an order over a limit: 429 with `Retry-After` and a text for the customer. */
export function tooManyOrdersError(
  { too_many: kind, until }: ExceededOrderLimit,
  store: StaffStore,
  fulfilment: FulfilmentType,
  now: Date,
): AppError {
  const seconds = until === null ? defaultRetryAfter : Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError('too_many_orders', wordsOf(kind, store, fulfilment), {
    headers: { 'retry-after': String(seconds) },
  });
}

function wordsOf(kind: ExceededOrderLimit['too_many'], store: StaffStore, fulfilment: FulfilmentType): string {
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

/** Starts the sweep that deletes the networks of orders after a day, because the limits count only the last hour. */
export function startOrderNetworkSweep(services: Pick<OrderServices, 'clock' | 'db' | 'log' | 'now'>): Sweep {
  const { clock, db, log } = services;
  return startSweep({ name: 'order origins', every: 60 * 60_000, log, clock, atOnce: true }, async () => {
    await deleteOrderNetworks(db, new Date(services.now().getTime() - originRetention));
  });
}

export async function deleteOrderNetworks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('order_origins').where('placed_at', '<', before).execute();
}
