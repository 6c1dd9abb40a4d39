import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { EmbeddedConnection } from '#database/embedded/access.ts';
import { startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { cleanUp, killDatabase, makeFolder, query, startApp } from '#database/testing/embedded-apps.ts';
import { printChecks } from './rush.ts';

/**
 * Kills the app, its database or both during a start or later, and restarts in the same folder: `npm run soak -- start
 * [kills] [copies]`. Then it copies the folder while orders are written, and starts the copies. The defaults are 500
 * kills and 100 copies. After each kill the app must start without loss; each copy must be refused.
 */
export async function soakStarts([kills = '500', copies = '100']: string[]): Promise<boolean> {
  const home = await makeFolder();
  const dataDir = join(home, 'data');
  try {
    const crashed = await crash(dataDir, Number(kills));
    const copied = await copy(dataDir, home, Number(copies));
    return printChecks([
      [`${crashed.refused} of ${kills} crashes in place refused`, crashed.refused === 0],
      [`${crashed.kept} of ${crashed.written} orders kept`, crashed.kept === crashed.written],
      [`${copied.started} of ${copies} copies started`, copied.started === 0],
      [`${copied.otherwise} of ${copies} copies refused for another reason`, copied.otherwise === 0],
    ]);
  } finally {
    await cleanUp();
  }
}

const writeOrder = 'INSERT INTO orders DEFAULT VALUES';
const countOrders = 'SELECT count(*)::int orders FROM orders';

async function crash(dataDir: string, kills: number) {
  const first = startApp(dataDir);
  await query(await first.ready(), 'CREATE TABLE orders (id serial PRIMARY KEY)');
  await first.kill('SIGKILL');
  let [refused, written] = [0, 0];
  for (let n = 0; n < kills; n += 1) {
    const app = startApp(dataDir);
    // Half of the kills happen during the start.
    if (n % 2 === 0) await sleep(Math.random() * 1_000);
    else {
      const connection = await app.ready().catch(() => null);
      if (connection) await query(connection, writeOrder).then(() => (written += 1));
      await sleep(Math.random() * 200);
    }
    if (app.said.some(({ state }) => state === 'refused')) refused += 1;
    if (n % 3 !== 1) await app.kill('SIGKILL');
    if (n % 3 !== 0) await killDatabase(dataDir);
    if (n % 3 === 1) await app.kill('SIGKILL');
    process.stdout.write(`\r${n + 1} of ${kills} kills, ${written} orders, ${refused} refused `);
  }
  console.log();
  const last = startApp(dataDir);
  const [row] = await query(await last.ready(), countOrders);
  await last.kill('SIGTERM');
  return { refused, written, kept: Number(row?.['orders']) };
}

async function copy(dataDir: string, home: string, copies: number) {
  const app = startApp(dataDir);
  const stop = await keepWriting(await app.ready());
  const quiet = { info() {}, warn() {}, error() {} };
  const target = join(home, 'copy');
  let [started, otherwise] = [0, 0];
  for (let n = 0; n < copies; n += 1) {
    await sleep(Math.random() * 200);
    if (n % 2 === 0) execFileSync('cp', ['-a', dataDir, target], { stdio: 'ignore' });
    else {
      await mkdir(target);
      const piped = 'tar -C "$1" --exclude=.s.PGSQL* --warning=no-file-changed -cf - . | tar -C "$2" -xf -';
      execFileSync('sh', ['-c', piped, 'sh', dataDir, target], { stdio: 'ignore' });
    }
    try {
      const copied = await startEmbeddedPostgres({ dataDir: target, log: quiet });
      started += 1;
      await copied.stop();
    } catch (error) {
      if ((error as { code?: string }).code !== 'copied_while_running') otherwise += 1;
    }
    await rm(target, { recursive: true });
    process.stdout.write(`\r${n + 1} of ${copies} copies, ${started} started `);
  }
  console.log();
  await stop();
  await app.kill('SIGTERM');
  return { started, otherwise };
}

/** Writes orders without a pause until the returned function is called. */
async function keepWriting(connection: EmbeddedConnection): Promise<() => Promise<void>> {
  const client = new Client(connection);
  await client.connect();
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) await client.query(writeOrder);
  })();
  return async () => {
    isWriting = false;
    await writing;
    await client.end();
  };
}
