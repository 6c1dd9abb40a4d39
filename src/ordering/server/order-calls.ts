import { m } from '#messages';
import type { Db } from '#database/schema.ts';
import { loadOrders, presentOrder, type WholeOrder } from '#ordering/server/present-order.ts';
import type { Relation } from '#ordering/server/relation.ts';
import type { NamedCall } from '#ordering/server/repeated-call.ts';
import type { OrderParts } from '#ordering/server/services.ts';
import { AppError } from '#platform/errors.ts';
import type { Endpoint, EndpointKey } from '#platform/http/endpoint.ts';
import type { Call } from '#platform/http/serve.ts';

// The input that all calls about one order share, whichever domain answers them.

export type OrderCallInput<Connection = Db> = Pick<
  Call<EndpointKey, Endpoint, Connection>,
  'db' | 'viewer' | 'now' | 'secret' | 'afterCommit' | 'header' | 'body'
>;

/** Throws `not_found` for an unknown order. */
export async function readOrder(parts: OrderParts, db: Db, id: string): Promise<WholeOrder> {
  const [order] = await loadOrders(db, parts, [id]);
  if (!order) throw new AppError('not_found', m.ordering_not_found());
  return order;
}

/** The key by which a repeat of the call is recognised. */
export function namedCall({ viewer, body, header, now }: OrderCallInput, { row }: WholeOrder, name: string): NamedCall {
  return { orderId: row.id, viewer, name, body, key: header('idempotency-key'), now };
}

/** The order as its reader may see it. */
export function present(
  order: WholeOrder,
  { viewer, now }: Pick<OrderCallInput, 'viewer' | 'now'>,
  relation: Relation,
) {
  const role = relation === 'staff' ? viewer.role : 'customer';
  return presentOrder(order, role, now, { withSession: relation !== 'staff', readerId: viewer.id });
}

/** The refusal for a caller without a right to the order. */
export function refusalFor({ viewer }: Pick<OrderCallInput, 'viewer'>): AppError {
  return viewer.role === 'guest'
    ? new AppError('unauthenticated', 'Unauthenticated.')
    : new AppError('forbidden', m.platform_forbidden());
}
