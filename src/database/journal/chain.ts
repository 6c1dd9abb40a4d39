import { createHash } from 'node:crypto';
import type { Db, Tx } from '#database/schema.ts';

/** The chained part of an entry: its fields that never change, its key first. */
export type Entry = Record<string, string | number | Date | null>;

export interface Place {
  position: number;
  hash: Buffer;
}

export interface Chained extends Place {
  /** null: the entry is gone. */
  entry: Entry | null;
  /** Data that belongs to the entry differs from the entry's digest. */
  isAltered?: boolean;
}

/** A journal whose entries get a place and a hash after they are committed. */
export interface Chain<Name extends string = string> {
  name: Name;
  /** The last entry that was removed from the beginning; null: none was. */
  start(db: Db): Promise<Place | null>;
  last(db: Db): Promise<Place | null>;
  /** Entries without a position, in the order in which they get one. */
  unchained(db: Db, limit: number): Promise<Entry[]>;
  /** The same, found without the worker's notes, for the check. */
  loose(db: Db, limit: number): Promise<Entry[]>;
  place(tx: Tx, entries: readonly (Place & { entry: Entry })[]): Promise<void>;
  /** Entries after a position, in order. */
  after(db: Db, position: number, limit: number): Promise<Chained[]>;
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
