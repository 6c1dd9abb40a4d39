import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

// Journeys load it before the server (`node --import`), to be able to move its clock. Production never loads it.
const realNow = Date.now;
let ahead = 0;

const now = (): number => realNow() + ahead;
globalThis.Date = new Proxy(Date, {
  // Only "now" is moved; an explicit time stays the same.
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

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
