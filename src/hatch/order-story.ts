import { sql } from 'kysely';
import type { Machine } from '#hatch/machine.ts';
import { ConfigError } from '#platform/config-error.ts';
import { formatMoney } from '#platform/money.ts';
import { actionWords } from '#audit/web/action-words.ts';

export interface OrderEvent {
  /** ISO 8601, UTC. */
  at: string;
  kind: 'order' | 'audit' | 'payment' | 'refund' | 'print' | 'mail' | 'event';
  words: string;
}

export interface OrderStory {
  id: string;
  store: string;
  number: number;
  trading_day: string;
  status: string;
  payment_status: string;
  total: string;
  events: OrderEvent[];
}

export interface OrderWanted {
  /** A number of a day, or an id. */
  order: string;
  /** `2026-11-29`; the newest order of that number if left out. */
  date?: string | undefined;
  /** A name, slug or id. */
  store?: string | undefined;
}

interface Found {
  id: string;
  number: number;
  trading_day: string;
  status: string;
  payment_status: string;
  total: number;
  store: string;
  currency: string;
}

/** Everything that is recorded of one order, oldest first; no names, addresses or phones. Throws ConfigError if there is none. */
export async function tellOrder({ db }: Machine, wanted: OrderWanted): Promise<OrderStory> {
  const isId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(wanted.order);
  const number = /^#?(\d{1,6})$/.exec(wanted.order)?.[1];
  if (!isId && number === undefined)
    throw new ConfigError(`"${wanted.order}" is neither an order's number nor its id.`);
  if (wanted.date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(wanted.date))
    throw new ConfigError(`"${wanted.date}" is no date: write it as 2026-11-29.`);
  const store = wanted.store?.toLowerCase();
  const { rows } = await sql<Found>`
    select o.id, o.number, o.trading_day::text, o.status, o.payment_status, o.total, s.name as store, s.currency
    from orders o join stores s on s.id = o.store_id
    where ${isId ? sql`o.id = ${wanted.order}` : sql`o.number = ${Number(number)}`}
      and ${wanted.date === undefined ? sql`true` : sql`o.trading_day = ${wanted.date}`}
      and ${store === undefined ? sql`true` : sql`${store} in (lower(s.name), lower(s.slug), s.id::text)`}
    order by o.created_at desc limit 2`.execute(db);
  const [found] = rows;
  if (!found) throw new ConfigError(`There is no order ${wanted.order}${wanted.date ? ` on ${wanted.date}` : ''}.`);
  if (rows.some((row) => row.trading_day === found.trading_day && row.store !== found.store)) {
    throw new ConfigError(
      `Several shops have an order ${wanted.order} on ${found.trading_day}. Add --store with a shop's name.`,
    );
  }
  const { id, currency, total, ...shown } = found;
  const money = (amount: number) => formatMoney(amount, currency);
  const parts = await Promise.all([
    historyOf(db, id, money),
    auditOf(db, id, money),
    paymentsOf(db, id, money),
    refundsOf(db, id, money),
    printsOf(db, id, money),
    mailsOf(db, id, money),
    outboxOf(db, id, money),
  ]);
  const events = parts.flat().toSorted((a, b) => a.at.localeCompare(b.at));
  return { id, ...shown, total: money(total), events };
}

type Read = (db: Machine['db'], id: string, money: (amount: number) => string) => Promise<OrderEvent[]>;

const event = (kind: OrderEvent['kind'], at: Date, ...words: (string | null | false | undefined)[]): OrderEvent => ({
  at: at.toISOString(),
  kind,
  words: words.filter(Boolean).join(' '),
});

const historyOf: Read = async (db, id) => {
  const rows = await db
    .selectFrom('order_history')
    .select(['at', 'from_status', 'to_status', 'actor', 'reason', 'promised_at'])
    .where('order_id', '=', id)
    .orderBy('version')
    .execute();
  return rows.map(({ at, from_status: from, to_status: to, actor, reason, promised_at: promised }) =>
    event(
      'order',
      at,
      from === to ? to : `${from ?? 'new'} → ${to}`,
      actor && `by ${actor}`,
      reason && `(${reason})`,
      promised && `for ${promised.toISOString()}`,
    ),
  );
};

