/** Passes measured values to the listeners that count them. Without a listener it costs nothing. */
export interface ValueFeed<T> {
  note(value: T): void;
  /** Adds a listener; returns the function that removes it. */
  listen(listener: (value: T) => void): () => void;
}

export function createValueFeed<T>(): ValueFeed<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    note(value) {
      for (const listener of listeners) listener(value);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
