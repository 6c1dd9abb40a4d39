import { actionWords } from '#audit/web/action-words.ts';
import { findAuditLines } from '#database/audit.ts';
import type { Machine } from '#hatch/machine.ts';
import { readOrderMailEvents } from '#mail/server/mail.ts';
import { readHistoryEvents, findOrdersByIdOrNumber, readQueuedMailEvents } from '#ordering/server/order-timeline.ts';
import { readPaymentEvents, readRefundEvents } from '#payment/server/payment-views.ts';
import { ConfigError } from '#platform/errors.ts';
import { formatMoney } from '#platform/money.ts';
import { type OrderTimelineEntry, createTimelineEntry } from '#database/order-timeline-entry.ts';
import { readPrintHistory } from '#printing/server/print-views.ts';
import { readUnsentEvents } from '#realtime/server/outbox.ts';
import { findStoreId } from '#store/server/find-store.ts';
import { findStoreRowEvenDeleted } from '#store/server/store-views.ts';

export interface OrderTimeline {
  id: string;
  store: string;
  number: number;
  trading_day: string;
  status: string;
  payment_status: string;
  total: string;
  events: OrderTimelineEntry[];
}

export interface OrderLookup {
  /** The order's number on its day, or its id. */
  order: string;
  /** The day, such as `2026-11-29`; if missing, the newest order with that number is meant. */
  date?: string | undefined;
  /** The name, slug or id of a store. */
  store?: string | undefined;
}

/**
 * An order's recorded events, oldest first, without personal data. Throws ConfigError unless it finds exactly one
 * order.
 */
export async function readOrderTimeline({ db }: Machine, wanted: OrderLookup): Promise<OrderTimeline> {
  const isId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(wanted.order);
  const number = /^#?(\d{1,6})$/.exec(wanted.order)?.[1];
  if (!isId && number === undefined)
    throw new ConfigError(`"${wanted.order}" is neither an order's number nor its id.`);
  if (wanted.date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(wanted.date))
    throw new ConfigError(`"${wanted.date}" is no date: write it as 2026-11-29.`);
  const storeId = wanted.store === undefined ? undefined : await findStoreId(db, wanted.store);
  if (storeId === null) throw new ConfigError(`There is no shop "${wanted.store}".`);
  const rows = await findOrdersByIdOrNumber(db, {
    id: isId ? wanted.order : null,
    number: isId ? null : Number(number),
    date: wanted.date,
    storeId,
  });
  const [found] = rows;
  if (!found) throw new ConfigError(`There is no order ${wanted.order}${wanted.date ? ` on ${wanted.date}` : ''}.`);
  if (rows.some((row) => row.trading_day === found.trading_day && row.store_id !== found.store_id)) {
    throw new ConfigError(
      `Several shops have an order ${wanted.order} on ${found.trading_day}. Add --store with a shop's name.`,
    );
  }
  const { id, total, store_id: of, ...shown } = found;
  const store = await findStoreRowEvenDeleted(db, of);
  const money = (amount: number) => formatMoney(amount, store?.currency ?? 'GBP');
  const lines = await findAuditLines(db, id);
  const audit = lines.map(({ at, actor, action, outcome, request_id: request }) =>
    createTimelineEntry(
      'audit',
      at,
      actionWords(action) ?? action,
      `by ${actor}`,
      outcome && `(${outcome})`,
      `request ${request}`,
    ),
  );
  const parts = await Promise.all([
    readHistoryEvents(db, id),
    audit,
    readPaymentEvents(db, id, money),
    readRefundEvents(db, id, money),
    readPrintHistory(db, id),
    readOrderMailEvents(db, id),
    readQueuedMailEvents(db, id),
    readUnsentEvents(db, id),
  ]);
  const events = parts.flat().toSorted((a, b) => a.at.localeCompare(b.at));
  return { id, store: store?.name ?? '', ...shown, total: money(total), events };
}

export function orderTimelineLines(timeline: OrderTimeline): string[] {
  const { id, store, number, trading_day: day, status, payment_status: paid, total, events } = timeline;
  const width = Math.max(...events.map(({ kind }) => kind.length), 0);
  return [
    `Order #${number} of ${day}, ${store}: ${status}, ${total} ${paid}`,
    id,
    '',
    ...events.map(({ at, kind, words }) => `${at.slice(0, 19).replace('T', ' ')}  ${kind.padEnd(width)}  ${words}`),
  ];
}
