import { fileURLToPath } from 'node:url';
import { type NpmScript, scriptFiles } from './npm-script-files.ts';

// `node scripts/run-named-script.ts bench web 5` runs bench/web.ts with the argument 5; `npm-script-files.ts` lists the
// names.

const [command = '', name = '', ...args] = process.argv.slice(2);
// The cast is safe, because package.json uses only these commands.
const byName: Record<string, string> = scriptFiles[command as NpmScript];
const file = byName[name];
if (file === undefined) {
  const names = Object.keys(byName).filter(Boolean);
  console.error(`Say which: npm run ${command} -- ${names.join(' | ')}`);
  process.exit(2);
}
const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
process.argv.splice(1, Infinity, path, ...args);
await import(path);
