import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { Schema } from '#database/schema.ts';
import { extendChains, journalChainWork } from '#payment/server/journal/chains.ts';

/** What the shop's past consists of. */
export interface Past {
  storeId: string;
  orders: number;
  /** Trading days that end with the last one; each has as many orders. */
  days: number;
  /** YYYY-MM-DD. */
  lastDay: string;
}

const atOnce = 20_000;

/**
 * Gives a shop its past, made by SQL alone and the same in every run: orders of every kind with their history,
 * payments, the provider's statement, refunds, a tenth as many customers, and the audit log. All of its orders are
 * closed, and its guests of more than 90 days ago were forgotten.
 */
export async function fillShop(pool: pg.Pool, past: Past): Promise<void> {
  await pool.query(people, [Math.ceil(past.orders / 10), past.days, past.lastDay]);
  await pool.query(keySet);
  await pool.query(payouts, [past.days, past.lastDay]);
  await pool.query('analyze users');
  for (let first = 0; first < past.orders; first += atOnce) {
    const last = Math.min(past.orders, first + atOnce) - 1;
    await pool.query(orders, [past.storeId, past.orders, past.days, past.lastDay, first, last]);
    if (first === 0) await pool.query('analyze orders');
    for (const rows of [history, payments, entries, refunds, audit])
      await pool.query(rows, [past.storeId, first, last]);
  }
  await pool.query(numbers, [past.storeId]);
  await pool.query('vacuum analyze');
}

/**
 * The rest of such a history, in tables that no list reads: prints, webhooks, movements, mails owed.
 */
export async function fillAround(pool: pg.Pool): Promise<void> {
  for (const rows of [prints, events, movements, mailsOwed]) await pool.query(rows);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  // A running shop may extend them meanwhile.
  const isUnchained = sql<{ due: boolean }>`select ${journalChainWork(db).due(new Date())} as due`;
  while ((await isUnchained.execute(db)).rows[0]?.due) await extendChains(db);
  await pool.query('vacuum analyze');
}

/** An id made from a string. */
const idOf = (text: string) => `overlay(overlay(md5(${text}) placing '4' from 13) placing '8' from 17)::uuid`;
const sessionHashOf = `sha256(convert_to(${idOf("'session' || i")}::text, 'UTF8'))`;

/** Ids that are in the order of their times, as those of the program are. */
const idAt = (at: string, salt: string) => `(
  lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${salt}), 1, 3) || '8'
  || substr(md5(${salt}), 4, 15))::uuid`;

const nameOf = (i: string) => `(
  (array['Aisha','Ben','Carla','Dan','Ewa','Farid','Grace','Hana','Ian','Joanna','Kofi','Lena','Marta','Nikhil','Olga','Piotr',
    'Ravi','Sara','Tom','Zofia'])[1 + (${i}) % 20] || ' '
  || initcap((array['bar','chel','dor','fen','gold','hart','kings','lang','mor','north','old','pem','red','sand','thorn','ware'])[1 + (${i}) / 20 % 16])
  || (array['ber','by','den','field','ford','ham','ley','man','mont','son','stone','ton','well','wick','wood','worth'])[1 + (${i}) / 320 % 16])`;

const phoneOf = (i: string) => `('+44 7' || lpad(((${i}) % 1000000000)::text, 9, '0'))`;

const people = `
insert into users (id, name, email, phone, role, password_hash, addresses, created_at)
select ${idAt('at', "'user' || c")}, ${nameOf('c')}, 'customer' || c || '@example.com', ${phoneOf('c * 7919')}, 'customer', null, '[]', at
from generate_series(0, $1::int - 1) as c,
  lateral (select $3::date - $2::int + 1 + (c::float * $2 / $1) * interval '1 day' as at) as t`;

const keySet = `
insert into payment_key_sets (id, provider, source, mode, key_hint, key_hash, created_at, replaced_at, ended_at)
values ('ks_bench', 'stripe', 'typed', 'test', 'abcd', '\\x00', now(), now(), now())`;

const payouts = `
insert into payment_payouts (id, key_set, amount, currency, status, is_automatic, arrives_on, created_at, seen_at, synced_at)
select 'po_' || day, 'ks_bench', 100000, 'GBP', 'paid', true, day::date + 2, day, day, day
from generate_series($2::date - $1::int + 1, $2::date, interval '1 day') as day`;

