/**
 * Returns a function for `whileHeard` of `createExternalStore`. While the store has listeners, `react` is called at
 * each window event of this name.
 */
export function createWindowSubscriber<Name extends keyof WindowEventMap>(
  name: Name,
  react: (event: WindowEventMap[Name]) => void,
): () => () => void {
  return () => {
    addEventListener(name, react);
    return () => removeEventListener(name, react);
  };
}
