/** Things that happen in this process, for whoever counts them. Without a listener it costs nothing. */
export interface Measure<T> {
  note(value: T): void;
  /** Returns the function that ends it. */
  listen(listener: (value: T) => void): () => void;
}

export function createMeasure<T>(): Measure<T> {
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
