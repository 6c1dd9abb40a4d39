import type { Books } from '../world.ts';
import { invalid } from './failure.ts';
import type { Right } from './keys.ts';
import { newestFirst, pageOf } from './lists.ts';

type Json = Record<string, unknown>;

/** The fields that hold an id and can hold the object: which object, by the object that has them. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'checkout.session': { customer: 'customer', payment_intent: 'payment_intent' },
  payment_intent: { customer: 'customer', latest_charge: 'charge', payment_method: 'payment_method' },
  charge: {
    balance_transaction: 'balance_transaction',
    customer: 'customer',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
  },
  refund: {
    balance_transaction: 'balance_transaction',
    charge: 'charge',
    customer: 'customer',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
    payment_method: 'payment_method',
  },
  balance_transaction: { source: 'source' },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  payout: { balance_transaction: 'balance_transaction' },
  payment_method: { customer: 'customer' },
};

/** The right to read what is put in the place of an id. */
const rights: Readonly<Record<string, Right>> = {
  balance_transaction: 'balance_transaction_source_read',
  charge: 'charge_read',
  customer: 'customer_read',
  payment_intent: 'payment_intent_read',
  payment_method: 'payment_method_read',
  source: 'balance_transaction_source_read',
};

const deepest = 4;

/** Puts objects in the place of their ids, as `expand[]` asks: `payment_intent.latest_charge`, `data.source`. */
export function expand(books: Books, answer: object, paths: readonly string[], check: (right: Right) => void): object {
  const expanded = structuredClone(answer) as Json;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > deepest) {
      throw invalid(`You cannot expand more than ${deepest} levels of a property: ${path}.`, { param: 'expand' });
    }
    expandPath(books, expanded, parts, path, check);
  }
  return expanded;
}

function expandPath(
  books: Books,
  object: Json,
  [first = '', ...rest]: readonly string[],
  path: string,
  check: (right: Right) => void,
): void {
  if (object.object === 'list') {
    if (first !== 'data') throw cannot(path);
    for (const row of object.data as Json[]) expandPath(books, row, rest, path, check);
    return;
  }
  if (includeList(books, object, first)) {
    if (rest.length > 0) expandPath(books, object[first] as Json, rest, path, check);
    return;
  }
  if (isCouponOf(object, first)) {
    expandDiscounts(books, object);
    return;
  }
  const target = fields[String(object.object)]?.[first];
  if (!target) throw cannot(path);
  check(rights[target] ?? 'charge_read');
  const held = object[first];
  if (typeof held === 'string') object[first] = find(books, target, held);
  if (rest.length > 0 && typeof object[first] === 'object' && object[first] !== null) {
    expandPath(books, object[first] as Json, rest, path, check);
  }
}

/** The lists that are left out unless they are asked for. */
function includeList(books: Books, object: Json, field: string): boolean {
  if (object.object === 'checkout.session' && field === 'line_items') {
    const lines = books.sessions.get(String(object.id))?.lines ?? [];
    object[field] ??= pageOf(lines, `/v1/checkout/sessions/${String(object.id)}/line_items`, {});
    return true;
  }
  if (object.object === 'charge' && field === 'refunds') {
    const refunds = newestFirst(books.tables.refund).filter((refund) => refund.charge === object.id);
    object[field] ??= pageOf(refunds, `/v1/charges/${String(object.id)}/refunds`, {});
    return true;
  }
  return false;
}

function isCouponOf(object: Json, field: string): boolean {
  return object.object === 'checkout.session' && field === 'discounts';
}

function expandDiscounts(books: Books, session: Json): void {
  for (const discount of (session.discounts ?? []) as Json[]) {
    if (typeof discount.coupon === 'string') discount.coupon = find(books, 'coupon', discount.coupon);
  }
}

function find(books: Books, target: string, id: string): unknown {
  const tables: Record<string, Map<string, object>> = { ...books.tables };
  const places = target === 'source' ? ['charge', 'refund', 'payout', 'dispute'] : [target];
  const found = places.map((place) => tables[place]?.get(id)).find((object) => object);
  if (found) return structuredClone(found);
  return target === 'customer' ? { id, object: 'customer', deleted: true } : id;
}

function cannot(path: string): Error {
  return invalid(
    `This property cannot be expanded (${path}). You may want to try expanding a different property, see https://stripe.com/docs/api/expanding_objects.`,
    { param: 'expand' },
  );
}
