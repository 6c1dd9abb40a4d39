import { sql, type Selectable } from 'kysely';
import { customerJsonSql } from '#accounts/server/users.ts';
import type { Db, OrderHistoryTable, OrdersTable, PaymentsTable } from '#database/schema.ts';
import { presentPrint } from '#ordering/server/present-print.ts';
import type { OrderRefundRow, OrderSqlParts } from '#ordering/server/services.ts';
import { isCalledOff } from '#ordering/order-status.ts';
import {
  type OrderCharge,
  mayPayOnline,
  sumOrderRefunds,
  type RefundOfOrder,
  sumFailedRefunds,
  sumRefundsForRemovedLines,
} from '#ordering/payment-status.ts';
import { withFeeNames } from '#ordering/fee-words.ts';
import { pickColumnsVisibleTo } from '#ordering/order-columns.ts';
import type { GuestOrder, HistoryEntry, OrderRefundSum, Order, Rating } from '#ordering/order.ts';
import type { Print } from '#ordering/print.ts';
import { historyNoteWords } from '#ordering/history-words.ts';
import { movesNoMoney, possibleOrderCalls } from '#ordering/next-status.ts';
import type { Actor } from '#ordering/status-row.ts';

export type OrderRow = Selectable<OrdersTable>;

export interface LoadedOrder {
  row: OrderRow;
  /** The order's session; null on an instance that lacks the key for it. */
  session: () => string | null;
  customer: { id: string; name: string; email: string; phone: string } | null;
  history: HistoryEntry[];
  prints: Print[];
  redirectUrl: string | null;
  /** Whether the payer's bank has not decided about the payment yet. */
  isProcessing: boolean;
  /** Whether the card payment moves no money. */
  isTest: boolean;
  /** When the hold on the order's card ends; null without a hold, or if its end is not known. */
  heldUntil: Date | null;
  /** The charge of the order's card; null if there is none. */
  charge: OrderCharge | null;
  /** The order's refunds; loaded only if lines were removed, the order was called off, or a refund failed. */
  refunds: readonly RefundOfOrder[];
}

export type GuestOrderParts = Pick<LoadedOrder, 'row' | 'charge' | 'refunds' | 'isProcessing'>;

/** Reads whole orders, in the order of `ids`; unknown ids are left out. */
export async function loadOrders(db: Db, parts: OrderSqlParts, ids: readonly string[]): Promise<LoadedOrder[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('orders')
    .selectAll()
    .select([
      sql<
        Selectable<OrderHistoryTable>[]
      >`(select coalesce(json_agg(h order by h.version), '[]') from order_history h where h.order_id = orders.id)`.as(
        'history',
      ),
      parts.prints.as('prints'),
      parts.latestPaymentSql.as('latest_payment'),
      parts.refunds.as('refunds'),
      customerJsonSql(sql.ref('orders.customer_id')).as('customer'),
    ])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const toldOf = await readFailed(db, parts, rows);
  return ids.flatMap((id) => {
    const found = byId.get(id);
    if (!found) return [];
    const { history, prints, latest_payment: payment, refunds, customer, ...row } = found;
    return [
      {
        row,
        session: () => parts.openSession(row),
        customer,
        history: history.map(presentHistory),
        prints: prints.map(presentPrint),
        isProcessing: payment?.status === 'pending' && payment.is_processing,
        isTest: movesNoMoney(row, payment),
        redirectUrl: mayPayOnline(row) && payment?.status === 'pending' ? payment.redirect_url : null,
        // `row_to_json` writes times as text.
        heldUntil: payment?.status === 'authorised' && payment.held_until ? new Date(payment.held_until) : null,
        charge: chargeOf(payment),
        refunds: [...refunds.flatMap(toldOf), ...excessOfCapture(payment, row)],
      },
    ];
  });
}

/**
 * Returns a function that prepares a refund for presentation. A failed refund is reduced to the part that is still due,
 * or dropped if none is.
 */
async function readFailed(db: Db, parts: OrderSqlParts, rows: readonly { refunds: readonly OrderRefundRow[] }[]) {
  const hasFailed = ({ status, kind }: OrderRefundRow) => status === 'failed' && kind !== 'bank';
  const ids = rows.flatMap(({ refunds }) => refunds.filter(hasFailed).flatMap(({ id }) => id ?? []));
  const known = ids.length === 0 ? new Map<string, never>() : await parts.failedRefunds(db, ids);
  return (found: OrderRefundRow): RefundOfOrder[] => {
    const { id, ...refund } = found;
    if (!hasFailed(found)) return [refund];
    const told = id === null ? undefined : known.get(id);
    return told ? [{ ...refund, ...told }] : [];
  };
}

