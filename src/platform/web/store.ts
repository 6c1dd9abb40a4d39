export interface Store<State> {
  read(): State;
  /** Keeps the next state and tells every listener. */
  set(next: State): void;
  /** Fits `useSyncExternalStore`, as `read` does. */
  subscribe(listener: () => void): () => void;
}

/**
 * One value that lives outside of the components, and those who want to hear of its changes. `first` is asked for at the
 * first reading. `whileHeard` begins with the first listener, and what it answers is called after the last has left.
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
