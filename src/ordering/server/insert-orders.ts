import { sql, type Kysely, type Insertable } from 'kysely';
import { literals } from '#database/literals.ts';
import { prepared } from '#database/prepared-pool.ts';
import { heldUsers } from '#accounts/server/users.ts';
import type { OrdersTable, Schema } from '#database/schema.ts';
import { ofStore } from '#ordering/channels.ts';
import { statuses, unansweredStatuses } from '#ordering/order-status.ts';
import { type LimitedBy, refusedOrders, type TooManyOrders } from '#ordering/server/count-orders.ts';
import { channelOf, countUp, addEntries } from '#realtime/server/outbox-statements.ts';
import { heldStores } from '#store/server/store-views.ts';

/** A priced order before it is in the database: without a number. */
export interface NewOrder extends Omit<Insertable<OrdersTable>, 'number' | 'version' | JsonColumn> {
  contact: unknown;
  address: unknown;
  lines: unknown;
  discounts: unknown;
  fees: unknown;
  vat: unknown;
  prep_minutes: number;
  locale: string;
  /** The store's version that priced it. The order is not written if the store has a newer version. */
  store_version: number;
  actor: string;
  actor_id: string | null;
  /** The keys by which the order is limited; null for orders of staff, which have no limit. */
  limited: LimitedBy | null;
}

type JsonColumn = 'contact' | 'address' | 'lines' | 'discounts' | 'fees' | 'vat';

export interface InsertedOrder {
  id: string;
  number: number;
}

const mailsByStatus = sql.join(
  Object.entries(statuses).flatMap(([status, { mail }]) => (mail ? [sql`(${literals([status, mail])})`] : [])),
);

/** Bytes as hex digits. */
function rowOf(
  { request_hash: hash, session_hash: sessionHash, session_sealed: sealed, ...order }: NewOrder,
  ordinal: number,
) {
  return {
    ...order,
    ordinal,
    request_hash: hash.toString('hex'),
    session_hash: sessionHash.toString('hex'),
    session_sealed: sealed?.toString('hex') ?? null,
  };
}

/**
 * Writes orders with their number, first history row, sequence and event, all in one statement: one round trip
 * and one commit for a whole batch. Missing in the answer: an order whose session exists, whose store changed or was
 * deleted, or whose account was deleted.
 */
export async function insertOrders(
  db: Kysely<Schema>,
  orders: readonly NewOrder[],
): Promise<((InsertedOrder & { too_many: null }) | (TooManyOrders & { id: string }))[]> {
  const { rows } = await sql<(InsertedOrder & { too_many: null }) | (TooManyOrders & { id: string })>`${prepared}
with input as (
  select x.*, x.ordinal as place from jsonb_to_recordset(${JSON.stringify(orders.map(rowOf))}::jsonb) as x(
    ordinal int, store_version int, actor text, actor_id uuid,
    id uuid, store_id uuid, trading_day date, channel text, placed_by uuid, customer_id uuid, session_hash text, session_sealed text, request_hash text,
    status text, payment_status text, payment_method text, fulfilment_type text, contact jsonb, address jsonb,
    requested_for timestamptz, promised_at timestamptz, prep_minutes int, slot_at timestamptz, note text, allergy_note text, allergies text[], lines jsonb,
    subtotal int, discounts jsonb, fees jsonb, tip int, total int, vat jsonb,
    created_at timestamptz, placed_at timestamptz, answer_by timestamptz, expires_at timestamptz, locale text, limited jsonb)
), placers as (
  -- Held until the order is in, so that nobody's account goes in between.
  ${heldUsers(sql`select placed_by from input`)}
), held as (
  -- So is the store: its deletion waits for the order, or the order finds another version of it.
  ${heldStores(sql`select store_id from input`)}
), unknown as (
  select input.*, limited->>'network' as network, (limited->>'customer')::uuid as limited_customer,
    limited->>'phone' as limited_phone
  from input join held on held.id = input.store_id and held.version = input.store_version
  where not exists (select 1 from orders where orders.session_hash = decode(input.session_hash, 'hex'))
    and (input.placed_by is null or input.placed_by in (select id from placers))
), ${refusedOrders}, fresh as (
  select u.*, row_number() over (partition by store_id, trading_day order by ordinal) as nth
  from unknown u where not exists (select 1 from refused where refused.id = u.id)
), counter as (
  insert into order_numbers as n (store_id, trading_day, last_number)
  select store_id, trading_day, count(*) from fresh group by store_id, trading_day order by store_id, trading_day
  on conflict (store_id, trading_day) do update set last_number = n.last_number + excluded.last_number
  returning store_id, trading_day, last_number
), sized as (
  select store_id, trading_day, count(*) as size from fresh group by store_id, trading_day
), inserted as (
  insert into orders (id, store_id, trading_day, number, channel, placed_by, customer_id, session_hash, session_sealed, request_hash, status,
    payment_status, payment_method, fulfilment_type, contact, address, requested_for, promised_at, prep_minutes, slot_at, note,
    allergy_note, allergies, lines, subtotal, discounts, fees, tip, total, vat, created_at, placed_at, answer_by, expires_at,
    locale)
  select f.id, f.store_id, f.trading_day, c.last_number - s.size + f.nth, f.channel, f.placed_by, f.customer_id, decode(f.session_hash, 'hex'),
    decode(f.session_sealed, 'hex'), decode(f.request_hash, 'hex'), f.status, f.payment_status, f.payment_method, f.fulfilment_type, f.contact,
    nullif(f.address, 'null'::jsonb), f.requested_for, f.promised_at, f.prep_minutes, f.slot_at, f.note, f.allergy_note, f.allergies, f.lines,
    f.subtotal, f.discounts, f.fees, f.tip, f.total, f.vat, f.created_at, f.placed_at, f.answer_by, f.expires_at,
    f.locale
  from fresh f join counter c using (store_id, trading_day) join sized s using (store_id, trading_day)
  on conflict (session_hash) do nothing
  returning id, number
), origins as (
  insert into order_origins (order_id, store_id, network, placed_at)
  select id, store_id, network, created_at from inserted join fresh using (id) where network is not null
), history as (
  insert into order_history (order_id, version, from_status, to_status, actor, actor_id, at)
  select input.id, 1, null, input.status, input.actor, input.actor_id, input.created_at from inserted join input using (id)
), mails as (
  -- As oweMail does.
  insert into order_mails (order_id, kind, owed_at)
  select id, told.kind, placed_at from inserted join input using (id) join (values ${mailsByStatus}) told (status, kind)
    on told.status = input.status
  where input.contact->>'email' <> '' or input.customer_id is not null
), placed as (
  select input.id, input.store_id, row_number() over (partition by input.store_id order by input.ordinal) as nth
  from inserted join input using (id) where input.status in (${literals(unansweredStatuses)})
), sequences as (
  ${countUp(sql`select ${channelOf(ofStore, sql`store_id`)}, count(*) from placed group by store_id order by store_id`)}
), owed as (
  ${addEntries(sql`
    select 'order', 'order.placed', p.store_id, p.id,
      q.sequence - (select count(*) from placed same where same.store_id = p.store_id) + p.nth
    from placed p join sequences q on q.channel = ${channelOf(ofStore, sql`p.store_id`)}`)}
)
select id, number, null as too_many, null::timestamptz as until from inserted
union all select id, null, too_many, until from refused`.execute(db);
  return rows;
}
