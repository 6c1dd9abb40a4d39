import { request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop } from '#testing/running-shop.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { evenly, percentile, processorTime, words } from './figures.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * What printers that poll cost, and how soon they hear of a job: `npm run bench:printing [jobs]`, 300 by default. Each poll
 * takes a connection of its own, as those of real printers.
 */
const jobs = Number(process.argv[2] ?? 300);
const pollEvery = 5;
const shop = await openShop({ LOG_LEVEL: 'info' });
try {
  const printers = await addPrinters(500);
  console.log('\nFrom the commit to a poll that is told of the job, while 50 printers poll every 5 s');
  const stop = pollAll(printers.slice(0, 50));
  await sleep(5_000);
  const waits = await waitForJobs(printers.slice(0, 50));
  await stop();
  tell(words(waits, 1), percentile(waits, 99) <= 1_000, 'p99 at most 1 s');

  // The same shop before, with the same orders and printers: what it does without being asked is no cost of polls.
  console.log(`\n${printers.length} printers that do not poll`);
  const rest = await measure();
  console.log(`  ${said(rest)}`);
  console.log(`\n${printers.length} printers that poll every 5 s, and find nothing`);
  const stopMany = pollAll(printers);
  const polling = await measure();
  const polls = await stopMany();
  console.log(`  ${said(polling)}`);
  const cost = polling.server - rest.server;
  tell(`polls cost node ${(cost * 100).toFixed(2)} % of one core`, cost <= 0.05, 'at most 5 %');
  // Their times are written every ten seconds, in one statement.
  const commitsMore = polling.commits - rest.commits;
  tell(`polls cost PostgreSQL ${commitsMore.toFixed(2)} transactions a second`, commitsMore <= 0.2, 'at most 0.2');
  console.log(`  ${polls} polls, ${((polling.server / (printers.length / pollEvery)) * 1e3).toFixed(2)} ms each`);
} finally {
  await shop.stop();
}
endWithGoals();

interface Printer {
  id: string;
  authorization: string;
}

async function addPrinters(count: number): Promise<Printer[]> {
  const printers: Printer[] = [];
  for (let index = 0; index < count; index += 1) {
    const printer = { store_id: shop.storeId, name: `Printer ${index}`, kind: 'star_cloudprnt', receipts: [] };
    const body = { ...printer, profile: 'star-mc-print', width_mm: 80 };
    const answer = await shop.api('POST', '/v1/printers', body, shop.adminToken);
    // A new printer's answer has these.
    const { id, username, secret } = answer.body['data'] as { id: string; username: string; secret: string };
    const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
    printers.push({ id, authorization });
  }
  return printers;
}

/** Whether a job is ready. */
function poll({ id, authorization }: Printer): Promise<boolean> {
  const { hostname, port } = new URL(shop.url);
  const body = JSON.stringify({
    statusCode: '200%20OK',
    printerMAC: '00:11:62:00:00:01',
    printingInProgress: false,
    clientAction: [{ request: 'GetPollInterval', result: '5' }],
  });
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const path = `/v1/printers/${id}/cloudprnt`;
    const sent = request({ hostname, port, path, method: 'POST', headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve((JSON.parse(text) as { jobReady: boolean }).jobReady);
        else reject(new Error(`${answer.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** All of them at their interval, evenly. Returns the function that ends it, and says how often they polled. */
function pollAll(printers: readonly Printer[]): () => Promise<number> {
  let isRunning = true;
  let count = 0;
  const loop = (async () => {
    while (isRunning) {
      let next = 0;
      await evenly(printers.length, pollEvery, async () => {
        const printer = printers[next];
        next += 1;
        if (printer && isRunning) await poll(printer);
        count += 1;
      });
    }
  })();
  return async () => {
    isRunning = false;
    await loop;
    return count;
  };
}

/** Milliseconds from each job's commit, at the latest, to the first poll that is told of it. */
async function waitForJobs(printers: readonly Printer[]): Promise<number[]> {
  const basket = await cashBasket(shop);
  const waits: number[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const printer = printers[job % printers.length] ?? printers[0];
    if (!printer) break;
    const placed = await shop.api('POST', '/v1/orders', { ...basket, session: randomUUID() }, shop.adminToken);
    const { id } = placed.body['data'] as { id: string };
    await shop.api('POST', `/v1/orders/${id}/accept`, {}, shop.adminToken);
    const body = { printType: 'kitchen', printer_id: printer.id };
    await shop.api('POST', `/v1/orders/${id}/print-receipt`, body, shop.adminToken);
    const committed = performance.now();
    while (!(await poll(printer))) await sleep(5);
    waits.push(performance.now() - committed);
    await takeJob(printer);
  }
  return waits;
}

/** Fetches and confirms what it was told of, as firmware without tokens. */
async function takeJob({ id, authorization }: Printer): Promise<void> {
  const url = `${shop.url}/v1/printers/${id}/cloudprnt`;
  await (await fetch(url, { headers: { authorization } })).arrayBuffer();
  await fetch(`${url}?code=OK`, { method: 'DELETE', headers: { authorization } });
}

interface Measured {
  /** Shares of one core. */
  server: number;
  database: number;
  /** Transactions a second. */
  commits: number;
}

/** A minute of what happens now. PostgreSQL may tell of a transaction a minute after it, so that long is waited before. */
async function measure(): Promise<Measured> {
  await sleep(70_000);
  const before = { ...processorTime(shop), at: performance.now(), commits: await commits() };
  await sleep(60_000);
  const after = { ...processorTime(shop), at: performance.now(), commits: await commits() };
  const passed = (after.at - before.at) / 1000;
  const perSecond = (name: 'server' | 'database' | 'commits') => (after[name] - before[name]) / passed;
  return { server: perSecond('server'), database: perSecond('database'), commits: perSecond('commits') };
}

function said({ server, database, commits: made }: Measured): string {
  const [node, postgres] = [server, database].map((share) => (share * 100).toFixed(2));
  return `node ${node} % of one core, PostgreSQL ${postgres} %, ${made.toFixed(2)} transactions a second`;
}

async function commits(): Promise<number> {
  let count = 0;
  await onDatabaseOf(shop.dataDir, async (client) => {
    const { rows } = await client.query(
      'select xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
    );
    count = rows[0].commits;
  });
  return count;
}
