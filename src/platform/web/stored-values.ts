/** A value that this browser stores; null if there is none, or if the storage is blocked or unreadable. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value, or removes it with null. Without storage, or if it is full, nothing is stored. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked or full. The page still works, but the value is lost at a reload.
  }
}
