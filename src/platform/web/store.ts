export interface Store<State> {
  read(): State;
  /** Keeps the next state and tells every listener. */
  set(next: State): void;
  /** Fits `useSyncExternalStore`, as `read` does. */
  subscribe(listener: () => void): () => void;
}

/** One value that lives outside of the components, and those who want to hear of its changes. */
export function makeStore<State>(first: State): Store<State> {
  const listeners = new Set<() => void>();
  let state = first;
  return {
    read: () => state,
    set(next) {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