/** The guest's view, for readers who know only the order's id: without name, address and notes. */
export function presentGuestOrder({ row, charge, refunds, isProcessing }: GuestOrderParts): GuestOrder {
  return {
    ...sent(pickColumnsVisibleTo(row, 'all')),
    number: String(row.number),
    lines: row.lines.map(({ note: _note, allergen_conflicts: _conflicts, done_at: _doneAt, ...line }) => line),
    fees: withFeeNames(row.fees),
    removed: row.removed.map(({ reason: _reason, actor: _actor, ...removed }) => removed),
    removed_refunds: sumRefundsForRemovedLines(refunds, row.removed_refunded),
    money_back: moneyBackOf(row, refunds, charge),
    payment_processing: isProcessing,
  };
}

function moneyBackOf(
  { status, payment_method }: Pick<OrderRow, 'status' | 'payment_method'>,
  refunds: readonly RefundOfOrder[],
  charge: OrderCharge | null,
): OrderRefundSum[] {
  if (!isCalledOff(status)) return sumFailedRefunds(refunds);
  return payment_method === 'card' ? sumOrderRefunds(refunds, charge) : [];
}

export interface OrderViewOptions {
  /** Whether to include the session, a bearer secret. Only the person who placed the order gets it. */
  withSession: boolean;
  /** The reader's account; null for a reader by session, who does not learn which account has the order. */
  readerId: string | null;
}

export function presentOrder(order: LoadedOrder, role: Actor, now: Date, view: OrderViewOptions): Order {
  const { row } = order;
  const session = view.withSession ? order.session() : null;
  const isOwn = view.readerId !== null && view.readerId === row.customer_id;
  return {
    ...presentGuestOrder(order),
    ...sent(pickColumnsVisibleTo(row, 'own')),
    ...(session !== null && { session }),
    customer: role !== 'customer' || isOwn ? order.customer : null,
    has_account: row.customer_id !== null,
    // The cast is safe: the column contains only codes of the contract.
    allergies: row.allergies as Order['allergies'],
    rating: role === 'customer' || role === 'admin' ? presentRating(row) : null,
    lines: row.lines.map((line) => ({ allergen_conflicts: [], done_at: null, ...line })),
    removed: row.removed,
    payment: {
      method: row.payment_method,
      status: row.payment_status,
      redirect_url: order.redirectUrl,
      held_until: iso(order.heldUntil),
      is_test: order.isTest,
    },
    history: order.history,
    prints: order.prints,
    actions: possibleOrderCalls({ ...row, history: order.history, heldUntil: order.heldUntil }, role, now),
  };
}

export function presentRating({
  rating_stars: stars,
  rating_text: text,
  rated_at: at,
}: Pick<OrderRow, 'rating_stars' | 'rating_text' | 'rated_at'>): Rating | null {
  return stars === null || at === null ? null : { stars, text, at: at.toISOString() };
}

function chargeOf(payment: Selectable<PaymentsTable> | null): OrderCharge | null {
  if (payment?.status !== 'captured' && payment?.status !== 'refunded') return null;
  return {
    amount: payment.captured ?? payment.amount,
    isReleaseOwed: payment.owed === 'release',
    isRefunded: payment.status === 'refunded',
  };
}

/**
 * The minor units by which a capture exceeds the total, because lines were removed after the capture's amount was
 * decided. The excess counts as a refund that is made once the capture has succeeded.
 */
function excessOfCapture(
  payment: Selectable<PaymentsTable> | null,
  { total }: Pick<OrderRow, 'total'>,
): RefundOfOrder[] {
  if (payment?.status !== 'authorised' || payment.owed !== 'capture') return [];
  const amount = (payment.capture_amount ?? 0) - total;
  return amount > 0 ? [{ kind: 'removed', amount, status: 'pending', is_by_hand: false, problem: null }] : [];
}

function presentHistory(row: Selectable<OrderHistoryTable>): HistoryEntry {
  return {
    from: row.from_status,
    to: row.to_status,
    actor: row.actor,
    reason: row.note ? historyNoteWords(row.note) : row.reason,
    ...(row.note && { note: row.note }),
    // `json_agg` writes times as text.
    ...(row.promised_at && { promised_at: new Date(row.promised_at).toISOString() }),
    at: new Date(row.at).toISOString(),
  };
}

type Sent<T> = T extends Date ? string : T;

/** Converts the columns to their JSON types: dates become ISO 8601 text. */
function sent<T extends object>(columns: T): { [K in keyof T]: Sent<T[K]> } {
  const values = Object.entries(columns).map(([name, value]) => [name, value instanceof Date ? iso(value) : value]);
  return Object.fromEntries(values) as { [K in keyof T]: Sent<T[K]> };
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
