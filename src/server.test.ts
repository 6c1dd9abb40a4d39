import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

test('SIGTERM to `npm start` ends the shop and its database with it', { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hatch-start-'));
  const npm = spawn('npm', ['start'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await vi.waitFor(() => expect(said).toContain('The shop is open at'), { timeout: 60_000, interval: 100 });
    const own = async () => (await commands()).filter(({ environment }) => environment.includes(`DATA_DIR=${dataDir}`));
    expect((await own()).some(({ command }) => command.includes('src/server.ts'))).toBe(true);
    const [pid] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
    const ended = once(npm, 'exit');
    // To npm alone, as a supervisor does that knows no other process.
    process.kill(npm.pid ?? 0, 'SIGTERM');
    await ended;
    await vi.waitFor(async () => expect(await own()).toEqual([]), { timeout: 15_000, interval: 100 });
    // One that has ended and that nobody has asked about has no command line any more.
    expect((await commands()).filter((one) => one.pid === pid && one.command !== '')).toEqual([]);
  } finally {
    npm.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** The processes that run now and that this user may look into. */
async function commands(): Promise<{ pid: string; command: string; environment: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  return Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: await read(pid, 'cmdline'),
      environment: (await read(pid, 'environ')).replaceAll('\0', '\n'),
    })),
  );
}
