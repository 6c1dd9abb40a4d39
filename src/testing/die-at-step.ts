// Loaded with --import: kills its process at the step that HATCH_DIE_AT numbers, or counts the steps in the file
// HATCH_STEPS.
// A step is a call of the file system or a statement, before it is sent.
import files from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

const dieAt = Number(process.env['HATCH_DIE_AT'] ?? 0);
const countIn = process.env['HATCH_STEPS'];
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

function count(owner: object, name: string): void {
  // Each name below is that of a function.
  const functions = owner as Record<string, AnyFunction>;
  const real = functions[name];
  if (!real) throw new Error(`There is no ${name}.`);
  functions[name] = function counted(...args) {
    step();
    return real.apply(this, args);
  };
}

for (const name of ['open', 'rename', 'mkdir', 'rm', 'rmdir', 'writeFile', 'chmod', 'chown', 'lchown'])
  count(files, name);
syncBuiltinESMExports();
count(pg.Client.prototype, 'query');
if (countIn !== undefined) process.on('exit', () => writeFileSync(countIn, String(steps)));
