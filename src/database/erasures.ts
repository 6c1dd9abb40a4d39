import { sql } from 'kysely';
import type pg from 'pg';
import type { ErasureKind } from '#database/column-values.ts';
import type { Db, Tx } from '#database/schema.ts';

/** The erasure of a person or an order, by id only. */
export interface Erasure {
  kind: ErasureKind;
  subject: string;
  /** In ISO 8601. */
  erased_at: string;
}

/** Records an erasure, so that a shop restored from an earlier backup can repeat it. */
export async function recordErasure(tx: Tx, kind: ErasureKind, subject: string): Promise<void> {
  await tx
    .insertInto('erasures')
    .values({ kind, subject })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds the erasures that this restored database lacks, and makes them due. Returns the number of added erasures. */
export async function scheduleErasures(tx: Tx, erasures: readonly Erasure[], now: Date): Promise<number> {
  if (erasures.length === 0) return 0;
  const { numInsertedOrUpdatedRows: made } = await tx
    .insertInto('erasures')
    .columns(['kind', 'subject', 'erased_at', 'due_at'])
    .expression(
      sql`select kind, subject, erased_at, ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(erasures)}::jsonb) as e (kind text, subject uuid, erased_at timestamptz)`,
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Number(made ?? 0);
}

/** The ids of orders whose guest an owner erased. */
export const erasedOrdersSql = sql<string>`(select subject from erasures where kind = 'order')`;

export const anyErasureDueSql = (now: Date) => sql<boolean>`exists (select from erasures where due_at <= ${now})`;

/** Locks and returns the next due erasure. An erasure that another instance has locked is skipped. */
export function lockDueErasure(tx: Tx, now: Date) {
  return tx
    .selectFrom('erasures')
    .select(['number', 'kind', 'subject'])
    .where('due_at', '<=', now)
    .orderBy('number')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Sets when an erasure is repeated; null: it has been repeated. */
export async function setErasureDue(db: Db, number: string, at: Date | null): Promise<void> {
  await db.updateTable('erasures').set({ due_at: at }).where('number', '=', number).execute();
}

export const newestErasureNumberSql = sql<string>`(select coalesce(max(number), 0) from erasures)`;

export async function listErasures(db: Db): Promise<NumberedErasure[]> {
  const rows = await db
    .selectFrom('erasures')
    .select(['number', 'kind', 'subject', 'erased_at'])
    .orderBy('number')
    .execute();
  return rows.map(asErasure);
}

/**
 * Lists all erasures, oldest first, through a client of the driver instead of Kysely. A database of an earlier version
 * may lack the table; then the list is empty.
 */
export async function listErasuresWithPgClient(client: pg.ClientBase): Promise<NumberedErasure[]> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    `select to_regclass('erasures') is not null as is_there`,
  );
  if (!found[0]?.is_there) return [];
  const { rows } = await client.query<Parameters<typeof asErasure>[0]>(
    'select number, kind, subject, erased_at from erasures order by number',
  );
  return rows.map(asErasure);
}

export type NumberedErasure = Erasure & { number: string };

function asErasure({ erased_at: at, ...erasure }: Omit<NumberedErasure, 'erased_at'> & { erased_at: Date }) {
  return { ...erasure, erased_at: at.toISOString() };
}
