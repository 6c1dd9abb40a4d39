import { type Page, worker } from '#storefront/web/worker-scope.ts';

/** How long a page may take to say where it is, in milliseconds. */
const timeout = 200;

/** Shows the shop's notifications, and opens their page when they are tapped. */
export function showNotifications(): void {
  // `PushMessage` of the server. A browser ends the subscription of a worker that shows nothing.
  worker.addEventListener('push', (event) => {
    const message = event.data?.json() ?? { title: '', url: '/', tag: '/' };
    const { title, url, ...shown } = message as Record<'title' | 'url', string>;
    const options = { ...shown, data: url, renotify: true, icon: '/app-icon/192.png' };
    event.waitUntil(worker.registration.showNotification(title, options));
  });

  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(openNotified(new URL(event.notification.data, location.origin).href));
  });
}

/** In the tab that shows it already, if there is one. */
async function openNotified(href: string): Promise<void> {
  const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const places = await Promise.all(open.map(placeOf));
  const shown = open[places.indexOf(new URL(href).pathname)];
  await (shown ? shown.focus() : worker.clients.openWindow(href));
}

/** The path that a page shows now. It answers itself; one that does not, as in the office, has its first address. */
function placeOf(page: Page): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(String(data)));
    port1.start();
    setTimeout(() => resolve(new URL(page.url).pathname), timeout);
    page.postMessage({ type: 'where' }, [port2]);
  });
}