const orders = `
insert into orders (id, store_id, trading_day, number, version, channel, customer_id, session_hash, request_hash, status,
  payment_status, payment_method, fulfilment_type, contact, address, promised_at, note, allergy_note, lines, subtotal,
  discounts, fees, tip, total, vat, refunded, reject_reason, followed_up, created_at, placed_at, accepted_at, packed_at,
  completed_at, closed_at, locale, forgotten_at)
select ${idAt('at', "'order' || i")}, $1::uuid, at::date, nth, case when is_sold then 5 else 2 end,
  (array['web', 'web', 'app', 'phone', 'counter'])[1 + i % 5],
  case when i % 5 < 2 then (select id from users where lower(email) = 'customer' || c || '@example.com') end,
  ${sessionHashOf}, decode(md5('request' || i), 'hex'),
  status, case when not is_sold then case when is_card then 'voided' else 'unpaid' end when i % 97 = 0 then 'refunded' else 'paid' end,
  case when is_card then 'card' else 'cash' end, case when is_delivery then 'delivery' else 'collection' end,
  case when is_forgotten then jsonb_build_object('name', '', 'phone', '', 'email', '')
    else jsonb_build_object('name', ${nameOf('c')}, 'phone', ${phoneOf('c * 7919')}, 'email', '') end,
  case when is_delivery and not is_forgotten then jsonb_build_object('line1', c % 90 || ' High Street', 'line2', '', 'city', 'Rugby', 'postcode', 'CV21 1AA', 'instructions', '') end,
  at + interval '40 minutes', case when i % 9 = 0 and not is_forgotten then 'Ring the upper bell' else '' end, '',
  lines, subtotal, '[]', case when is_delivery then '[{"code":"delivery","amount":250,"vat_rate":2000}]' else '[]' end::jsonb, tip, total,
  jsonb_build_array(jsonb_build_object('rate', 2000, 'net', (total - tip) - (total - tip) / 6, 'vat', (total - tip) / 6)),
  case when is_sold and i % 97 = 0 then total else 0 end,
  case when status = 'rejected' then case when i % 3 = 0 then 'not_answered' else 'too_busy' end end,
  case when status = 'rejected' and i % 3 = 0 then 'rung' end,
  at, at, case when is_sold then at + interval '2 minutes' end, case when is_sold then at + interval '25 minutes' end,
  case when is_sold then at + make_interval(mins => 30 + i % 17) end, case when not is_sold then at + interval '8 minutes' end, 'en', case when is_forgotten then at + interval '90 days' end
from generate_series($5::int, $6::int) as i,
  lateral (select (i::bigint * $3::int / $2::int)::int as day, ($2::float / $3) as per_day) as d,
  lateral (select $4::date - $3::int + 1 + day + interval '12 hours'
      + ((i - ceil(day * per_day)) / per_day) * interval '10 hours' as at,
    (i - ceil(day * per_day))::int + 1 as nth,
    (i::bigint * 7919) % greatest($2 / 10, 1) as c, i % 100 >= 7 as is_sold, i % 20 < 11 as is_card, i % 2 = 0 as is_delivery,
    case when i % 100 < 3 then 'rejected' when i % 100 < 5 then 'cancelled' when i % 100 < 7 then 'expired'
      when i % 2 = 0 then 'delivered' else 'collected' end as status,
    case when i % 7 = 0 then 100 else 0 end as tip,
    i % 5 >= 2 and day < $3::int - 91 as is_forgotten) as o,
  lateral (select jsonb_agg(jsonb_build_object(
      'id', ${idOf("'line' || i || n")}, 'item_id', ${idOf("'item' || (i * 31 + n * 17) % 60")},
      'name', 'Dish ' || (i * 31 + n * 17) % 60, 'kitchen_name', null, 'quantity', 1 + n % 2,
      'unit_price', 450 + ((i * 31 + n * 17) % 60) * 10, 'options', '[]'::jsonb, 'note', '', 'vat_rate', 2000,
      'allergens', '{"contains":["gluten"],"may_contain":[]}'::jsonb,
      'total', (450 + ((i * 31 + n * 17) % 60) * 10) * (1 + n % 2))) as lines,
    sum((450 + ((i * 31 + n * 17) % 60) * 10) * (1 + n % 2))::int as subtotal
    from generate_series(1, 1 + i % 4) as n) as l,
  lateral (select subtotal + tip + case when is_delivery then 250 else 0 end as total) as s`;

/** The orders of this part, found again by their sessions. */
const part = `(
  select o.*, i from generate_series($2::int, $3::int) as i join orders o on o.session_hash = ${sessionHashOf}
  where o.store_id = $1::uuid)`;

