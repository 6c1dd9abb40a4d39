/** Passes measured values to its listeners; without a listener it costs nothing. */
export interface ValueFeed<T> {
  note(value: T): void;
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
