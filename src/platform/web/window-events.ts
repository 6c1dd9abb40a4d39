/** The side effect of a store that follows a window's event while it has listeners. */
export function windowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  react: (event: WindowEventMap[Name]) => void,
): () => () => void {
  return () => {
    addEventListener(name, react);
    return () => removeEventListener(name, react);
  };
}
