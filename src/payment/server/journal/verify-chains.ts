import type { Db } from '#database/schema.ts';
import type { JournalCheck, JournalFault } from '#payment/journal.ts';
import { chains, hashOf, type Chain } from '#payment/server/journal/chains.ts';

const batch = 2_000;
const mostFaults = 100;
/** Milliseconds within which an entry gets its place, however busy the shop is. */
const chainedWithin = 10 * 60_000;

/** Works out every hash of both journals again. Reads in batches, so that a long journal delays nothing else. */
export function verifyChains(db: Db, now: Date): Promise<JournalCheck[]> {
  return Promise.all(chains.map((chain) => verify(db, chain, now)));
}

async function verify(db: Db, chain: Chain, now: Date): Promise<JournalCheck> {
  const faults: JournalFault[] = [];
  let at = 0;
  let head: Buffer | null = null;
  let entries = 0;
  for (;;) {
    const read = await chain.after(db, at, batch);
    for (const { entry, position, hash } of read) {
      // A changed entry is named once: those after it are compared with the hash that it has.
      const kind = position === at + 1 ? (hashOf(head, entry).equals(hash) ? null : 'changed') : 'missing';
      if (kind) faults.push({ kind, position, entry: chain.nameOf(entry) });
      at = position;
      head = hash;
    }
    entries += read.length;
    if (read.length < batch) break;
  }
  for (const entry of await chain.unchained(db, mostFaults)) {
    const since = entry['received_at'] ?? entry['at'];
    if (since instanceof Date && now.getTime() - since.getTime() < chainedWithin) continue;
    faults.push({ kind: 'unchained', position: null, entry: chain.nameOf(entry) });
  }
  return { name: chain.name, entries, head: head?.toString('hex') ?? null, faults: faults.slice(0, mostFaults) };
}
