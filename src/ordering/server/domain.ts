import { calls } from '#database/domain.ts';
import { orderAccounts } from '#ordering/account-contract.ts';
import { orderChannels } from '#ordering/channels.ts';
import { ordering } from '#ordering/contract.ts';
import { orderAccountHandlers } from '#ordering/server/account-handlers.ts';
import { takeEarlierLinks, writeAccountLinks } from '#ordering/server/mails/account-links.ts';
import { deadlines } from '#ordering/server/deadlines.ts';
import { startForgettingGuests } from '#ordering/server/forgetting/forget-guests.ts';
import { orderingHandlers } from '#ordering/server/handlers.ts';
import { eraseKeptOrders, readKeptOrders } from '#ordering/server/forgetting/kept-orders.ts';
import { orderMailExamples } from '#ordering/server/mails/mail-examples.ts';
import { orderEvents } from '#ordering/server/order-events.ts';
import { startForgettingOrigins } from '#ordering/server/order-limits.ts';
import { startOrderQueue } from '#ordering/server/order-queue.ts';
import { orderNewsWork } from '#ordering/server/mails/push-news.ts';
import { orderMailWork, takeEarlierOrderMails, writeOrderMails } from '#ordering/server/mails/send-order-mails.ts';
import type { OrderParts, OrderServices } from '#ordering/server/services.ts';
import { sessionWork } from '#ordering/server/session-work.ts';
import type { Parts } from '#platform/server/parts.ts';

export const orderingDomain = {
  name: 'ordering',
  calls: [
    calls(ordering, (services: OrderServices) => orderingHandlers(services, startOrderQueue(services.db))),
    calls(orderAccounts, orderAccountHandlers),
  ],
  channels: orderChannels,
  events: ({ now, orderParts }: { now: () => Date; orderParts: OrderParts }) => ({
    order: orderEvents(now, orderParts),
  }),
  mailExamples: orderMailExamples,
  writeMails(services: OrderServices) {
    writeOrderMails(services);
    writeAccountLinks(services);
  },
  async start(services: OrderServices, parts: Parts) {
    await takeEarlierOrderMails(services);
    await takeEarlierLinks(services);
    parts.add('guests', startForgettingGuests(services));
    parts.add('order origins', startForgettingOrigins(services));
  },
  work: (services: OrderServices) => [
    deadlines(services),
    sessionWork(services),
    orderMailWork(services),
    orderNewsWork(services),
  ],
  personalData: ({ orderParts }: Pick<OrderServices, 'orderParts'>) => readKeptOrders(orderParts),
  eraser: eraseKeptOrders,
};