const auditOf: Read = async (db, id) => {
  const rows = await db
    .selectFrom('audit_log')
    .select(['at', 'actor', 'action', 'outcome', 'request_id'])
    .where('subject_id', '=', id)
    .orderBy('at')
    .execute();
  return rows.map(({ at, actor, action, outcome, request_id: request }) =>
    event('audit', at, actionWords(action) ?? action, `by ${actor}`, outcome && `(${outcome})`, `request ${request}`),
  );
};

const paymentsOf: Read = async (db, id, money) => {
  const payments = await db.selectFrom('payments').selectAll().where('order_id', '=', id).execute();
  const moved = await db.selectFrom('payment_movements').selectAll().where('order_id', '=', id).execute();
  const told =
    payments.length === 0
      ? []
      : await db
          .selectFrom('payment_events')
          .selectAll()
          .where(
            'payment_id',
            'in',
            payments.map((payment) => payment.id),
          )
          .execute();
  return [
    ...payments.flatMap(({ created_at, updated_at, provider, amount, status, reference, failure, owed }) => [
      event('payment', created_at, `${money(amount)} asked at ${provider}`, reference),
      event(
        'payment',
        updated_at,
        `${status} at ${provider}`,
        failure && `(${JSON.stringify(failure)})`,
        owed && `${owed} is owed`,
      ),
    ]),
    ...moved.map(({ at, kind, amount, object }) =>
      event('payment', at, kind.replaceAll('_', ' '), money(amount), object),
    ),
    ...told.map(({ received_at: at, type, id: name, outcome, tries }) =>
      event(
        'payment',
        at,
        `message ${type ?? name}`,
        outcome ?? 'not handled yet',
        tries > 1 && `after ${tries} tries`,
      ),
    ),
  ];
};

const refundsOf: Read = async (db, id, money) => {
  const rows = await db.selectFrom('refunds').selectAll().where('order_id', '=', id).execute();
  return rows.map(({ created_at: at, amount, kind, status, actor, provider_refund: there }) =>
    event('refund', at, money(amount), kind.replaceAll('_', ' '), status, actor && `by ${actor}`, there),
  );
};

const printsOf: Read = async (db, id) => {
  const rows = await db
    .selectFrom('prints')
    .leftJoin('printers', 'printers.id', 'prints.printer_id')
    .select(['prints.created_at', 'prints.ended_at', 'prints.copy', 'prints.status', 'prints.attempts', 'prints.fault'])
    .select(['prints.read_by', 'printers.name'])
    .where('order_id', '=', id)
    .execute();
  return rows.map(({ created_at: made, ended_at: ended, copy, status, attempts, fault, read_by: reader, name }) =>
    event(
      'print',
      ended ?? made,
      `${copy} receipt`,
      name ? `on ${name}` : 'without a printer',
      status,
      fault && `(${fault.replaceAll('_', ' ')})`,
      attempts > 1 && `after ${attempts} tries`,
      reader && `read by ${reader}`,
    ),
  );
};

const mailsOf: Read = async (db, id) => {
  const rows = await db.selectFrom('mails').selectAll().where('order_id', '=', id).execute();
  const owed = await db
    .selectFrom('order_mails')
    .select(['kind', 'owed_at'])
    .where('order_id', '=', id)
    .where('mail_id', 'is', null)
    .where('ended_at', 'is', null)
    .execute();
  const waiting = owed.map(({ kind, owed_at: at }) =>
    event('mail', at, kind.replaceAll('_', ' '), 'waits to be written'),
  );
  const written = rows.map(({ created_at: made, ended_at: ended, kind, state, tries }) =>
    event('mail', ended ?? made, kind.replaceAll('_', ' '), state, tries > 1 && `after ${tries} tries`),
  );
  return [...waiting, ...written];
};

/** Events that no browser was told of yet: they have no time of their own. */
const outboxOf: Read = async (db, id) => {
  const rows = await db.selectFrom('outbox').select(['event', 'topic']).where('subject_id', '=', id).execute();
  return rows.map(({ event: name, topic }) => event('event', new Date(), `${name} waits to be sent (${topic})`));
};

export function storyLines(story: OrderStory): string[] {
  const { id, store, number, trading_day: day, status, payment_status: paid, total, events } = story;
  const width = Math.max(...events.map(({ kind }) => kind.length), 0);
  return [
    `Order #${number} of ${day}, ${store}: ${status}, ${total} ${paid}`,
    id,
    '',
    ...events.map(({ at, kind, words }) => `${at.slice(0, 19).replace('T', ' ')}  ${kind.padEnd(width)}  ${words}`),
  ];
}
