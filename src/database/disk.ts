import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { withPatience } from '#database/patience.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';

/** `low`: the owner is to make room. `full`: nothing can be written. */
export type DiskState = 'ok' | 'low' | 'full';

/** Bytes that are free, and all there are, on the disk of the data folder. */
export interface Room {
  free: number;
  all: number;
}

export interface Disk {
  state(): Promise<DiskState>;
  room(): Promise<Room>;
  /** The database said that its disk is full. Until it can write again the state is `full`. */
  noteFull(): void;
}

export interface DiskOptions {
  dataDir: string;
  /** Whether the database is in the data folder; elsewhere it tells of its disk by its errors alone. */
  hasDatabase: boolean;
  db: Db;
}

/** Bytes under which the disk is low, or this part of all there are. */
const low = { bytes: 1_000_000_000, part: 0.05 };
/** PostgreSQL takes room for its journal in pieces of so many bytes. */
const journalPiece = 16 * 1024 * 1024;
/** Milliseconds for which an answer of the database's disk holds, and for which it is waited for. */
const probe = { every: 2_000, patience: 2_000 };

export function createDisk({ dataDir, hasDatabase, db }: DiskOptions): Disk {
  let isSuspect = false;
  let asked: { at: number; answer: Promise<boolean> } | null = null;

  const isWritable = () => {
    if (asked && performance.now() - asked.at < probe.every) return asked.answer;
    const answer = withPatience(probe.patience, () => tryToWrite(db)).then(
      () => {
        isSuspect = false;
        return true;
      },
      () => false,
    );
    asked = { at: performance.now(), answer };
    return answer;
  };
  const room = async () => {
    const { bavail, blocks, bsize } = await statfs(await existing(dataDir));
    return { free: bavail * bsize, all: blocks * bsize };
  };
  return {
    room,
    async state() {
      if (isSuspect && !(await isWritable())) return 'full';
      const { free, all } = await room();
      if (hasDatabase && free < journalPiece) return 'full';
      return isLow({ free, all }) ? 'low' : 'ok';
    },
    noteFull() {
      isSuspect = true;
    },
  };
}

/** Whether there is less room than there should be, or than so many times as much. */
export function isLow({ free, all }: Room, times = 1): boolean {
  return free < times * low.bytes || free < times * low.part * all;
}

/** A data folder is made when something is first put into it. */
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Takes room as orders do, in a table and in the journal, and gives it back. */
async function tryToWrite(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`create temporary table room (filler text) on commit drop`.execute(tx);
    await sql`insert into room select repeat(md5(n::text), 32) from generate_series(1, 256) as n`.execute(tx);
    await sql`select pg_logical_emit_message(true, 'room', repeat(' ', 65536))`.execute(tx);
  });
}
