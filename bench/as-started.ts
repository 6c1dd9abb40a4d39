import { readFileSync } from 'node:fs';

/** The environment and the flags of Node that `npm start` sets, read from package.json. */
export const asStarted: { environment: Record<string, string>; flags: string[] } = readStart();

function readStart() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  // The last of its steps; the others prepare it.
  const script = words.indexOf('src/server.ts');
  const program = words.lastIndexOf('node', script);
  if (program < 0 || script < 0) throw new Error(`"${scripts.start}" does not start the server.`);
  const settings = words.slice(words.lastIndexOf('&&', program) + 1, program).filter((word) => /^[A-Z_]+=/.test(word));
  return {
    environment: Object.fromEntries(settings.map((word) => word.split('=', 2) as [string, string])),
    flags: words.slice(program + 1, script),
  };
}
