import type { CDPSession, Page } from '@playwright/test';
import { browserArgs } from '../playwright.config.ts';

/** For `test.use`: a Chromium without windows has no notifications. */
export const withNotifications = {
  serviceWorkers: 'allow',
  launchOptions: { executablePath: process.env['WHOLE_CHROMIUM_PATH'] ?? '/usr/bin/chromium', args: browserArgs },
} as const;

/** Delivers messages to the page's worker, as the browser does when its push service has one. */
export async function deliverTo(page: Page): Promise<(message: object) => Promise<void>> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await found;
  const { origin } = new URL(page.url());
  return (message) =>
    cdp
      .send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })
      .then(() => undefined);
}

/** The notifications that the browser shows now. */
export function shownNotifications(page: Page): Promise<Record<string, string>[]> {
  return page.evaluate(`navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((all) =>
    all.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, url: data })))`);
}

/**
 * What a tap on the notification with this tag does: `focus` or `open` with a path; and how many notifications of the tag are
 * left. Browsers let a worker focus or open a page only after a real tap, which nothing can make here.
 */
export async function tapNotification(page: Page, tag: string): Promise<[does: string, left: number]> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('The page has no service worker.');
  return worker.evaluate(`(async () => {
    const done = [];
    WindowClient.prototype.focus = async function () { done.push('focus'); };
    clients.openWindow = async (url) => void done.push('open ' + new URL(url).pathname);
    const [notification] = await self.registration.getNotifications({ tag: '${tag}' });
    const event = new NotificationEvent('notificationclick', { notification });
    let work;
    event.waitUntil = (promise) => (work = promise);
    self.dispatchEvent(event);
    await work;
    return [...done, (await self.registration.getNotifications({ tag: '${tag}' })).length];
  })()`);
}
