import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { openGuestOrder } from './orders.ts';
import { newAddress, signedIn } from './people.ts';
import { deliverTo, shownNotifications, tapNotification, withNotifications } from './push.ts';
import { expect, test } from './shop.ts';
import { phone } from './storefront.ts';

test.use(withNotifications);

/** Headless browsers have no push service. This stands for it: what a browser at Google's would answer. */
const pushService = `
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const subscription = {
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: sessionStorage.getItem('endpoint'), keys: { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }),
    unsubscribe: async () => true,
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('endpoint') ? subscription : null);
  PushManager.prototype.subscribe = async () => {
    sessionStorage.setItem('endpoint', 'https://fcm.googleapis.com/fcm/send/' + crypto.randomUUID());
    return subscription;
  };`;

const card = (page: Page) => page.locator('[data-push]');

test('a guest turns notifications on for an order and off again; a message shows as one notification, and a tap opens the order', async ({
  window,
  shop,
}) => {
  const page = await window({ ...phone, serviceWorkers: 'allow' });
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(pushService);
  const asked: string[] = [];
  await page.exposeFunction('noteAsked', () => asked.push(page.url()));
  await page.addInitScript(`
    const request = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => (noteAsked(), request());`);
  const email = newAddress();
  const id = await openGuestOrder(shop, page, email);
  await expect(card(page)).toContainText('Shall we tell you when something happens?');
  await expectAccessible(page, 'an order with the offer of notifications');
  expect(asked).toEqual([]);
  await card(page).getByRole('button', { name: 'Notify me' }).click();
  await expect(card(page)).toContainText('Notifications are on');
  expect(asked).toHaveLength(1);
  await page.reload();
  await expect(card(page)).toContainText('You can close this page.');
  await card(page).getByRole('button', { name: 'Turn off' }).click();
  await expect(card(page).getByRole('button', { name: 'Notify me' })).toBeVisible();

  // The browser's push service brings a message.
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const deliver = await deliverTo(page);
  const message = { title: 'Order 7, Demo', body: 'Accepted.', tag: id, url: `/orders/${id}`, lang: 'en' };
  await deliver(message);
  await deliver({ ...message, body: 'Ready to collect.' });
  await expect.poll(() => shownNotifications(page)).toEqual([{ ...message, body: 'Ready to collect.' }]);
  expect(await tapNotification(page, id)).toEqual(['focus', 0]);
  await page.goto('/terms');
  await deliver(message);
  await expect.poll(() => shownNotifications(page)).toHaveLength(1);
  expect(await tapNotification(page, id)).toEqual([`open /orders/${id}`, 0]);

  // One who has refused is told how to allow them; this shop sends no mail.
  await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' });`);
  await page.goto(`/orders/${id}`);
  await expect(card(page)).toContainText('Notifications from this shop are blocked in this browser.');
  await expect(card(page)).toContainText('Keep this page open');
  await expect(card(page)).not.toContainText(email);
  await expect(card(page).getByRole('button')).toHaveCount(0);

  // One with an iPhone is asked to install the shop after the second order only.
  await page.addInitScript(`
    delete window.PushManager;
    Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1' });`);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Keep this order in an account' })).toBeVisible();
  await expect(card(page)).toBeHidden();
});

test('staff switch notifications on for this device, and off again', async ({ shop, window }) => {
  const page = await window({ serviceWorkers: 'allow' });
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(pushService);
  await signedIn(page, shop.adminToken);
  await page.goto('/kitchen');
  await page.getByRole('button', { name: 'Account and more' }).click();
  await page.getByRole('menuitem', { name: 'Notifications on this device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Notify this device' }).click();
  await expect(dialog.getByRole('status')).toHaveText('On: this device is notified.');
  await expect(dialog.getByRole('button', { name: 'Send a test' })).toBeVisible();
  // The board behind it is checked by itself.
  await expectAccessible(page, 'the notifications of a device', '[data-ready]');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(dialog.getByRole('button', { name: 'Notify this device' })).toBeVisible();
});
