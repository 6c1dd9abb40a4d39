import { readFileSync } from 'node:fs';
import { hostname, uptime as secondsSinceBoot } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { DueWork } from '#database/jobs/due-work.ts';

export interface ClockWatch {
  /**
   * Whether due work may run. False after a jump of more than a minute, until the time is right again or a person
   * confirms it: otherwise orders would expire that nobody had time to answer.
   */
  isTrusted(): boolean;
  /** Records in the database that a person confirmed the time at this instance. */
  confirm(): void;
  /** Records a jump, and reads confirmations of other instances. */
  due: DueWork<{ ahead_seconds: number | null } | null>;
}

export interface ClockWatchOptions {
  db: Db;
  log: FastifyBaseLogger;
  /** The system clock, which an administrator can set. */
  now: () => Date;
  /** The time of the newest row that is written continuously. */
  newest: (db: Db) => Promise<Date | null>;
  machine?: MachineClock;
}

/** The machine's own count; setting the clock does not change it. */
export interface MachineClock {
  name: string;
  /** Identifies the boot that `uptime` counts from; empty if it is not known. */
  boot: string;
  /** Milliseconds, with the machine's sleep. */
  uptime(): number;
}

/** Milliseconds by which a clock may be set without a question. */
const tolerated = 60_000;

interface Watch {
  /** The clock minus the machine's count while the clock was trusted; null after a boot. */
  trusted: number | null;
  aheadSeconds: number | null;
  /** At the start, the clock was behind the newest row: any later time is right. */
  isBehind: boolean;
}

/** Compares the clock with the machine's own count and, at the start, with the newest order. */
export async function watchClock({
  db,
  log,
  now,
  newest: newestOf,
  machine = thisMachine(),
}: ClockWatchOptions): Promise<ClockWatch> {
  const offset = () => now().getTime() - machine.uptime();
  const known = await db.selectFrom('clock_watches').selectAll().where('machine', '=', machine.name).executeTakeFirst();
  const isSameStart = known !== undefined && known.boot === machine.boot && machine.boot !== '';
  let watch: Watch = {
    trusted: isSameStart ? known.trusted_offset : known?.ahead_seconds ? null : offset(),
    aheadSeconds: known?.ahead_seconds ?? null,
    isBehind: false,
  };
  // Within one boot the machine's count is more reliable than an order, which a wrong clock may have dated.
  const newest = isSameStart ? null : await newestOf(db);
  if (watch.aheadSeconds === null && newest && now().getTime() < newest.getTime() - tolerated) {
    watch.trusted = newest.getTime() - machine.uptime();
    watch.isBehind = true;
  }

  const trust = () => {
    watch = { trusted: offset(), aheadSeconds: null, isBehind: false };
  };
  const look = () => {
    if (watch.trusted === null) return;
    const difference = offset() - watch.trusted;
    const isRight = Math.abs(difference) <= tolerated || (watch.isBehind && difference > 0);
    if (isRight) {
      if (watch.aheadSeconds !== null) log.warn('the clock is right again');
      // A clock that is corrected in small steps stays trusted.
      return trust();
    }
    const seconds = Math.round(difference / 1000);
    if (watch.aheadSeconds === null) log.error({ seconds }, 'the clock has jumped; nothing is ended by its deadline');
    // The difference is shown in minutes.
    if (Math.abs(seconds - (watch.aheadSeconds ?? 0)) > 5) watch.aheadSeconds = seconds;
  };
  let written: Pick<Watch, 'trusted' | 'aheadSeconds'> = { trusted: null, aheadSeconds: null };
  const write = async () => {
    const row = { boot: machine.boot, trusted_offset: watch.trusted, ahead_seconds: watch.aheadSeconds };
    await db
      .insertInto('clock_watches')
      .values({ machine: machine.name, ...row })
      .onConflict((conflict) => conflict.column('machine').doUpdateSet(row))
      .execute();
    written = { trusted: row.trusted_offset, aheadSeconds: row.ahead_seconds };
  };
  const confirm = () => {
    if (watch.aheadSeconds === null) return;
    log.warn('somebody said that the clock is right');
    trust();
    written.aheadSeconds = null;
  };
  look();
  await write();

  return {
    confirm,
    isTrusted() {
      look();
      return watch.aheadSeconds === null;
    },
    due: {
      name: 'clock',
      due: () => sql`
        select json_build_object('ahead_seconds', ahead_seconds) from clock_watches where machine = ${machine.name}`,
      async work(row) {
        look();
        if (written.aheadSeconds !== null && row.ahead_seconds === null) confirm();
        const drift = Math.abs((watch.trusted ?? 0) - (written.trusted ?? 0));
        if (watch.aheadSeconds !== written.aheadSeconds || drift > tolerated / 6) await write();
      },
    },
  };
}

function thisMachine(): MachineClock {
  // Other systems derive this count from the clock.
  const isLinux = process.platform === 'linux';
  return {
    name: hostname(),
    boot: isLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '',
    uptime: () => (isLinux ? secondsSinceBoot() * 1000 : performance.now()),
  };
}

/** The largest difference of a machine's clock; null if all are right. */
export async function furthestJump(db: Db): Promise<number | null> {
  const rows = await db
    .selectFrom('clock_watches')
    .select('ahead_seconds')
    .where('ahead_seconds', 'is not', null)
    .execute();
  const jumps = rows.map(({ ahead_seconds: seconds }) => seconds ?? 0);
  return jumps.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null;
}

/** Records for every machine that a person confirmed the time. */
export async function recordConfirmation(db: Db): Promise<void> {
  await db.updateTable('clock_watches').set({ ahead_seconds: null }).where('ahead_seconds', 'is not', null).execute();
}

/** Whether a machine's clock has jumped without a confirmation. */
export async function hasClockJumped(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('clock_watches')
    .select('machine')
    .where('ahead_seconds', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
