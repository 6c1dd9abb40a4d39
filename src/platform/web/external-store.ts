export interface ExternalStore<State> {
  read(): State;
  set(next: State): void;
  /** Calls the listener after each change; returns the function that ends it, as `useSyncExternalStore` wants. */
  subscribe(listener: () => void): () => void;
}

/**
 * Holds a value outside of components, for `useSyncExternalStore`. `first` returns the value at the first read.
 * `whileHeard` is called when the first listener subscribes; it returns a function to call when the last listener has
 * left.
 */
export function createExternalStore<State>(first: () => State, whileHeard?: () => () => void): ExternalStore<State> {
  const listeners = new Set<() => void>();
  let held: { state: State } | null = null;
  let end: (() => void) | undefined;
  return {
    read: () => (held ??= { state: first() }).state,
    set(next) {
      held = { state: next };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) end = whileHeard?.();
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) end?.();
      };
    },
  };
}
