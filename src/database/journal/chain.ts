import { createHash } from 'node:crypto';
import type { Db, Tx } from '#database/schema.ts';
import { sql } from 'kysely';
import { inTransaction } from '#database/transaction.ts';
import type { JournalCheck, JournalFault } from '#database/journal/journal.ts';

/** The fields of an entry that its hash covers, beginning with the entry's key. Their values never change. */
export type HashedEntryFields = Record<string, string | number | Date | null>;

export interface ChainPosition {
  position: number;
  hash: Buffer;
}

export interface ChainedEntry extends ChainPosition {
  /** The entry; null: the entry is missing from the journal, and only its position and hash are stored. */
  entry: HashedEntryFields | null;
  isAltered?: boolean;
}

/** A journal whose entries get a position and a hash after they are committed. */
export interface Chain<Name extends string = string> {
  name: Name;
  /** The position and hash of the last deleted entry, after which the chain begins; null: no entry was deleted. */
  start(db: Db): Promise<ChainPosition | null>;
  last(db: Db): Promise<ChainPosition | null>;
  /** Entries without a position, in the order in which they will get one. */
  unchained(db: Db, limit: number): Promise<HashedEntryFields[]>;
  /**
   * Entries without a position, for the verification. The function reads the whole journal, because the list behind
   * `unchained` may have lost entries.
   */
  loose(db: Db, limit: number): Promise<HashedEntryFields[]>;
  place(tx: Tx, entries: readonly (ChainPosition & { entry: HashedEntryFields })[]): Promise<void>;
  after(db: Db, position: number, limit: number): Promise<ChainedEntry[]>;
  nameOf(entry: HashedEntryFields): string;
}

/** The SHA-256 of the previous entry's hash and of this entry as a JSON array, with times in ISO 8601. */
function hashOf(before: Buffer | null, entry: HashedEntryFields): Buffer {
  const text = JSON.stringify(Object.values(entry));
  return createHash('sha256')
    .update(before ?? Buffer.alloc(0))
    .update(text)
    .digest();
}

const batch = 2_000;

/** Gives committed entries their positions and hashes. Returns the count; 0 while another instance does the same. */
export async function extendChain(db: Db, chain: Chain): Promise<number> {
  for (let count = 0; ;) {
    const added = await extend(db, chain);
    count += added;
    if (added < batch) return count;
  }
}

/**
 * Gives one batch of entries their positions. Only committed entries get one, so that no transaction delays others, and
 * a rollback leaves no gap.
 */
async function extend(db: Db, chain: Chain): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(${chainLockKey(chain)}) as is_mine`.execute(tx);
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
 * The key of the lock that is held while positions are added or old entries are deleted. Earlier releases use the same
 * key.
 */
export function chainLockKey({ name }: Pick<Chain, 'name'>) {
  return sql`hashtextextended(${`payment journal ${name}`}, 0)`;
}

const maxFaults = 100;
/** Milliseconds within which an entry must have a position, however busy the shop is. */
const chainedWithin = 10 * 60_000;

/** Verifies every hash of a journal, in batches, so that other work can run in between. */
export async function verifyChain<Name extends string>(
  db: Db,
  chain: Chain<Name>,
  now: Date,
): Promise<JournalCheck<Name>> {
  const faults: JournalFault[] = [];
  const start: { position: number; hash: Buffer | null } = (await chain.start(db)) ?? { position: 0, hash: null };
  let { position: at, hash: head } = start;
  let entries = 0;
  for (;;) {
    const read = await chain.after(db, at, batch);
    for (const { entry, position, hash, isAltered = false } of read) {
      const isNext = position === at + 1;
      // Each entry is compared with the stored hash of the entry before. So a changed entry is one fault, and not a
      // fault in every later entry.
      const kind = isNext ? faultOf({ entry, isAltered }, head, hash) : 'missing';
      if (kind) faults.push({ kind, position, entry: entry === null ? '' : chain.nameOf(entry) });
      at = position;
      head = hash;
    }
    entries += read.length;
    if (read.length < batch) break;
  }
  for (const entry of await chain.loose(db, maxFaults)) {
    if (isOverdue(entry, now)) faults.push({ kind: 'unchained', position: null, entry: chain.nameOf(entry) });
  }
  return { name: chain.name, entries, head: head?.toString('hex') ?? null, faults: faults.slice(0, maxFaults) };
}

function isOverdue(entry: HashedEntryFields, now: Date): boolean {
  const since = entry['received_at'] ?? entry['at'];
  return !(since instanceof Date) || now.getTime() - since.getTime() >= chainedWithin;
}

function faultOf(
  { entry, isAltered }: Pick<ChainedEntry, 'entry' | 'isAltered'>,
  before: Buffer | null,
  hash: Buffer,
): 'gone' | 'changed' | null {
  if (entry === null) return 'gone';
  return isAltered || !hashOf(before, entry).equals(hash) ? 'changed' : null;
}
