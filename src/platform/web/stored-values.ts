/** Reads a value of the browser's storage; null if it is missing, or the storage is blocked or unreadable. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. If the storage is blocked or full, the value is not stored. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked or full. The page still works, but the value is lost at a reload.
  }
}
