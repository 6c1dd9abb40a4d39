export interface Store<State> {
  read(): State;
  set(next: State): void;
  /** Fits `useSyncExternalStore`, as `read` does. */
  subscribe(listener: () => void): () => void;
}

/**
 * A value outside of components, with listeners. `first` is called at the first read. `whileHeard` starts with the
 * first listener; its result is called after the last has left.
 */
export function makeStore<State>(first: () => State, whileHeard?: () => () => void): Store<State> {
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
