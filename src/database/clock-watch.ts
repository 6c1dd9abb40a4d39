import { readFileSync } from 'node:fs';
import { hostname, uptime as secondsSinceBoot } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { DueWork } from '#database/jobs/due-work.ts';

export interface ClockWatch {
  /**
   * Whether due work may run. False after the clock jumped by more than a minute, or if at the start it was behind the
   * time of the newest order. True again once the clock is right, or a person confirms the time. With a wrong clock,
   * due work would expire orders before anybody had time to answer them.
   */
  isTrusted(): boolean;
  /** Trusts the present time of the clock at this instance, after a person confirmed that time. */
  confirm(): void;
  /** Records the clock's jumps in the database, and accepts confirmations that were made at other instances. */
  due: DueWork<{ ahead_seconds: number | null } | null>;
}

export interface ClockWatchOptions {
  db: Db;
  log: FastifyBaseLogger;
  /** The system clock, which an administrator can set. */
  now: () => Date;
  /** Reads the time of the newest row of a kind that is written all the time, such as an order; null: there is none. */
  newest: (db: Db) => Promise<Date | null>;
  machine?: MachineClock;
}

/** The machine's count of the time since its boot. This count stays the same when somebody sets the system clock. */
export interface MachineClock {
  name: string;
  /** Identifies the boot that `uptime` counts from; empty if it is not known. */
  boot: string;
  /** Milliseconds since the boot, the machine's sleep included. */
  uptime(): number;
}

/** Milliseconds by which a clock may jump and stay trusted. */
const tolerated = 60_000;

interface Watch {
  /**
   * The clock's time minus the machine's time since boot (ms), as it was when the clock was last trusted. null: the
   * machine was restarted after a jump of the clock, and nobody has confirmed the clock yet.
   */
  trusted: number | null;
  aheadSeconds: number | null;
  /**
   * Whether the clock was behind the newest row at the start. Such a clock is trusted again once it has passed that
   * row's time.
   */
  isBehind: boolean;
}

/** Compares the clock with the machine's count of time and, after a boot, with the time of the newest row. */
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
  // Within one boot the machine's count is more reliable than the newest row, whose time may come from a wrong clock.
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
      // The present offset becomes the trusted one, so a clock that is corrected in steps below `tolerated` stays
      // trusted.
      return trust();
    }
    const seconds = Math.round(difference / 1000);
    if (watch.aheadSeconds === null) log.error({ seconds }, 'the clock has jumped; nothing is ended by its deadline');
    // The jump is stored again only if its size has changed by more than 5 seconds, because pages show it in minutes.
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
  // Only Linux reports the time since boot independently of the clock.
  const isLinux = process.platform === 'linux';
  return {
    name: hostname(),
    boot: isLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '',
    uptime: () => (isLinux ? secondsSinceBoot() * 1000 : performance.now()),
  };
}

/** The largest jump of a machine's clock that nobody has confirmed, in seconds; null if there is none. */
export async function readClockJumpSeconds(db: Db): Promise<number | null> {
  const rows = await db
    .selectFrom('clock_watches')
    .select('ahead_seconds')
    .where('ahead_seconds', 'is not', null)
    .execute();
  const jumps = rows.map(({ ahead_seconds: seconds }) => seconds ?? 0);
  return jumps.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null;
}

export async function recordClockConfirmation(db: Db): Promise<void> {
  await db.updateTable('clock_watches').set({ ahead_seconds: null }).where('ahead_seconds', 'is not', null).execute();
}

export async function hasUnconfirmedClockJump(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('clock_watches')
    .select('machine')
    .where('ahead_seconds', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
