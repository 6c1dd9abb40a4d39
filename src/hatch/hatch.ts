import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { runCommand } from '#hatch/commands.ts';
import { ConfigError } from '#platform/errors.ts';

const terminal = {
  say: (line: string) => void process.stdout.write(`${line}\n`),
  complain: (line: string) => void process.stderr.write(`${line}\n`),
  askSecretly,
};

/**
 * Reads a line from a terminal without showing it, or the first line of piped input. Throws ConfigError if it is empty.
 */
async function askSecretly(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTerminal = process.stdin.isTTY;
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  // `createInterface` has turned off the terminal's echo, so the answer to the question is not shown.
  process.stderr.write(question);
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    if (isTerminal) process.stderr.write('\n');
    if (typeof value !== 'string' || value === '') throw new ConfigError('Nothing was typed, so nothing was changed.');
    return value;
  } finally {
    lines.close();
  }
}

process.exit(await runCommand(process.argv.slice(2), process.env, terminal));
