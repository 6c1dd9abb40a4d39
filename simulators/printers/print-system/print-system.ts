import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrintSystemState } from './commands.ts';

export interface PrintSystem {
  /** In which its commands are found before all others. */
  environment: NodeJS.ProcessEnv;
  change(part: Partial<PrintSystemState>): Promise<void>;
  /** The printers take what waits. Resolves to the bytes that each got. */
  handOn(): Promise<Buffer[]>;
  waiting(): Promise<PrintSystemState['jobs']>;
  /** The commands that were called, with their arguments. */
  calls(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A print system of this machine with one queue: programs that stand where those of CUPS would. */
export async function startPrintSystem(queue: string): Promise<PrintSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'print-system-'));
  const script = join(import.meta.dirname, 'commands.ts');
  for (const command of ['lp', 'lpstat', 'cancel']) {
    const path = join(folder, command);
    await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' ${command} '${folder}' "$@"\n`);
    await chmod(path, 0o755);
  }
  const file = join(folder, 'state.json');
  const read = async () => JSON.parse(await readFile(file, 'utf8')) as PrintSystemState;
  const change = async (part: Partial<PrintSystemState>) =>
    writeFile(file, JSON.stringify({ ...(await read()), ...part }));
  const first: PrintSystemState = {
    isRunning: true,
    queues: { [queue]: { isStopped: false, reason: '' } },
    jobs: [],
    hangs: [],
    next: 1,
  };
  await writeFile(file, JSON.stringify(first));
  return {
    environment: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    change,
    async handOn() {
      const { jobs } = await read();
      await change({ jobs: [] });
      return Promise.all(jobs.map(({ id }) => readFile(join(folder, id))));
    },
    waiting: async () => (await read()).jobs,
    calls: async () => (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n'),
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
