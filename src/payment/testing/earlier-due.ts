import { sql } from 'kysely';
import { literals } from '#database/literals.ts';
import { takenPayments } from '#ordering/payment-status.ts';
import { moneyOrders } from '#ordering/server/order-views.ts';
import { takenStatuses } from '#payment/bank-rules.ts';
import { kindsBesideTotal } from '#payment/refund-rules.ts';

const besideTotal = literals(kindsBesideTotal);

/** A payment `p` with the sums of its order's refunds, of its movements and of its disputes. */
const withSums = sql`
  from payments p
  join ${moneyOrders} o on o.id = p.order_id
  cross join lateral (select coalesce(p.captured, p.amount) as paid,
    p.status in ('captured', 'refunded') and o.payment_method = 'card' and o.payment_status in (${literals(takenPayments)})
      and not exists (select from payments later where later.order_id = p.order_id and later.id > p.id) as is_own) own
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.payment_id = p.id and r.status = 'succeeded'), 0) as made,
      coalesce(sum(r.amount) filter (where r.payment_id = p.id and r.status = 'pending'), 0) as pending,
      coalesce(sum(r.amount) filter (
        where r.payment_id is null and (r.kind <> 'late_payment') = own.is_own), 0) as by_hand,
      coalesce(sum(r.amount) filter (where r.kind = 'line_removed'), 0) as removed,
      coalesce(sum(r.amount) filter (where r.kind not in (${besideTotal})), 0) as of_total
    from refunds r where r.order_id = p.order_id and r.status <> 'failed') back
  cross join lateral (
    select coalesce(sum(case v.kind when 'refunded' then v.amount when 'refund_failed' then -v.amount end), 0) as moved
    from payment_movements v where v.payment_id = p.id) journal
  cross join lateral (
    select coalesce(sum(d.amount), 0) as taken from payment_disputes d
    where d.payment_id = p.id and d.status in (${literals(takenStatuses)})) bank`;
/** The part of `p` that is neither back with the payer nor on its way. */
const left = sql`own.paid - greatest(back.made, journal.moved) - back.pending - back.by_hand - bank.taken`;

/**
 * The oracle of `dueOf`, written apart: the amount still due of a failed refund of the statement's `refunds`, minor units; 0 of
 * others. Where what is left is too little for all of a payment's failed refunds, the newest has it first.
 */
export const refundDue = sql<number>`case when refunds.status <> 'failed' then 0 else coalesce((
  select greatest(0, least(
    refunds.amount,
    room.payment
      - newer.late - least(newer.lines, greatest(room.lines, 0)) - least(newer.total, greatest(room.total, 0)),
    case
      when refunds.kind = 'late_payment' then refunds.amount
      when refunds.kind = 'line_removed' then room.lines - newer.lines
      else room.total - newer.total end))
  ${withSums}
  cross join lateral (
    select ${left} as payment,
      least(own.paid - back.removed - o.total, own.paid - back.of_total - back.removed) as lines,
      o.total - back.of_total as total) room
  cross join lateral (
    select coalesce(sum(f.amount) filter (where f.kind = 'late_payment'), 0) as late,
      coalesce(sum(f.amount) filter (where f.kind = 'line_removed'), 0) as lines,
      coalesce(sum(f.amount) filter (where f.kind not in (${besideTotal})), 0) as total
    from refunds f where f.payment_id = p.id and f.status = 'failed' and f.id > refunds.id) newer
  where p.id = refunds.payment_id), refunds.amount)::int end`;

/** The oracle of `balanceOf`: the same of the statement's `payments`. */
export const earlierLeft = sql<number>`(select (${left})::int ${withSums} where p.id = payments.id)`;
