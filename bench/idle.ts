import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { openShop } from '#testing/running-shop.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { processorTime } from './figures.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * The cost of a shop in which nothing happens: `node bench/idle.ts [seconds]`, 300 by default. Counts transactions by
 * PostgreSQL, and processor time by the kernel, for node and for every process of PostgreSQL.
 */
const seconds = Number(process.argv[2] ?? 300);
const shop = await openShop();
try {
  // By then all work after a start is done.
  await sleep(60_000);
  await onDatabaseOf(shop.dataDir, async (client) => {
    const before = { ...(await counts(client)), at: performance.now() };
    await sleep(seconds * 1000);
    const after = await counts(client);
    const passed = (performance.now() - before.at) / 1000;
    // The benchmark's own statements.
    const commits = (after.commits - before.commits - 1) / passed;
    const server = (after.server - before.server) / passed;
    const share = server + (after.database - before.database) / passed;
    console.log(`\n${passed.toFixed(0)} s of rest`);
    tell(`${commits.toFixed(2)} transactions a second`, commits < 1, 'under 1');
    tell(`${(share * 100).toFixed(2)} % of one core`, share < 0.005, 'under 0.5 %');
    console.log(`  of which node ${(server * 100).toFixed(2)} %`);
    console.log(`  ${((after.switches - before.switches) / passed).toFixed(1)} wake-ups a second, node's first thread`);
  });
} finally {
  await shop.stop();
}
endWithGoals();

async function counts(
  client: Client,
): Promise<ReturnType<typeof processorTime> & { commits: number; switches: number }> {
  const { rows } = await client.query(
    'select xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
  );
  const status = readFileSync(`/proc/${shop.processId()}/status`, 'utf8');
  const switches = Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { ...processorTime(shop), commits: rows[0].commits, switches };
}
