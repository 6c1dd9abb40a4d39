interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let held: InstallPrompt | null = null;
let heard: () => void = () => undefined;

/**
 * Takes the browser's own offer to install the shop, which it would make on a first visit. The event may come before
 * the page is rendered.
 */
export function holdInstallPrompt(): void {
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
