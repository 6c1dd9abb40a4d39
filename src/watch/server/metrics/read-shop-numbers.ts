import { type RawBuilder, sql } from 'kysely';
import { preparedStatementHint } from '#database/connect.ts';
import { jobCountsByStateSql } from '#database/jobs/jobs.ts';
import type { Db } from '#database/schema.ts';
import { withStatementTimeout } from '#database/transaction.ts';
import { waitingMailCountsSql } from '#mail/server/mail.ts';
import { selectOrderCounts, unansweredOrderSummarySql } from '#ordering/server/order-counts.ts';
import { unsettledPaymentCountsSql } from '#payment/server/payment-views.ts';
import { printCountsColumn } from '#printing/server/print-views.ts';
import { unsentEventCountColumn } from '#realtime/server/outbox.ts';
import { liveStoresSql } from '#store/server/store-views.ts';

/** The timeout of the statement in milliseconds, shorter than the ten seconds for which a scraper waits. */
const readWithin = 2_000;

const stores = sql<{ id: string; is_unattended: boolean }[]>`(
  select coalesce(json_agg(json_build_object('id', stores.id, 'is_unattended', w.lost_at is not null)), '[]')
  from ${liveStoresSql} as stores left join board_watches as w on w.store_id = stores.id)`;

type Parts = ReturnType<typeof partsAt>;
export type ShopNumbers = { [K in keyof Parts]: Parts[K] extends RawBuilder<infer T> ? T : never };

/**
 * `good_at`: when the last good backup was made. `placed_at`: when a backup was last sent to a second place. `since`:
 * the time since which backups are expected.
 */
export type BackupTimes = RawBuilder<{ good_at: string | null; since: string | null; placed_at: string | null }>;

function partsAt(now: Date, backups: BackupTimes) {
  return {
    backups,
    stores,
    orders: selectOrderCounts(now),
    unanswered: unansweredOrderSummarySql,
    printing: printCountsColumn(now),
    money: unsettledPaymentCountsSql,
    mails: waitingMailCountsSql,
    jobs: jobCountsByStateSql,
    events: unsentEventCountColumn,
    bytes: sql<number>`pg_database_size(current_database())::float8`,
  };
}

/**
 * Reads the shop's numbers by one statement, so that they are one snapshot. Every instance reads the same numbers.
 * Throws `DatabaseUnavailable`.
 */
export async function readShopNumbers(db: Db, now: Date, backups: BackupTimes): Promise<ShopNumbers> {
  const parts = Object.entries(partsAt(now, backups)).map(([name, part]) => sql`${part} as ${sql.ref(name)}`);
  const statement = sql<ShopNumbers>`${preparedStatementHint}select ${sql.join(parts)}`;
  const { rows } = await withStatementTimeout(readWithin, () => statement.execute(db));
  const [numbers] = rows;
  if (!numbers) throw new Error('a statement without a table has one row');
  return numbers;
}
