/** A map, or a cache with a limit. */
interface Kept<T> {
  get(name: string): Promise<T> | undefined;
  set(name: string, making: Promise<T>): unknown;
  delete(name: string): unknown;
}

/** The value under a name, made at the first request for it. After a failure the next request retries. */
export function makeOnce<T>(kept: Kept<T>, name: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(name);
  if (known) return known;
  const making = make();
  kept.set(name, making);
  making.catch(() => kept.delete(name));
  return making;
}
