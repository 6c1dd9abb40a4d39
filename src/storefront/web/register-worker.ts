/** Milliseconds after which the first view has all that it needs. */
const aheadAfter = 4000;

/**
 * Registers the service worker, tells it what the page is made of, and calls `onUpdate` when a newer one waits: `reload`
 * lets it take over and loads the page again. A browser without workers, or a page opened insecurely, does without.
 */
export async function registerWorker(onUpdate: (reload: () => void) => void): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  // A tap on a notification goes to the tab that shows its order.
  workers.addEventListener('message', ({ data, ports }) => {
    if ((data as { type?: string }).type === 'where') ports[0]?.postMessage(location.pathname);
  });
  const registration = await workers.register('/service-worker.js');
  const offer = () => {
    const { waiting } = registration;
    // The first worker of all replaces nobody.
    if (!waiting || !workers.controller) return;
    onUpdate(() => {
      workers.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage({ type: 'take over' }, []);
    });
  };
  offer();
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer());
  });
  const { active } = await workers.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage({ type: 'keep', urls: [location.pathname, '/menu', ...loaded] }, []);
  setTimeout(() => {
    // Who saves data wants no page that was not asked for.
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    active?.postMessage({ type: 'fetch ahead', language: document.documentElement.lang }, []);
  }, aheadAfter);
}
