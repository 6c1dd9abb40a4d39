import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { inTransaction, withStatementLimit } from '#database/transaction.ts';
import type { Db } from '#database/schema.ts';

/** `low`: the owner should free space. `full`: nothing can be written. */
export type DiskState = 'ok' | 'low' | 'full';

/** The free bytes and all bytes of the disk with the data folder. */
export interface Room {
  free: number;
  all: number;
}

export interface Disk {
  state(): Promise<DiskState>;
  room(): Promise<Room>;
  /** Called when the database reports a full disk. The state is `full` until the database can write again. */
  noteFull(): void;
}

export interface DiskOptions {
  dataDir: string;
  /** Whether the database is in the data folder; another database shows the state of its disk by its errors alone. */
  hasDatabase: boolean;
  db: Db;
}

/** The disk is low below this many bytes, or below this share of its size. */
const low = { bytes: 1_000_000_000, part: 0.05 };
/** PostgreSQL allocates its journal in segments of this many bytes. */
const journalPiece = 16 * 1024 * 1024;
/** Milliseconds for which a result of the database's check is valid, and for which the check is waited for. */
const probe = { every: 2_000, timeout: 2_000 };

export function createDisk({ dataDir, hasDatabase, db }: DiskOptions): Disk {
  let isSuspect = false;
  let asked: { at: number; answer: Promise<boolean> } | null = null;

  const isWritable = () => {
    if (asked && performance.now() - asked.at < probe.every) return asked.answer;
    const answer = withStatementLimit(probe.timeout, () => tryToWrite(db)).then(
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

/** Whether there is less free space than the limit, or than a multiple of it. */
export function isLow({ free, all }: Room, times = 1): boolean {
  return free < times * low.bytes || free < times * low.part * all;
}

/** A data folder is created when its first file is written. */
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Allocates space as orders do, in a table and in the journal, and frees it again. */
async function tryToWrite(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`create temporary table room (filler text) on commit drop`.execute(tx);
    await sql`insert into room select repeat(md5(n::text), 32) from generate_series(1, 256) as n`.execute(tx);
    await sql`select pg_logical_emit_message(true, 'room', repeat(' ', 65536))`.execute(tx);
  });
}
