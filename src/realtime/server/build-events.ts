import type { Db } from '#database/schema.ts';
import type { MenuCache } from '#menu/server/menu-cache.ts';
import { loadOrders, presentGuestOrder, presentOrder, presentPrint } from '#ordering/server/present-order.ts';
import {
  menuUpdated,
  orderPlaced,
  orderUpdated,
  orderUpdatedForGuest,
  printUpdated,
  storeDeleted,
  storeUpdated,
  type RealtimeEvent,
} from '#realtime/events.ts';
import type { BuildEvents, OutboxRow } from '#realtime/server/outbox.ts';
import { presentStore } from '#store/server/present-store.ts';

/** Turns what the outbox owes into events, from what is true at the time of sending. */
export function createEventBuilder(
  menus: MenuCache,
  config: { PAYMENT_SANDBOX: boolean },
  now: () => Date,
): BuildEvents {
  return async (tx, entries) => {
    const ordersById = await loadOrdersOf(tx, entries);
    const printsById = await loadPrintsOf(tx, entries);
    const built = await Promise.all(
      withoutRepeats(entries).map(async (entry): Promise<RealtimeEvent[]> => {
        if (entry.topic === 'order') {
          const order = ordersById.get(entry.subjectId);
          if (!order) return [];
          // Staff of every rank listen: each page asks for the calls open to its own viewer's role.
          const whole = presentOrder(order, 'admin', now(), { withSession: false });
          const make = entry.event === 'order.placed' ? orderPlaced : orderUpdated;
          return [make(whole, entry.sequence ?? 0), orderUpdatedForGuest(presentGuestOrder(order.row))];
        }
        if (entry.topic === 'print') {
          const print = printsById.get(entry.subjectId);
          return print ? [printUpdated(entry.storeId, print, entry.sequence ?? 0)] : [];
        }
        const known = await menus.store(tx, entry.storeId);
        if (!known) return deletedStore(tx, entry, config);
        return [entry.topic === 'store' ? storeUpdated(known.store) : menuUpdated(entry.storeId, known.version)];
      }),
    );
    return built.flat();
  };
}

async function deletedStore(
  db: Db,
  { storeId }: OutboxRow,
  config: { PAYMENT_SANDBOX: boolean },
): Promise<RealtimeEvent[]> {
  const row = await db.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirst();
  return row ? [storeDeleted(presentStore(row, config))] : [];
}

/** What has no number says how things are now, so that once is enough. */
function withoutRepeats(entries: readonly OutboxRow[]): OutboxRow[] {
  const last = new Map(entries.map((entry, index) => [`${entry.topic} ${entry.subjectId}`, index]));
  return entries.filter(
    (entry, index) => entry.sequence !== null || last.get(`${entry.topic} ${entry.subjectId}`) === index,
  );
}

async function loadOrdersOf(db: Db, entries: readonly OutboxRow[]) {
  const ids = new Set(entries.filter(({ topic }) => topic === 'order').map(({ subjectId }) => subjectId));
  const orders = await loadOrders(db, [...ids]);
  return new Map(orders.map((order) => [order.row.id, order]));
}

async function loadPrintsOf(db: Db, entries: readonly OutboxRow[]) {
  const ids = entries.filter(({ topic }) => topic === 'print').map(({ subjectId }) => subjectId);
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('prints').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, presentPrint(row)]));
}
