import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#database/schema.ts';
import type { JournalName } from '#payment/journal.ts';

/** An entry as it is chained: what never changes of it, its key first. */
export type Entry = Record<string, string | number | Date | null>;

export interface Place {
  position: number;
  hash: Buffer;
}

/** A journal whose entries get a place and a hash after they are committed. */
export interface Chain {
  name: JournalName;
  last(db: Db): Promise<Place | null>;
  /** Those without a place, in the order in which they get one. */
  unchained(db: Db, limit: number): Promise<Entry[]>;
  place(tx: Tx, entries: readonly (Place & { entry: Entry })[]): Promise<void>;
  /** Those after a position, in order. */
  after(db: Db, position: number, limit: number): Promise<(Place & { entry: Entry })[]>;
  /** The name of an entry, for people. */
  nameOf(entry: Entry): string;
}

/** SHA-256 of the hash before and the entry as a JSON array, times in ISO 8601. */
export function hashOf(before: Buffer | null, entry: Entry): Buffer {
  const text = JSON.stringify(Object.values(entry));
  return createHash('sha256')
    .update(before ?? Buffer.alloc(0))
    .update(text)
    .digest();
}

export const chains: readonly Chain[] = [
  chainOf({
    name: 'events',
    table: sql.table('payment_events'),
    keys: ['provider', 'id'],
    keyTypes: sql`provider text, id text`,
    others: 'key_set type object account mode amount currency at payment_id reference received_at'.split(' '),
    order: ['received_at', 'provider', 'id'],
  }),
  chainOf({
    name: 'movements',
    table: sql.table('payment_movements'),
    keys: ['id'],
    keyTypes: sql`id uuid`,
    others: ['order_id', 'payment_id', 'kind', 'amount', 'currency', 'object', 'at'],
    order: ['id'],
  }),
];

interface Table {
  name: JournalName;
  table: RawBuilder<unknown>;
  keys: readonly string[];
  keyTypes: RawBuilder<unknown>;
  others: readonly string[];
  order: readonly string[];
}

function chainOf({ name, table, keys, keyTypes, others, order }: Table): Chain {
  const refs = (columns: readonly string[], of?: string) =>
    sql.join(columns.map((column) => sql.ref(of ? `${of}.${column}` : column)));
  const fields = refs([...keys, ...others]);
  return {
    name,
    async last(db) {
      const { rows } = await sql<{ position: string; hash: Buffer }>`
        select position, hash from ${table} where position is not null order by position desc limit 1`.execute(db);
      return rows[0] ? { position: Number(rows[0].position), hash: rows[0].hash } : null;
    },
    async unchained(db, limit) {
      const { rows } = await sql<Entry>`
        select ${fields} from ${table} where position is null order by ${refs(order)} limit ${limit}`.execute(db);
      return rows;
    },
    async place(tx, entries) {
      const places = entries.map(({ entry, position, hash }) => ({
        ...Object.fromEntries(keys.map((key) => [key, entry[key]])),
        position,
        hash: hash.toString('hex'),
      }));
      await sql`
        update ${table} as entry set position = placed.position, hash = decode(placed.hash, 'hex')
        from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as placed (${keyTypes}, position bigint, hash text)
        where (${refs(keys, 'entry')}) = (${refs(keys, 'placed')}) and entry.position is null`.execute(tx);
    },
    async after(db, position, limit) {
      const { rows } = await sql<Entry & { position: string; hash: Buffer }>`
        select ${fields}, position, hash from ${table} where position > ${position}::bigint
        order by position limit ${limit}`.execute(db);
      return rows.map(({ position: at, hash, ...entry }) => ({ entry, position: Number(at), hash }));
    },
    nameOf: (entry) => keys.map((key) => String(entry[key])).join(' '),
  };
}
