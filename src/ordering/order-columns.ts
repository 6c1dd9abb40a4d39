import type { OrdersTable } from '#database/schema.ts';

/**
 * The readers of a column: everyone who knows the order's id (`all`), or only its customer and the store's staff
 * (`own`).
 */
type Reader = 'all' | 'own';

type OrderColumn = { readonly seenBy?: Reader } & (
  | {
      /**
       * The column's SQL type in the insert statement. The statement reads the values from JSON, in which bytes are hex
       * digits.
       */
      readonly type: ColumnType;
    }
  | { /** The database's default, which is the value in each new order. */ readonly first: unknown }
);
type ColumnType = 'uuid' | 'date' | 'text' | 'text[]' | 'int' | 'boolean' | 'jsonb' | 'timestamptz' | 'bytea';

/**
 * Each column of an order except its number. The code that inserts, presents and caches orders is derived from this
 * table. If a column is missing here, the types do not match.
 */
export const orderColumns = {
  id: { type: 'uuid', seenBy: 'all' },
  store_id: { type: 'uuid', seenBy: 'all' },
  trading_day: { type: 'date' },
  version: { first: 1, seenBy: 'all' },
  channel: { type: 'text', seenBy: 'own' },
  placed_by: { type: 'uuid', seenBy: 'own' },
  customer_id: { type: 'uuid' },
  session: { first: null },
  session_hash: { type: 'bytea' },
  session_sealed: { type: 'bytea' },
  request_hash: { type: 'bytea' },
  status: { type: 'text', seenBy: 'all' },
  payment_status: { type: 'text', seenBy: 'all' },
  payment_method: { type: 'text', seenBy: 'all' },
  paid_by: { first: null, seenBy: 'all' },
  fulfilment_type: { type: 'text', seenBy: 'all' },
  contact: { type: 'jsonb', seenBy: 'own' },
  address: { type: 'jsonb', seenBy: 'own' },
  requested_for: { type: 'timestamptz', seenBy: 'all' },
  promised_at: { type: 'timestamptz', seenBy: 'all' },
  prep_minutes: { type: 'int', seenBy: 'all' },
  slot_at: { type: 'timestamptz' },
  note: { type: 'text', seenBy: 'own' },
  allergy_note: { type: 'text', seenBy: 'own' },
  allergies: { type: 'text[]' },
  if_sold_out: { type: 'text', seenBy: 'own' },
  cutlery: { type: 'boolean', seenBy: 'own' },
  lines: { type: 'jsonb' },
  subtotal: { type: 'int', seenBy: 'all' },
  discounts: { type: 'jsonb', seenBy: 'all' },
  fees: { type: 'jsonb' },
  tip: { type: 'int', seenBy: 'all' },
  total: { type: 'int', seenBy: 'all' },
  vat: { type: 'jsonb', seenBy: 'all' },
  refunded: { first: 0, seenBy: 'all' },
  removed: { first: [] },
  removed_refunded: { first: 0, seenBy: 'all' },
  reject_reason: { first: null, seenBy: 'all' },
  followed_up: { first: null, seenBy: 'own' },
  created_at: { type: 'timestamptz', seenBy: 'all' },
  placed_at: { type: 'timestamptz', seenBy: 'all' },
  accepted_at: { first: null, seenBy: 'all' },
  packed_at: { first: null, seenBy: 'all' },
  left_at: { first: null, seenBy: 'all' },
  arrived_at: { first: null, seenBy: 'own' },
  rating_stars: { first: null },
  rating_text: { first: '' },
  rated_at: { first: null },
  completed_at: { first: null, seenBy: 'all' },
  closed_at: { first: null, seenBy: 'all' },
  answer_by: { type: 'timestamptz', seenBy: 'own' },
  expires_at: { type: 'timestamptz', seenBy: 'own' },
  locale: { type: 'text' },
  forgotten_at: { first: null },
} as const satisfies Record<Exclude<keyof OrdersTable, 'number'>, OrderColumn>;

type Columns = typeof orderColumns;
type With<T> = { [K in keyof Columns]: Columns[K] extends T ? K : never }[keyof Columns];
/** The columns that the insert statement of a new order sets. */
export type InsertedColumn = With<{ type: ColumnType }>;
export type JsonColumn = With<{ type: 'jsonb' }>;
export type ColumnVisibleTo<R extends Reader> = With<{ seenBy: R }>;

const entries = Object.entries<OrderColumn>(orderColumns);

export const insertedColumns = entries.flatMap(([name, column]) =>
  'type' in column ? [{ name, type: column.type }] : [],
);

/** The columns that the insert statement does not set, with the values that the database gives them. */
export const defaultColumnValues = Object.fromEntries(
  entries.flatMap(([name, column]) => ('first' in column ? [[name, column.first]] : [])),
);

/** Returns the columns that are marked for this reader, from an order's row or from an order of the API. */
export function pickColumnsVisibleTo<R extends Reader, O extends Record<ColumnVisibleTo<R>, unknown>>(
  order: O,
  reader: R,
): Pick<O, ColumnVisibleTo<R>> {
  const seen = entries.filter(([, { seenBy }]) => seenBy === reader).map(([name]) => name as ColumnVisibleTo<R>);
  return Object.fromEntries(seen.map((name) => [name, order[name]])) as Pick<O, ColumnVisibleTo<R>>;
}
