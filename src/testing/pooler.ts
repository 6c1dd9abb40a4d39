import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { findFreePort } from '#database/embedded/access.ts';

export interface Pooler {
  /** The address of the database behind it. */
  url: string;
  stop(): Promise<void>;
}

/** The user of PgBouncer where the tests run as root, which it refuses. */
const nobody = { uid: 65_534, gid: 65_534 };

/** A real PgBouncer in front of a test's database (`apt-get install pgbouncer`). */
export async function startPooler(
  { host = '', port = 0, user, password, database }: pg.PoolConfig,
  mode: 'session' | 'transaction' | 'statement',
): Promise<Pooler> {
  const behind = await openToAll(join(host, `.s.PGSQL.${port}`));
  const folder = await mkdtemp(join(tmpdir(), 'hatch-pooler-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const own = await findFreePort();
  const login = `user=${user} password=${String(password)}`;
  const settings = [
    `[databases]\nshop = host=127.0.0.1 port=${behind.port} dbname=${database} ${login}`,
    `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any`,
    `pool_mode = ${mode}\ndefault_pool_size = 20`,
  ];
  await writeFile(file, settings.join('\n'));
  const child = spawn('pgbouncer', [file], { stdio: 'ignore', ...(process.getuid?.() === 0 && nobody) });
  const url = `postgres://anybody@127.0.0.1:${own}/shop`;
  await vi.waitFor(() => tryOnce(url), { timeout: 10_000, interval: 50 });
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      behind.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The database's socket, which is its user's alone, on a port of this machine. */
async function openToAll(path: string) {
  const server = createServer((client) => {
    const database = connect(path);
    client.pipe(database).pipe(client);
    client.on('error', () => database.destroy());
    database.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, close: () => server.close() };
}

async function tryOnce(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.end();
}
