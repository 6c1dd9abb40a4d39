import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { DamagedCopyError } from '#backup/server/load-rows.ts';
import { draftFolder, restoreCopy } from '#backup/server/restore-copy.ts';
import type { BackupResults, BackupTask } from '#backup/server/run-backup-program.ts';
import { auditChain } from '#database/audit.ts';
import { connect } from '#database/connect.ts';
import { startEmbeddedPostgres, stopOrphanedPostgres } from '#database/embedded/embedded-postgres.ts';
import type { Chain } from '#database/journal/chain.ts';
import type { Db } from '#database/schema.ts';
import { orderVersionTotalsSql } from '#ordering/server/order-views.ts';
import { journalChains } from '#payment/server/journal/chains.ts';
import { reportedRefundsSql } from '#payment/server/payment-views.ts';
import { lastEndedTradingDaySql } from '#store/server/store-views.ts';

/** The settings of the scratch database. It needs little memory, and may be lost in a crash. */
const settings = { shared_buffers: '32MB', max_connections: '20', fsync: 'off' };

/**
 * Restores a backup into the scratch folder, and compares the restored database with the shop's. Throws
 * DamagedCopyError if they differ.
 */
export async function verifyCopyByRestore(task: BackupTask): Promise<BackupResults['prove']> {
  const { folder, scratch, config, hatch, at, number } = task;
  const nothing = () => undefined;
  const log = { info: nothing, warn: nothing, error: nothing };
  await removeScratchFolder(scratch);
  try {
    const made = { from: folder, dataDir: scratch, until: null, number };
    await restoreCopy({ ...made, secretsKey: config.SECRETS_KEY, hatch, log, settings });
    const postgres = await startEmbeddedPostgres({ dataDir: scratch, log, settings });
    const shop = connect(task.database, nothing, { max: 2 });
    const copy = connect(postgres.connection, nothing, { max: 2 });
    try {
      return await compareShopWithCopy(shop.db, copy.db, new Date(at));
    } finally {
      await copy.close();
      await shop.close();
      await postgres.stop();
    }
  } finally {
    await removeScratchFolder(scratch);
  }
}

/** Removes the scratch folder, and stops a PostgreSQL that a killed program left running. */
export async function removeScratchFolder(scratch: string): Promise<void> {
  for (const dataDir of [scratch, join(scratch, draftFolder)]) await stopOrphanedPostgres(dataDir);
  await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * Compares the shop's database with a restored backup. It compares the journals' hashes, and the orders and refunds of
 * trading days that had ended at the time `at`. Throws DamagedCopyError if they differ. A difference is accepted if,
 * after the backup, the shop changed an order or deleted the oldest journal entries.
 */
export async function compareShopWithCopy(shop: Db, copy: Db, at: Date): Promise<BackupResults['prove']> {
  const { days, orders } = await compareDays(shop, copy, at);
  let entries = 0;
  for (const chain of [...journalChains, auditChain]) entries += await compareChains(chain, shop, copy);
  return { days, orders, entries };
}

interface DaySums {
  /** The store's id and the trading day, as one text. */
  day: string;
  orders: number;
  /** The counts, totals and versions of the day's orders, as one text. An order's version rises with each change. */
  sums: string;
  refunds: string;
}

async function compareDays(shop: Db, copy: Db, at: Date) {
  const [theirs, ours] = await Promise.all([readDays(shop, at), readDays(copy, at)]);
  const copied = new Map(ours.map((one) => [one.day, one]));
  const known = new Set(theirs.map(({ day }) => day));
  for (const { day, sums, refunds } of theirs) {
    const found = copied.get(day);
    if (found?.refunds !== refunds) throw dayMismatch(day);
    if (found.sums !== sums) await compareOrdersOf(shop, copy, day);
  }
  const odd = ours.find(({ day }) => !known.has(day));
  if (odd) throw dayMismatch(odd.day);
  return { days: ours.length, orders: ours.reduce((sum, { orders }) => sum + orders, 0) };
}

function dayMismatch(day: string): DamagedCopyError {
  return new DamagedCopyError(`Orders or money of ${day.split(' ')[1]} are not those of the shop.`);
}

async function readDays(db: Db, at: Date): Promise<DaySums[]> {
  const { rows } = await sql<DaySums>`
    select store_id || ' ' || trading_day as day, sum(orders)::int as orders,
      concat_ws(' ', sum(orders), sum(total), sum(versions)) as sums,
      concat_ws(' ', sum(refunds), sum(refunded)) as refunds
    from (
      select store_id, trading_day, 1 as orders, total::bigint, version as versions, 0 as refunds, 0::bigint as refunded
      from ${orderVersionTotalsSql} as orders
      union all
      select store_id, trading_day, 0, 0, 0, 1, amount from ${reportedRefundsSql} as refunds) as all_of
    where exists (
      select from ${lastEndedTradingDaySql(at)} as ended where ended.id = all_of.store_id and all_of.trading_day <= ended.day)
    group by store_id, trading_day order by 1`.execute(db);
  return rows;
}

/**
 * Compares a day's orders one by one. An order may differ if its version in the shop is higher, because it was changed
 * after the backup. Throws DamagedCopyError.
 */
async function compareOrdersOf(shop: Db, copy: Db, day: string): Promise<void> {
  const [theirs, ours] = await Promise.all([readOrdersOf(shop, day), readOrdersOf(copy, day)]);
  const copied = new Map(ours.map((order) => [order.id, order]));
  const isSame = theirs.every(({ id, version, total }) => {
    const found = copied.get(id);
    if (found === undefined || found.version > version) return false;
    return found.version < version || found.total === total;
  });
  if (!isSame || ours.length !== theirs.length) throw dayMismatch(day);
}

async function readOrdersOf(db: Db, day: string): Promise<{ id: string; version: number; total: number }[]> {
  const [storeId, date] = day.split(' ');
  const { rows } = await sql<{ id: string; version: number; total: number }>`
    select id, version, total from ${orderVersionTotalsSql} as orders
    where store_id = ${storeId}::uuid and trading_day = ${date}::date`.execute(db);
  return rows;
}

const entriesPerRead = 2_000;

/**
 * Throws DamagedCopyError unless each journal entry of the backup has the same hash in the shop. Returns the number of
 * compared entries.
 */
async function compareChains(chain: Chain, shop: Db, copy: Db): Promise<number> {
  const last = (await chain.last(copy))?.position ?? 0;
  let at = (await chain.start(copy))?.position ?? 0;
  let entries = 0;
  while (at < last) {
    const ours = await chain.after(copy, at, entriesPerRead);
    const theirs = new Map((await chain.after(shop, at, entriesPerRead)).map(({ position, hash }) => [position, hash]));
    // The shop's retention may have deleted the oldest entries after the backup, so those are not compared.
    const start = (await chain.start(shop))?.position ?? 0;
    const other = ours.find(({ position, hash }) => position > start && !theirs.get(position)?.equals(hash));
    if (other !== undefined)
      throw new DamagedCopyError(`Entry ${other.position} of the journal of ${chain.name} is not that of the shop.`);
    if (ours.length === 0) break;
    entries += ours.length;
    at = ours.at(-1)?.position ?? last;
  }
  return entries;
}
