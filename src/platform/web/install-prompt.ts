interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let held: InstallPrompt | null = null;
let heard: () => void = () => undefined;

/**
 * Stores the browser's offer to install the shop, and prevents the browser's own prompt. Must be called early, because
 * the browser may make the offer before the page is rendered.
 */
export function deferInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    // The type is not part of the DOM's standard types.
    held = event as InstallPrompt;
    heard();
  });
}

/** The browser's offer to install the shop; null: it has made none. */
export const installPrompt = (): InstallPrompt | null => held;

/** Calls `listen` at each offer. Returns a function that ends this. */
export function onInstallPrompt(listen: () => void): () => void {
  heard = listen;
  return () => {
    heard = () => undefined;
  };
}
