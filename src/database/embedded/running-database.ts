import { realpath } from 'node:fs/promises';
import { connectionOf, type EmbeddedConnection, signIn } from '#database/embedded/access.ts';
import { clusterFolders, readPassword } from '#database/embedded/cluster.ts';
import { isAlive } from '#database/embedded/process.ts';
import { readPidFile } from '#database/embedded/server.ts';

/** How another process reaches the database of the shop that runs on this data folder; null: none runs there. */
export async function findRunningDatabase(dataDir: string): Promise<EmbeddedConnection | null> {
  const folders = clusterFolders(await realpath(dataDir).catch(() => dataDir));
  const server = readPidFile(folders);
  const password = await readPassword(folders);
  if (server?.status !== 'ready' || !isAlive(server.pid) || !password) return null;
  const close = () => undefined;
  const ways = [
    { transport: 'socket' as const, host: folders.sockets, port: 5432, close },
    { transport: 'tcp' as const, host: '127.0.0.1', port: server.port, close },
  ];
  for (const access of ways) {
    if (await signIn(access, password).catch(() => false)) return connectionOf(access, password);
  }
  return null;
}
