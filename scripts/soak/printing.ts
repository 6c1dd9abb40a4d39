import { setTimeout as sleep } from 'node:timers/promises';
import { countOpen, readLines, waitingByPrinter } from '../../src/printing/testing/soak/ledger.ts';
import { soakPrinting } from '../../src/printing/testing/soak/soak.ts';
import { cashBasket } from '../../src/testing/cash-basket.ts';
import { openShop, type Shop } from '../../src/testing/running-shop.ts';
import { connectTo, databaseUrlOf } from '../../src/testing/shop-database.ts';
import { printChecks } from './rush.ts';

/**
 * Prints jobs on simulated printers: `npm run soak -- printing [jobs] [seed]`, ten thousand by default. There are
 * printers of every kind that reports whether it has printed a job. Connections fail, paper ends, power is cut,
 * messages are lost, and two instances are killed in turn. Returns whether every job is on paper, and no job came out
 * twice without the mark of a duplicate. With `liars` after the seed, one printer falsely reports a print and one
 * prints twice; the run must find both, and fails.
 */
export async function soakPrintJobs([wanted = '10000', seed = String(Date.now()), lies]: string[]): Promise<boolean> {
  const [jobs, from] = [Number(wanted), Number(seed)];
  if (![jobs, from].every((number) => Number.isSafeInteger(number) && number > 0)) {
    console.error('Jobs and seed are whole numbers.');
    return false;
  }
  if (lies !== undefined && lies !== 'liars') {
    console.error('After the seed comes nothing, or `liars`.');
    return false;
  }
  console.log(`seed ${from}`);
  const environment = { PRINTER_SIMULATOR: '1', LOG_LEVEL: 'silent' };
  const base = await openShop(environment);
  const shared = { ...environment, DATABASE_URL: await databaseUrlOf(base.dataDir) };
  const instances = [await openShop(shared), await openShop(shared)];
  const client = await connectTo(base.dataDir);
  const killing = startKilling(instances, Math.max(4, jobs / 10));
  const began = performance.now();
  try {
    const result = await soakPrinting({
      urls: instances.map(({ url }) => url),
      storeId: base.storeId,
      token: base.adminToken,
      jobs,
      // A printer that lost a message idles for up to a minute; more printers keep the throughput up.
      printers: Math.min(64, Math.max(8, Math.round(jobs / 100))),
      faults: 12,
      random: randomFrom(from),
      basket: await cashBasket(base),
      say: (line) =>
        console.log(`${line}, ${killing.kills} kills, ${((performance.now() - began) / 60_000).toFixed(1)} min`),
      hasLiars: lies === 'liars',
      countOpen: () => countOpen(client),
      readLines: (orderIds) => readLines(client, orderIds),
    });
    const faults = Object.values(result.faults).reduce((sum, count) => sum + count, 0);
    console.log(JSON.stringify(result.faults));
    if (result.open.length > 0) console.log((await waitingByPrinter(client)).join('\n'));
    for (const line of result.accounts) console.log(line);
    const some = (numbers: string[]) => `${numbers.length} ${numbers.slice(0, 10).join(' ')}`;
    return printChecks([
      [`${result.jobs} jobs, ${result.papers} papers, ${result.marked} marked`, result.jobs === jobs],
      [`${faults} faults, ${killing.kills} kills`, true],
      [`lost ${some(result.lost)}`, result.lost.length === 0],
      // A job that meets three faults in a row is left to staff, and the board shows it. Printers work most of the
      // time, so few jobs may end like that.
      [`not on paper, and the board says so: ${some(result.shown)}`, result.shown.length <= Math.max(1, jobs / 200)],
      [`twice without the mark ${some(result.unmarkedTwice)}`, result.unmarkedTwice.length === 0],
      [`without an end ${some(result.open)}`, result.open.length === 0],
    ]);
  } finally {
    await killing.stop();
    await client.end();
    for (const instance of [...instances, base]) await instance.stop();
  }
}

/**
 * Stops or kills the instances in turn, and starts them again, at most `most` times. Without the limit, the instances
 * would spend most of the time starting. In the time of one start, an instance can do many print jobs.
 */
function startKilling(instances: readonly Shop[], most: number) {
  let isRunning = true;
  const killing = { kills: 0, stop: async () => {} };
  const loop = (async () => {
    // The pauses leave processor time for the print jobs, because the start of an instance uses most of a core.
    for (let turn = 0, pause = 4_000; isRunning && turn < most; turn += 1) {
      for (let waited = 0; isRunning && waited < pause; waited += 100) await sleep(100);
      if (!isRunning) return;
      const began = performance.now();
      // An instance that does not start in time is reported, and restarted at its next turn.
      await instances[turn % instances.length]?.restart(turn % 5 === 4 ? 'SIGTERM' : 'SIGKILL').catch(console.error);
      killing.kills += 1;
      pause = 4_000 + 5 * (performance.now() - began);
    }
  })();
  killing.stop = async () => {
    isRunning = false;
    await loop;
  };
  return killing;
}

/** A seeded random generator of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
