/** The side effect of a store while it has listeners, where it follows an event of the window. */
export function windowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  react: (event: WindowEventMap[Name]) => void,
): () => () => void {
  return () => {
    addEventListener(name, react);
    return () => removeEventListener(name, react);
  };
}
