import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isDrawingMany, slowDraws } from '#testing/draws.ts';

export interface Program {
  argv: readonly string[];
  environment: Record<string, string>;
}

const kill = './src/testing/die-at-step.ts';

/** Runs a program to its end, or kills it at a step. `said`: its output. */
export async function runUntil({ argv, environment }: Program, steps: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', kill, ...argv], {
    env: { ...process.env, ...environment, ...steps },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, isKilled: signal === 'SIGKILL', said };
}

/** Counts the steps of a program that runs to its end. */
export async function countSteps(program: Program): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'hatch-steps-'));
  const file = join(folder, 'steps');
  const { code, said } = await runUntil(program, { HATCH_STEPS: file });
  if (code !== 0) throw new Error(`It ended with ${code}: ${said}`);
  const steps = Number(await readFile(file, 'utf8'));
  await rm(folder, { recursive: true });
  return steps;
}

/** Draws steps to be killed at: half of them among the last dozen, in which files are renamed. */
export function drawSteps(all: number): number[] {
  const numRuns = isDrawingMany ? slowDraws : 3;
  const anywhere = fc.sample(fc.integer({ min: 1, max: all }), numRuns);
  const late = fc.sample(fc.integer({ min: Math.max(1, all - 12), max: all }), numRuns);
  return [...anywhere, ...late];
}

export const dieAt = (step: number) => ({ HATCH_DIE_AT: String(step) });
