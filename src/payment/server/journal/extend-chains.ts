import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import { extendChain } from '#database/journal/chain.ts';
import type { Db } from '#database/schema.ts';
import { chains } from '#payment/server/journal/chains.ts';

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
  for (const chain of chains) count += await extendChain(db, chain);
  return count;
}
