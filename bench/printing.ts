import { request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cashBasket } from '#testing/cash-basket.ts';
import { openShop } from '#testing/running-shop.ts';
import { onDatabaseOf } from '#testing/shop-database.ts';
import { evenly, percentile, processorTime, words } from './figures.ts';
import { endWithGoals, tell } from './goals.ts';

/**
 * The cost of printers that poll, and the delay until they hear of a job: `npm run bench -- printing [jobs]`, 300 by default. Each poll
 * takes a connection of its own, as those of real printers.
 */
const jobs = Number(process.argv[2] ?? 300);
const pollEvery = 5;
/** More than a takeaway has. */
const printerCount = 12;
const shop = await openShop({ LOG_LEVEL: 'info' });
try {
  const printers = await addPrinters('star_cloudprnt', printerCount);
  console.log('\nFrom the commit to a poll that is told of the job, while they poll every 5 s');
  const stop = pollAll(printers, poll);
  await sleep(5_000);
  const waits = await waitForJobs(printers);
  await stop();
  tell(words(waits, 1), percentile(waits, 99) <= 1_000, 'p99 at most 1 s');

  // The same shop before, with the same orders and printers: what it does without being asked is no cost of polls.
  console.log(`\n${printers.length} printers that do not poll`);
  const rest = await measure();
  console.log(`  ${said(rest)}`);
  console.log(`\n${printers.length} printers that poll every 5 s, and find nothing`);
  const { cost, commits: commitsMore } = await costOf(pollAll(printers, poll), rest);
  tell(`polls cost node ${(cost * 100).toFixed(2)} % of one core`, cost <= 0.01, 'at most 1 %');
  // Their times are written every ten seconds, in one statement.
  tell(`polls cost PostgreSQL ${commitsMore.toFixed(2)} transactions a second`, commitsMore <= 0.2, 'at most 0.2');

  const epsons = await addPrinters('epson_sdp', printerCount);
  console.log(`\n${epsons.length} Epson printers that ask every 5 s, and say how they are at every second poll`);
  const epson = await costOf(pollAll(epsons, askAsEpson), rest);
  console.log(`  polls cost node ${(epson.cost * 100).toFixed(2)} % of one core`);
} finally {
  await shop.stop();
}
endWithGoals();

interface Printer {
  id: string;
  username: string;
  authorization: string;
}

async function addPrinters(kind: 'star_cloudprnt' | 'epson_sdp', count: number): Promise<Printer[]> {
  const profile = kind === 'epson_sdp' ? 'epson-tm-m30' : 'star-mc-print';
  const printers: Printer[] = [];
  for (let index = 0; index < count; index += 1) {
    const printer = { store_id: shop.storeId, name: `${kind} ${index}`, kind, receipts: [] };
    const body = { ...printer, profile, width_mm: 80 };
    const answer = await shop.api('POST', '/v1/printers', body, shop.adminToken);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    // A new printer's answer has these.
    const { id, username, secret } = answer.body['data'] as { id: string; username: string; secret: string };
    const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
    printers.push({ id, username, authorization });
  }
  return printers;
}

/** Whether a job is ready. */
async function poll(printer: Printer): Promise<boolean> {
  const body = JSON.stringify({
    statusCode: '200%20OK',
    printerMAC: '00:11:62:00:00:01',
    printingInProgress: false,
    clientAction: [{ request: 'GetPollInterval', result: '5' }],
  });
  const answer = await post(printer, 'cloudprnt', 'application/json', body);
  return (JSON.parse(answer) as { jobReady: boolean }).jobReady;
}

/** Asks for a job, and says how it is when it is asked. */
async function askAsEpson(printer: Printer): Promise<void> {
  const form = 'application/x-www-form-urlencoded';
  const own = { ID: printer.username, Name: '' };
  const asked = await post(
    printer,
    'epson',
    form,
    String(new URLSearchParams({ ConnectionType: 'GetRequest', ...own })),
  );
  if (asked === '') return;
  const [, token = ''] = /<printjobid>(.*?)<\/printjobid>/.exec(asked) ?? [];
  const parameter = `<Parameter><devid>local_printer</devid><printjobid>${token}</printjobid></Parameter>`;
  const xmlns = 'http://www.epson-pos.com/schemas/2011/03/epos-print';
  const response = `<response xmlns="${xmlns}" success="true" code="" status="251658262" battery="0"/>`;
  const said = `<ePOSPrint>${parameter}<PrintResponse>${response}</PrintResponse></ePOSPrint>`;
  const file = `<?xml version="1.0" encoding="utf-8"?><PrintResponseInfo Version="2.00">${said}</PrintResponseInfo>`;
  const answer = { ConnectionType: 'SetResponse', ResponseFile: file, ...own };
  await post(printer, 'epson', form, String(new URLSearchParams(answer)));
}

/** The text of an answer of 200. */
function post({ id, authorization }: Printer, way: string, type: string, body: string): Promise<string> {
  const { hostname, port } = new URL(shop.url);
  const headers = { authorization, 'content-type': type, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const path = `/v1/printers/${id}/${way}`;
    const sent = request({ hostname, port, path, method: 'POST', headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${answer.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** All of them at their interval, evenly. Returns the function that ends it, and says how often they polled. */
function pollAll(printers: readonly Printer[], once: (printer: Printer) => Promise<unknown>): () => Promise<number> {
  let isRunning = true;
  let count = 0;
  const loop = (async () => {
    while (isRunning) {
      let next = 0;
      await evenly(printers.length, pollEvery, async () => {
        const printer = printers[next];
        next += 1;
        if (printer && isRunning) await once(printer);
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

/** What printers cost that poll until `stop`, beside the shop at rest. */
async function costOf(stop: () => Promise<number>, rest: Measured): Promise<{ cost: number; commits: number }> {
  const polling = await measure();
  const polls = await stop();
  console.log(`  ${said(polling)}`);
  const cost = polling.server - rest.server;
  console.log(`  ${polls} polls, ${((cost / (printerCount / pollEvery)) * 1e3).toFixed(2)} ms each`);
  return { cost, commits: polling.commits - rest.commits };
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
