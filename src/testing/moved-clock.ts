// Loaded before the server in journeys (`node --import`), so that its clock can be moved. Production knows nothing of it.
const realNow = Date.now;
let ahead = 0;

const now = (): number => realNow() + ahead;
globalThis.Date = new Proxy(Date, {
  // Only "now" is moved; a time that was given is that time.
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

process.on('message', (message: { ahead: number }) => {
  ahead = message.ahead;
  process.send?.(message);
});
process.channel?.unref();
