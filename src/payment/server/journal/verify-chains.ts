import { verifyChain } from '#database/journal/chain.ts';
import type { Db } from '#database/schema.ts';
import type { JournalCheck } from '#payment/journal.ts';
import { chains } from '#payment/server/journal/chains.ts';

/** Works out every hash of both journals again. */
export function verifyChains(db: Db, now: Date): Promise<JournalCheck[]> {
  return Promise.all(chains.map((chain) => verifyChain(db, chain, now)));
}
