import { endpointRegistration } from '#database/endpoint-registration.ts';
import { accountLinkEndpoints, orderEndpoints } from '#ordering/contract.ts';
import { orderChannelRules } from '#ordering/channels.ts';
import { orderAccountHandlers } from '#ordering/server/account-handlers.ts';
import { migrateAccountLinkJobs, registerAccountLinkWriter } from '#ordering/server/mails/account-links.ts';
import { overdueOrderWork } from '#ordering/server/deadlines.ts';
import {
  createOrderDataEraser,
  createOrderDataExports,
  startGuestErasureSweep,
} from '#ordering/server/erase-guests.ts';
import { orderingHandlers } from '#ordering/server/handlers.ts';
import { orderMailExamples } from '#ordering/server/mails/mail-examples.ts';
import { startOrderNetworkSweep } from '#ordering/server/order-limits.ts';
import { startOrderInsertQueue } from '#ordering/server/insert-orders.ts';
import { createOrderPushWork } from '#ordering/server/mails/send-order-notifications.ts';
import {
  orderMailWork,
  migrateOrderMailJobs,
  registerOrderMailWriter,
} from '#ordering/server/mails/send-order-mails.ts';
import type { OrderSqlParts, OrderServices } from '#ordering/server/services.ts';
import type { ServerParts } from '#platform/server/parts.ts';
import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import { inTransaction } from '#database/transaction.ts';
import { encryptOrderSessions } from '#ordering/server/change-orders.ts';
import { loadOrders, presentGuestOrder, presentOrder } from '#ordering/server/present-order.ts';
import { orderPlacedEvent, orderUpdatedEvent, guestOrderUpdatedEvent } from '#ordering/events.ts';
import type { EventMaker } from '#realtime/server/outbox.ts';

export const orderingDomain = {
  name: 'ordering',
  calls: [
    endpointRegistration(orderEndpoints, (services: OrderServices) =>
      orderingHandlers(services, startOrderInsertQueue(services.db)),
    ),
    endpointRegistration(accountLinkEndpoints, orderAccountHandlers),
  ],
  channels: orderChannelRules,
  events: ({ now, orderParts }: { now: () => Date; orderParts: OrderSqlParts }) => ({
    order: orderEvents(now, orderParts),
  }),
  mailExamples: orderMailExamples,
  writeMails(services: OrderServices) {
    registerOrderMailWriter(services);
    registerAccountLinkWriter(services);
  },
  async start(services: OrderServices, parts: ServerParts) {
    await migrateOrderMailJobs(services);
    await migrateAccountLinkJobs(services);
    parts.add('guests', startGuestErasureSweep(services));
    parts.add('order origins', startOrderNetworkSweep(services));
  },
  work: (services: OrderServices) => [
    overdueOrderWork(services),
    sessionEncryptionWork(services),
    orderMailWork(services),
    createOrderPushWork(services),
  ],
  personalData: ({ orderParts }: Pick<OrderServices, 'orderParts'>) => createOrderDataExports(orderParts),
  eraser: createOrderDataEraser,
};

const atOnce = 500;

/**
 * Due work that encrypts the sessions that an earlier release stored as plain text. That release may still run during
 * an upgrade.
 */
export function sessionEncryptionWork({
  db,
  orderSessions,
}: Pick<OrderServices, 'db' | 'orderSessions'>): DueWork<boolean> {
  return {
    name: 'order sessions',
    due: () => sql<boolean>`exists (select from orders where session is not null)`,
    work: () => inTransaction(db, (tx) => encryptOrderSessions(tx, orderSessions, atOnce)),
  };
}

declare module '#realtime/server/outbox.ts' {
  interface OutboxTopics {
    order: true;
  }
}

/** Makes an order's events: one for the store's boards, and one for the guest who follows the order. */
function orderEvents(now: () => Date, parts: OrderSqlParts): EventMaker {
  return async (tx, entries) => {
    const orders = await loadOrders(tx, parts, [...new Set(entries.map(({ subjectId }) => subjectId))]);
    const byId = new Map(orders.map((order) => [order.row.id, order]));
    return entries.map(({ subjectId, event, sequence }) => {
      const order = byId.get(subjectId);
      if (!order) return [];
      // Staff of every role receive the same event. So the event has no rating, which only the owner may read, and each
      // page fetches the calls that its own viewer can make.
      const whole = { ...presentOrder(order, 'admin', now(), { withSession: false, readerId: null }), rating: null };
      const make = event === 'order.placed' ? orderPlacedEvent : orderUpdatedEvent;
      return [make(whole, sequence ?? 0), guestOrderUpdatedEvent(presentGuestOrder(order))];
    });
  };
}
