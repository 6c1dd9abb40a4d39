import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { putBack } from '#testing/personal-data.ts';

/** How another server connects to the embedded database of a data folder. */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'cluster/hatch-password'), 'utf8')).trim();
  return `postgres://hatch:${password}@localhost/hatch?host=${encodeURIComponent(join(folder, 'sockets'))}`;
}

/** Connects to the embedded database of a shop that runs on this folder. */
export async function connectTo(dataDir: string): Promise<Client> {
  const client = new Client({ connectionString: await databaseUrlOf(dataDir) });
  await client.connect();
  return client;
}

/** Runs `work` with its own connection to the database of a data folder. */
export async function onDatabaseOf<T>(dataDir: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectTo(dataDir);
  return work(client).finally(() => client.end());
}

/** Resets a shop to its kept data, except for its version: adds `step` to the version and returns it. */
export async function putShopBack(dataDir: string, storeId: string, step: number): Promise<number> {
  let version = 0;
  await onDatabaseOf(dataDir, (client) =>
    putBack(client, async () => {
      const { rows } = await client.query<{ version: number }>(
        'update stores set version = version + $2 where id = $1 returning version',
        [storeId, step],
      );
      version = rows[0]?.version ?? 0;
      // The server waits for a board as long as after its start.
      await client.query(
        `insert into board_watches (store_id, seen_at) values ($1, now())
         on conflict (store_id) do update set seen_at = now(), lost_at = null`,
        [storeId],
      );
    }),
  );
  return version;
}
