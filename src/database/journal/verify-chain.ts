import type { Db } from '#database/schema.ts';
import { hashOf, type Chain, type Chained } from '#database/journal/chain.ts';
import type { JournalCheck, JournalFault } from '#database/journal/journal.ts';

const batch = 2_000;
const mostFaults = 100;
/** Milliseconds within which an entry gets its place, however busy the shop is. */
const chainedWithin = 10 * 60_000;

/** Works out every hash of a journal again. Reads in batches, so that a long journal delays nothing else. */
export async function verifyChain<Name extends string>(
  db: Db,
  chain: Chain<Name>,
  now: Date,
): Promise<JournalCheck<Name>> {
  const faults: JournalFault[] = [];
  const start = await chain.start(db);
  let at = start?.position ?? 0;
  let head: Buffer | null = start?.hash ?? null;
  let entries = 0;
  for (;;) {
    const read = await chain.after(db, at, batch);
    for (const { entry, position, hash, isAltered = false } of read) {
      const isNext = position === at + 1;
      // A changed entry is named once: those after it are compared with the hash that it has.
      const kind = isNext ? faultOf({ entry, isAltered }, head, hash) : 'missing';
      if (kind) faults.push({ kind, position, entry: entry === null ? '' : chain.nameOf(entry) });
      at = position;
      head = hash;
    }
    entries += read.length;
    if (read.length < batch) break;
  }
  for (const entry of await chain.loose(db, mostFaults)) {
    const since = entry['received_at'] ?? entry['at'];
    if (since instanceof Date && now.getTime() - since.getTime() < chainedWithin) continue;
    faults.push({ kind: 'unchained', position: null, entry: chain.nameOf(entry) });
  }
  return { name: chain.name, entries, head: head?.toString('hex') ?? null, faults: faults.slice(0, mostFaults) };
}

function faultOf(
  { entry, isAltered }: Pick<Chained, 'entry' | 'isAltered'>,
  before: Buffer | null,
  hash: Buffer,
): 'gone' | 'changed' | null {
  if (entry === null) return 'gone';
  return isAltered || !hashOf(before, entry).equals(hash) ? 'changed' : null;
}
