import { surviveTrouble } from './soak/away.ts';
import { fillDisk } from './soak/disk.ts';
import { loseRedis } from './soak/redis.ts';
import { repeatTests } from './soak/tests.ts';

/** What takes too long for every change; see each for what may follow its name. */
const soaks: Record<string, (args: string[]) => Promise<boolean>> = {
  tests: repeatTests,
  away: surviveTrouble,
  disk: fillDisk,
  redis: loseRedis,
};

const [name = '', ...args] = process.argv.slice(2);
const soak = Object.hasOwn(soaks, name) ? soaks[name] : undefined;
if (!soak) {
  console.error(`Say which: npm run soak -- ${Object.keys(soaks).join(' | ')}`);
  process.exit(2);
}
process.exit((await soak(args)) ? 0 : 1);
