import { attackShop } from './attack.ts';
import { soakOutages } from './soak/away.ts';
import { soakMajorUpgrade } from './soak/major.ts';
import { soakMetrics } from './soak/metrics.ts';
import { soakBackup } from './soak/copy.ts';
import { soakDates } from './soak/calendar.ts';
import { soakFullDisk } from './soak/disk.ts';
import { soakPaymentModel } from './soak/payments.ts';
import { soakPlantedBugs } from './soak/planted.ts';
import { soakPrintJobs } from './soak/printing.ts';
import { soakReceiptTexts } from './soak/receipts.ts';
import { soakPropertyTests } from './soak/properties.ts';
import { soakRedisOutages } from './soak/redis.ts';
import { soakRelease } from './soak/release.ts';
import { soakRestore } from './soak/restore.ts';
import { soakStarts } from './soak/start.ts';
import { soakTests } from './soak/tests.ts';
import { soakWriters } from './soak/writers.ts';

/** The soak tests by name. They take too long to run for every change. Each test's file describes its arguments. */
const soaks: Record<string, (args: string[]) => Promise<boolean>> = {
  tests: soakTests,
  calendar: soakDates,
  properties: soakPropertyTests,
  metrics: soakMetrics,
  writers: soakWriters,
  away: soakOutages,
  disk: soakFullDisk,
  redis: soakRedisOutages,
  payments: soakPaymentModel,
  planted: soakPlantedBugs,
  receipts: soakReceiptTexts,
  printing: soakPrintJobs,
  start: soakStarts,
  attack: attackShop,
  release: soakRelease,
  copy: soakBackup,
  major: soakMajorUpgrade,
  restore: soakRestore,
};
/** The soak tests of `npm run soak -- shop`. They run one after the other, because each needs the machine to itself. */
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
