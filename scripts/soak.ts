import { attackShop } from './attack.ts';
import { surviveTrouble } from './soak/away.ts';
import { carryOverMajor } from './soak/major.ts';
import { scrapeShop } from './soak/metrics.ts';
import { burnAndRestore } from './soak/copy.ts';
import { moveCalendar } from './soak/calendar.ts';
import { fillDisk } from './soak/disk.ts';
import { modelPayments } from './soak/payments.ts';
import { findPlantedBugs } from './soak/planted.ts';
import { printMuch } from './soak/printing.ts';
import { printStrangeTexts } from './soak/receipts.ts';
import { drawMany } from './soak/properties.ts';
import { loseRedis } from './soak/redis.ts';
import { tryRelease } from './soak/release.ts';
import { restoreShop } from './soak/restore.ts';
import { tellCrashesFromCopies } from './soak/start.ts';
import { repeatTests } from './soak/tests.ts';
import { writeMuch } from './soak/writers.ts';

/** The soak tests, by name: they take too long for every change. Each file describes its arguments. */
const soaks: Record<string, (args: string[]) => Promise<boolean>> = {
  tests: repeatTests,
  calendar: moveCalendar,
  properties: drawMany,
  metrics: scrapeShop,
  writers: writeMuch,
  away: surviveTrouble,
  disk: fillDisk,
  redis: loseRedis,
  payments: modelPayments,
  planted: findPlantedBugs,
  receipts: printStrangeTexts,
  printing: printMuch,
  start: tellCrashesFromCopies,
  attack: attackShop,
  release: tryRelease,
  copy: burnAndRestore,
  major: carryOverMajor,
  restore: restoreShop,
};
/** The soaks that run one after the other, because each needs a shop to itself. */
const inTurn = ['writers', 'away', 'disk', 'redis'];

const [name = '', ...args] = process.argv.slice(2);
const names = name === 'shop' ? inTurn : Object.hasOwn(soaks, name) ? [name] : [];
if (names.length === 0) {
  console.error(`Say which: npm run soak -- ${Object.keys(soaks).join(' | ')}, or shop for all but the tests`);
  process.exit(2);
}
let isGood = true;
for (const one of names) {
  if (names.length > 1) console.log(`\n${one}`);
  isGood = ((await soaks[one]?.(args)) ?? false) && isGood;
}
process.exit(isGood ? 0 : 1);
