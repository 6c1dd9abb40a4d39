import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

// Loaded before the server in journeys (`node --import`), so that its clock can be moved. Production knows nothing of it.
const realNow = Date.now;
let ahead = 0;

const now = (): number => realNow() + ahead;
globalThis.Date = new Proxy(Date, {
  // Only "now" is moved; a time that was given is that time.
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

// Time that passes is counted by the machine as well; a clock that jumps is not.
let passed = 0;
const realUptime = os.uptime;
os.uptime = () => realUptime() + passed / 1000;
syncBuiltinESMExports();

process.on('message', (message: { ahead: number; passed: number }) => {
  ({ ahead, passed } = message);
  process.send?.(message);
});
process.channel?.unref();
