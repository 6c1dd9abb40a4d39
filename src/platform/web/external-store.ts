export interface ExternalStore<State> {
  read(): State;
  set(next: State): void;
  /** Calls the listener after each change; returns the unsubscribe function, as `useSyncExternalStore` requires. */
  subscribe(listener: () => void): () => void;
}

/**
 * Holds a value outside of components, for `useSyncExternalStore`. `first` creates the value at the first read.
 * `whileHeard` runs at the first subscription; the function that it returns runs after the last listener has left.
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
