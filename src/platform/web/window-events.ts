/**
 * Creates the `whileHeard` argument of `createExternalStore`. It calls `react` at each window event while the store has
 * listeners.
 */
export function subscribeToWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  react: (event: WindowEventMap[Name]) => void,
): () => () => void {
  return () => {
    addEventListener(name, react);
    return () => removeEventListener(name, react);
  };
}
