import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { connect } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts';
import { buildLargeIndexes } from '../src/database/indexes.ts';
import { migrate } from '../src/database/migrate.ts';
import { withStatementTimeout } from '../src/database/transaction.ts';
import { seedDemo } from '../src/demo/server/seed-demo.ts';
import { updateTakingsSums } from '../src/reports/server/sum-days.ts';
import { fillAround, fillShop } from '../src/testing/fill-history.ts';
import { planFaults, readsGrowing } from '../src/testing/plan-faults.ts';
import { type Recorded, shapeOf } from '../src/testing/record-statements.ts';
import { emptyFailedReport } from './test-reports.ts';

// The last step of `npm test`. On a shop with a long history, it plans the tests' statements that read a growing table.
// It fails if a statement needs a sequential scan. `node scripts/check-statements.ts FOLDER` runs only this step.
// `HATCH_STATEMENTS=FOLDER vitest run` records the statements there.

/**
 * Statements that may scan a whole table, with the reason. Each statement is identified by a unique part of its text.
 */
const allowed: { part: string; why: string }[] = [
  { part: `exists (select from "stores") or exists`, why: 'asks for any row: it stops at the first one' },
  {
    part: "select store_id || ' ' || trading_day as day",
    why: 'the trial of a backup compares every order, once a night',
  },
  { part: "'atBank', (", why: 'the check of all money compares every card order with the provider’s books' },
  {
    part: "fold_text(words) || '' like",
    why: 'of words that more lines have than are counted, the newest are soon met; short ones are looked for in recent lines',
  },
  {
    part: 'fold_text(words) like',
    why: 'where many lines seem to have the words, the newest are read first until there are enough; the time limit ends a wrong guess',
  },
  {
    part: 'from (select from refunds where true limit',
    why: 'a count of all refunds stops after ten thousand',
  },
  {
    part: 'select came.id from',
    why: 'a letter or two is looked for among recent customers, and most of a small shop’s are recent',
  },
];

/** The minimum number of recorded statements; fewer mean that the recording is broken. */
const least = 150;
const days = { lastDay: '2026-11-24', days: 400 };

export async function checkStatements(folder: string, fewest = least) {
  // Migrations are excluded, because each scans a table only once.
  const recorded = (await readAll(folder)).filter((one) => readsGrowing(one) && !one.from.includes('/migrations/'));
  const faulty = await onFilledShop(async (client) => {
    const found: { statement: Recorded; faults: string[] }[] = [];
    for (const statement of recorded) {
      if (allowed.some(({ part }) => statement.text.includes(part))) continue;
      const faults = await planFaults(client, statement);
      if (faults.length > 0) found.push({ statement, faults });
    }
    return found;
  });
  for (const { statement, faults } of faulty) {
    console.log(
      `\n✗ ${statement.from}\n  ${faults.join('\n  ')}\n  ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 600)}`,
    );
  }
  const unused = allowed.filter(({ part }) => !recorded.some(({ text }) => text.includes(part)));
  if (fewest > 0) for (const { part } of unused) console.log(`\n✗ Allowed, and never sent: ${part}`);
  if (recorded.length < fewest) console.log(`\n✗ Only ${recorded.length} statements were recorded.`);
  const isGood = faulty.length === 0 && (fewest === 0 || unused.length === 0) && recorded.length >= fewest;
  console.log(`${recorded.length} statements, ${faulty.length} of them read a table from end to end`);
  return { ...emptyFailedReport, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 };
}

async function readAll(folder: string): Promise<Recorded[]> {
  const found = new Map<string, Recorded>();
  for (const name of await readdir(folder).catch(() => [])) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      // A killed process may leave the last line incomplete.
      if (!line.endsWith('}')) continue;
      const statement = JSON.parse(line) as Recorded;
      found.set(shapeOf(statement.text, statement.values), statement);
    }
  }
  return [...found.values()];
}

async function onFilledShop<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-plans-'));
  const log = { info() {}, warn: console.warn, error: console.error };
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings });
  const { db, pool, close } = connect(postgres.connection, () => {});
  try {
    return await withStatementTimeout(600_000, async () => {
      await migrate(db);
      await seedDemo(db, new Date());
      const { rows } = await pool.query<{ id: string }>('select id from stores');
      await fillShop(pool, { storeId: rows[0]?.id ?? '', orders: 12_000, ...days });
      await fillAround(pool);
      await buildLargeIndexes(db, log);
      await updateTakingsSums(db);
      await pool.query('vacuum analyze takings, takings_months, customer_sums, order_search, audit_search');
      const client = await pool.connect();
      return work(client).finally(() => client.release());
    });
  } finally {
    await close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('Say which folder the statements were recorded in.');
  const { failed } = await checkStatements(folder, 0);
  process.exit(failed);
}
