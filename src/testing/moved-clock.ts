import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { replaceNow } from '#testing/replace-now.ts';

// Journeys load it before the server (`node --import`), to be able to move its clock. Production never loads it.
let ahead = 0;
replaceNow((real) => real + ahead);

// The machine's uptime also counts time that passes; it does not count a jump of the clock.
let passed = 0;
const realUptime = os.uptime;
os.uptime = () => realUptime() + passed / 1000;
syncBuiltinESMExports();

process.on('message', (message: { ahead: number; passed: number }) => {
  ({ ahead, passed } = message);
  process.send?.(message);
});
process.channel?.unref();
