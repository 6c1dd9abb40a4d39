import { setTimeout as sleep } from 'node:timers/promises';
import { databaseProcesses, signalAll } from '#testing/database-processes.ts';
import { openShop } from '#testing/running-shop.ts';
import { checkRush, printChecks, startRush, waitUntilHealthy } from './rush.ts';

/** The time in which every call must be answered while the database is frozen (ms). */
const answersWithin = 5_000;

/**
 * Kills the server, its database and both in turn, then freezes the database: `npm run soak -- away [kills] [freezes]`,
 * 100 and 20 by default. Customers order during the whole test. Checks that no order was lost or duplicated, that no
 * call was answered with 500, and that the shop recovered by itself.
 */
export async function soakOutages([kills = '100', freezes = '20']: string[]): Promise<boolean> {
  const shop = await openShop({ LOG_LEVEL: 'silent' });
  try {
    const rush = await startRush(shop);
    const slowest = { back: 0, frozen: 0 };
    for (let n = 0; n < Number(kills); n += 1) {
      await sleep(200 + Math.random() * 800);
      const what = (['node', 'database', 'both'] as const)[n % 3] ?? 'node';
      const died = performance.now();
      if (what !== 'node') signalAll('SIGKILL', databaseProcesses(shop.dataDir).slice(0, 1));
      if (what !== 'database') await shop.restart('SIGKILL');
      await waitUntilHealthy(shop);
      slowest.back = Math.max(slowest.back, performance.now() - died);
      process.stdout.write(`\r${n + 1} of ${kills} kills, ${rush.answered.size} orders `);
    }
    console.log();
    for (let n = 0; n < Number(freezes); n += 1) {
      await sleep(500 + Math.random() * 500);
      const frozen = databaseProcesses(shop.dataDir);
      rush.slowest = 0;
      signalAll('SIGSTOP', frozen);
      await sleep(7_000);
      signalAll('SIGCONT', frozen);
      await waitUntilHealthy(shop);
      slowest.frozen = Math.max(slowest.frozen, rush.slowest);
      process.stdout.write(`\r${n + 1} of ${freezes} freezes, ${rush.answered.size} orders `);
    }
    console.log();
    await rush.stop();
    return printChecks([
      ...(await checkRush(shop, rush)),
      [`back after ${(slowest.back / 1000).toFixed(1)} s at most`, slowest.back < 60_000],
      [`longest answer while frozen ${(slowest.frozen / 1000).toFixed(1)} s`, slowest.frozen <= answersWithin],
    ]);
  } finally {
    await shop.stop();
  }
}
