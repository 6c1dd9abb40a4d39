import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs the benchmark of fifty writers, customers, readers and an editor of the menu. Returns whether it passed. */
export async function soakWriters(args: string[]): Promise<boolean> {
  const [code] = (await once(spawn(process.execPath, ['bench/writers.ts', ...args], { stdio: 'inherit' }), 'exit')) as [
    number | null,
  ];
  return code === 0;
}
