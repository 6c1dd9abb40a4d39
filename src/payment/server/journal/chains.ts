import { randomUUIDv7 } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { type Chain, type HashedEntryFields, extendChain, verifyChain } from '#database/journal/chain.ts';
import type { JournalCheck, JournalName } from '#payment/journal.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db, Tx } from '#database/schema.ts';
import type { Movement } from '#payment/movements.ts';
import type { PaymentRow } from '#payment/server/owed-calls.ts';

export const journalChains: readonly Chain<JournalName>[] = [
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

function chainOf({ name, table, keys, keyTypes, others, order }: Table): Chain<JournalName> {
  const refs = (columns: readonly string[], of?: string) =>
    sql.join(columns.map((column) => sql.ref(of ? `${of}.${column}` : column)));
  const fields = refs([...keys, ...others]);
  const unchained: Chain['unchained'] = async (db, limit) => {
    const { rows } = await sql<HashedEntryFields>`
      select ${fields} from ${table} where position is null order by ${refs(order)} limit ${limit}`.execute(db);
    return rows;
  };
  return {
    name,
    start: async () => null,
    unchained,
    loose: unchained,
    async last(db) {
      const { rows } = await sql<{ position: string; hash: Buffer }>`
        select position, hash from ${table} where position is not null order by position desc limit 1`.execute(db);
      return rows[0] ? { position: Number(rows[0].position), hash: rows[0].hash } : null;
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
      const { rows } = await sql<HashedEntryFields & { position: string; hash: Buffer }>`
        select ${fields}, position, hash from ${table} where position > ${position}::bigint
        order by position limit ${limit}`.execute(db);
      return rows.map(({ position: at, hash, ...entry }) => ({ entry, position: Number(at), hash }));
    },
    nameOf: (entry) => keys.map((key) => String(entry[key])).join(' '),
  };
}

/** Due work that adds committed entries to the chains, on one instance at a time, soon after the commit. */
export function journalChainWork(db: Db): DueWork<boolean> {
  return {
    name: 'payment journals',
    due: () => sql<boolean>`
      exists (select from payment_events where position is null)
      or exists (select from payment_movements where position is null)`,
    work: () => extendChains(db),
  };
}

/** Adds committed entries to the chains and returns how many; 0 while another instance does the same. */
export async function extendChains(db: Db): Promise<number> {
  let count = 0;
  for (const chain of journalChains) count += await extendChain(db, chain);
  return count;
}

export function verifyChains(db: Db, now: Date): Promise<JournalCheck[]> {
  return Promise.all(journalChains.map((chain) => verifyChain(db, chain, now)));
}

export function readMovements(tx: Tx, paymentId: string): Promise<Movement[]> {
  return tx
    .selectFrom('payment_movements')
    .select(['kind', 'amount', 'object'])
    .where('payment_id', '=', paymentId)
    .execute();
}

/** Adds movements to the journal; no other code does. The movements are chained after the commit. */
export async function addMovements(
  tx: Tx,
  { id, order_id, currency }: Pick<PaymentRow, 'id' | 'order_id' | 'currency'>,
  movements: readonly Movement[],
  now: Date,
): Promise<void> {
  if (movements.length === 0) return;
  await tx
    .insertInto('payment_movements')
    .values(movements.map((moved) => ({ ...moved, id: randomUUIDv7(), order_id, payment_id: id, currency, at: now })))
    .execute();
}