const history = `
insert into order_history (order_id, version, from_status, to_status, actor, reason, at)
select o.id, h.version, h.from_status, h.to_status, h.actor, h.reason, h.at from ${part} as o,
  lateral (values
    (1, null, 'placed', 'Customer', null, o.created_at),
    (2, 'placed', case when o.completed_at is null then o.status else 'accepted' end, 'Sam', case o.status when 'cancelled' then 'Rang to cancel' else o.reject_reason end,
      coalesce(o.accepted_at, o.closed_at)),
    (3, 'accepted', 'packed', 'Sam', null, o.packed_at),
    (4, 'packed', o.status, 'Sam', null, o.completed_at)) as h (version, from_status, to_status, actor, reason, at)
where h.at is not null`;

const payments = `
insert into payments (id, order_id, provider, status, amount, currency, reference, created_at, updated_at, key_set, captured)
select ${idOf("'payment' || i")}, o.id, 'stripe', case o.payment_status when 'refunded' then 'refunded' when 'paid' then 'captured' else 'cancelled' end,
  o.total, 'GBP', 'cs_' || i, o.created_at, o.created_at, 'ks_bench', case when o.payment_status in ('paid', 'refunded') then o.total end
from ${part} as o where o.payment_method = 'card'`;

const entries = `
insert into payment_bank_entries (id, key_set, payment_id, order_id, source, kind, amount, fee, net, currency, created_at, available_on, payout_id)
select 'txn_' || i, 'ks_bench', ${idOf("'payment' || i")}, o.id, 'ch_' || i, 'charge', o.total, o.total / 60, o.total - o.total / 60, 'GBP',
  o.created_at, o.trading_day + 2, 'po_' || o.trading_day::timestamptz
from ${part} as o where o.payment_method = 'card' and o.payment_status in ('paid', 'refunded')`;

const refunds = `
with requests as (
  insert into refund_requests (id, store_id, order_id, payment_id, key, kind, amount, currency, tip, vat, lines, reason, actor, trading_day, created_at)
  select ${idOf("'refund' || i")}, o.store_id, o.id, (select id from payments where order_id = o.id), ${idOf("'key' || i")}, 'asked',
    o.total, 'GBP', o.tip, o.vat, '[]', 'Cold', 'Sam', o.trading_day + 1, o.created_at + interval '1 day'
  from ${part} as o where o.payment_status = 'refunded' returning *)
insert into refund_attempts (request_id, number, payment_id, key, amount, tip, vat, lines, status, made_at)
select id, 1, payment_id, 'refund:' || id || ':1', amount, tip, vat, lines, 'made', created_at from requests`;

const audit = `
insert into audit_log (id, at, actor, role, store_id, action, subject_id, detail, request_id)
select ${idAt('a.at', "'audit' || i || a.action")}, a.at, (array['Sam', 'Kim', 'Lou', 'Max', 'Ola', 'Pat', 'Uma'])[1 + i % 7], 'store_admin', o.store_id, a.action, o.id, a.detail, 'req-' || i
from ${part} as o,
  lateral (values
    (o.accepted_at, 'POST /v1/orders/{id}/accept', '{"minutes":25}'::jsonb),
    (o.packed_at, 'POST /v1/orders/{id}/packed', null),
    (o.completed_at, 'POST /v1/orders/{id}/' || case o.status when 'delivered' then 'delivered-to-customer' else 'collected-by-customer' end, null),
    (case o.status when 'cancelled' then o.closed_at end, 'POST /v1/orders/{id}/cancel', '{"reason":"Rang to cancel"}'::jsonb),
    (case when i % 2000 = 0 then o.created_at end, 'PATCH /v1/items/{id}', jsonb_build_object('name', 'Dish ' || i, 'price', 900))) as a (at, action, detail)
where a.at is not null`;

const numbers = `
insert into order_numbers (store_id, trading_day, last_number)
select store_id, trading_day, max(number) from orders where store_id = $1::uuid group by store_id, trading_day
on conflict (store_id, trading_day) do update set last_number = excluded.last_number`;

const prints = `
insert into prints (id, store_id, order_id, copy, status, due_at, created_at, printed_at, ended_at)
select ${idAt('created_at', "'print' || id")}, store_id, id, 'kitchen', 'printed', created_at, created_at, created_at, created_at
from orders where accepted_at is not null`;

const events = `
insert into payment_events (provider, id, received_at, key_set, type, payment_id, handled_at, outcome)
select 'stripe', 'evt_' || id, created_at, key_set, 'payment_intent.succeeded', id, created_at, 'done'
from payments`;

const movements = `
insert into payment_movements (id, order_id, payment_id, kind, amount, currency, at)
select ${idOf("'movement' || id")}, order_id, id, 'captured', amount, currency, created_at
from payments where captured is not null`;

const mailsOwed = `
insert into order_mails (order_id, kind, owed_at, mail_id, ended_at)
select id, 'placed', created_at, ${idOf("'mail' || id")}, created_at from orders`;
