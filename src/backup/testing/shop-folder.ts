import { join } from 'node:path';
import type pg from 'pg';
import { rowsOf } from '#backup/testing/every-row.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { runCommand } from '#hatch/commands.ts';
import { urlOf } from '#testing/database-url.ts';
import { startTestApp } from '#testing/test-app.ts';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Runs a `hatch` command, and types `secret` at its prompt. */
export async function hatch(argv: string[], environment: NodeJS.ProcessEnv, secret = '') {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const terminal = { say, complain: say, askSecretly: async () => secret };
  const code = await runCommand(argv, environment, terminal);
  return { code, text: lines.join('\n'), lines };
}

/** Runs `work` on the database of a data folder, without a shop. */
export async function onEmbedded<T>(
  dataDir: string,
  work: (connection: pg.PoolConfig, embedded: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: quiet });
  return work(embedded.connection, embedded).finally(embedded.stop);
}

/**
 * Makes the data folder of a stopped shop with orders, and copies of it in `home`, sealed ones with a passphrase.
 * Returns its rows.
 */
export async function makeShopFolder(
  home: string,
  dataDir: string,
  passphrase?: string,
): Promise<Record<string, string[]>> {
  const app = await startTestApp();
  for (let n = 0; n < 3; n += 1) await app.request('POST', '/v1/orders', { body: app.orderBody() });
  const copies = join(home, 'copies');
  const shop = { DATABASE_URL: urlOf(app.database.config), DATA_DIR: app.services.config.dataDir };
  const sealing = { ...shop, BACKUP_PASSPHRASE: passphrase ?? '' };
  for (const [argv, environment] of [
    [['backup', '--to', copies], shop],
    ...(passphrase === undefined ? [] : [[['backup', '--to', join(home, 'sealed')], sealing] as const]),
    [['restore', '--from', copies, '--data-dir', dataDir], { DATA_DIR: dataDir }],
  ] as const) {
    const { code, text } = await hatch([...argv], environment);
    if (code !== 0) throw new Error(text);
  }
  await app.close();
  return onEmbedded(dataDir, rowsOf);
}
