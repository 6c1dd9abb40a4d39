import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { chains, hashOf, type Chain } from '#payment/server/journal/chains.ts';

const batch = 500;

/** Gives committed entries their place in the chains: one instance at a time, soon after the commit. */
export function chainWork(db: Db): DueWork<boolean> {
  return {
    name: 'payment journals',
    due: () => sql<boolean>`
      exists (select from payment_events where position is null)
      or exists (select from payment_movements where position is null)`,
    work: () => extendChains(db),
  };
}

/** Returns how many entries got their place: none while another instance does the same. */
export async function extendChains(db: Db): Promise<number> {
  let count = 0;
  for (const chain of chains) {
    let added: number;
    do {
      added = await extend(db, chain);
      count += added;
    } while (added === batch);
  }
  return count;
}

/** A place is given after the commit, so no entry waits for another, and one that is rolled back leaves no gap. */
async function extend(db: Db, chain: Chain): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`payment journal ${chain.name}`}, 0)) as is_mine`.execute(tx);
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
