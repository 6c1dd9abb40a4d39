import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { hashOf, type Chain } from '#database/journal/chain.ts';

const batch = 2_000;

/** Gives committed entries their place. Returns how many got one: none while another instance does the same. */
export async function extendChain(db: Db, chain: Chain): Promise<number> {
  for (let count = 0; ;) {
    const added = await extend(db, chain);
    count += added;
    if (added < batch) return count;
  }
}

/** A place is given after the commit, so no entry waits for another, and one that is rolled back leaves no gap. */
async function extend(db: Db, chain: Chain): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(${lockOf(chain)}) as is_mine`.execute(tx);
    if (!rows[0]?.is_mine) return 0;
    const entries = await chain.unchained(tx, batch);
    let last = await chain.last(tx);
    const places = entries.map((entry) => {
      last = { position: (last?.position ?? 0) + 1, hash: hashOf(last?.hash ?? null, entry) };
      return { entry, ...last };
    });
    if (places.length > 0) await chain.place(tx, places);
    return places.length;
  });
}

/**
 * The lock of the process that gives positions, or removes entries from the beginning. Earlier releases use the same
 * name.
 */
export function lockOf({ name }: Pick<Chain, 'name'>) {
  return sql`hashtextextended(${`payment journal ${name}`}, 0)`;
}
