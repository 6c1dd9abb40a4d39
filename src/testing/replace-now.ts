/** Has `Date` tell `tell(the real time)` as the present, in milliseconds. An explicit time stays the same. */
export function replaceNow(tell: (real: number) => number): void {
  const realNow = Date.now;
  const now = (): number => tell(realNow());
  globalThis.Date = new Proxy(Date, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}
