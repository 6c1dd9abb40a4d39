/**
 * A `whileHeard` for `createExternalStore`: it calls `react` at each event of the window while the store has listeners.
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
