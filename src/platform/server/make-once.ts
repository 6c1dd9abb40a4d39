/** A map, or a cache with a limit. */
interface Kept<T> {
  get(name: string): Promise<T> | undefined;
  set(name: string, making: Promise<T>): unknown;
  delete(name: string): unknown;
}

/** What is kept under a name, made by the first who asks for it. What could not be made is tried again by the next. */
export function makeOnce<T>(kept: Kept<T>, name: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(name);
  if (known) return known;
  const making = make();
  kept.set(name, making);
  making.catch(() => kept.delete(name));
  return making;
}
