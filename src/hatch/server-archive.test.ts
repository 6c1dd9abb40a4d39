import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded/embedded-postgres.ts';
import { runCommand } from '#hatch/commands.ts';
import type { ShopStatus } from '#hatch/shop-status.ts';
import { urlOf } from '#testing/database-url.ts';

// It starts a real server, whose archiver a busy machine slows down.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let home: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hatch-archive-'));
  await mkdir(join(home, 'archive'));
  // Root's database runs as another user.
  await chmod(home, 0o755);
  await chmod(join(home, 'archive'), 0o777);
  server = await startEmbeddedPostgres({
    dataDir: join(home, 'data'),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    settings: {
      fsync: 'off',
      archive_mode: 'on',
      archive_command: `test ! -e ${home}/broken && cp %p ${home}/archive/%f`,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true });
});

async function hatch(...argv: string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const environment = { DATABASE_URL: urlOf(server.connection), DATA_DIR: home };
  await runCommand(argv, environment, { say, complain: say, askSecretly: async () => '' });
  return lines.join('\n');
}

/** The server archives a file of its log when it is full: 16 MB. */
async function write(): Promise<void> {
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query(`select pg_logical_emit_message(false, 'dishes', repeat('x', 17000000))`);
  await client.end();
}

const archiveAfterWriting = async () => {
  await write();
  return (JSON.parse(await hatch('status', '--json')) as ShopStatus).archive;
};

test('hatch status shows whether a server archives its log, and hatch doctor when it cannot', async () => {
  await expect
    .poll(archiveAfterWriting, { timeout: 60_000, interval: 200 })
    .toEqual(
      expect.objectContaining({ is_failing: false, last_archived_at: expect.any(String), last_failed_at: null }),
    );
  expect(await hatch('status')).toMatch(/^Archive {3}of PostgreSQL’s log: last 20\d\d-.* UTC$/m);
  expect(await hatch('doctor')).not.toContain('archive');
  await writeFile(join(home, 'broken'), '');
  await expect.poll(archiveAfterWriting, { timeout: 60_000, interval: 200 }).toMatchObject({ is_failing: true });
  expect(await hatch('status')).toContain('(the last one too)');
  expect(await hatch('doctor')).toMatch(/^error {4}PostgreSQL cannot archive its log: it failed 20/m);
});
