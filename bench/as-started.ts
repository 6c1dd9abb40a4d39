import { readFileSync } from 'node:fs';

/** The environment and the flags of Node that every start sets, read from `bin/hatch`. */
export const asStarted: { environment: Record<string, string>; flags: string[] } = readStart();

function readStart() {
  const launcher = readFileSync('bin/hatch', 'utf8');
  const settings = /^export (NODE_ENV=.*)$/m.exec(launcher)?.[1]?.split(' ');
  const flags = /^exec node (.*) \$\{settings.*src\/server\.ts/m.exec(launcher)?.[1]?.split(' ');
  if (!settings || !flags) throw new Error('bin/hatch does not start the server.');
  return { environment: Object.fromEntries(settings.map((word) => word.split('=', 2) as [string, string])), flags };
}
