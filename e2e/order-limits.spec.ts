import { request as sendRequest } from 'node:http';
import { randomUUID } from 'node:crypto';
import { cashBasket } from '#testing/cash-basket.ts';
import { admin, type Shop } from '#testing/running-shop.ts';
import { fillSignIn, readMail } from './people.ts';
import { expect, test } from './shop.ts';

/** The limits of a new shop, which shops for tests do not have. */
const limits = { max_open_orders_per_person: 5, max_orders_per_address_hour: 30 };
const limit = async ({ api, storeId, adminToken }: Shop) => {
  expect((await api('PATCH', `/v1/stores/${storeId}`, limits, adminToken)).status).toBe(200);
};

interface Call {
  address: string;
  path: string;
  body: unknown;
}

/** A call of somebody whom the proxy on this machine names. */
function post(
  { url }: Shop,
  { address, path, body }: Call,
): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const call = sendRequest(url + path, { method: 'POST', headers }, async (answer) => {
      let text = '';
      for await (const bytes of answer) text += String(bytes);
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> });
    });
    call.on('error', reject).end(JSON.stringify(body));
  });
}

test('a family orders four times on one phone number, and again when the food is there', async ({ shop }) => {
  await limit(shop);
  const basket = await cashBasket(shop);
  const order = (name: string) =>
    post(shop, {
      address: '198.51.100.7',
      path: '/v1/orders',
      body: { ...basket, session: randomUUID(), contact: { name, phone: '07700 900555' } },
    });
  const placed = [];
  for (const name of ['Mum', 'Dad', 'Ben', 'Gran', 'Zoe']) placed.push(await order(name));
  expect(placed.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  const sixth = await order('Mum');
  expect([sixth.status, sixth.body['code']]).toEqual([429, 'too_many_orders']);
  expect(sixth.body['message']).toContain('You already have 5 orders under way');
  const { id } = (placed[0]?.body['data'] ?? {}) as { id: string };
  const step = (name: string, body: unknown = {}) =>
    shop.api('POST', `/v1/orders/${id}/${name}`, body, shop.adminToken);
  expect((await step('accept', { minutes: 20 })).status).toBe(200);
  expect((await step('packed')).status).toBe(200);
  expect((await step('collected-by-customer')).status).toBe(200);
  expect((await order('Mum')).status).toBe(201);
});

test('twenty customers on one Wi-Fi look, price, sign up and order in one hour', async ({ shop }) => {
  await limit(shop);
  const basket = await cashBasket(shop);
  const address = '198.51.100.8';
  const come = async (n: number) => {
    const email = `wifi-${n}-${randomUUID()}@example.com`;
    const contact = { name: 'Ada Byron', phone: `07700 9${String(10_000 + n)}` };
    const statuses: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      statuses.push((await post(shop, { address, path: '/v1/orders/quote', body: basket })).status);
    }
    const person = { name: contact.name, phone: contact.phone, email, password: 'a long enough secret' };
    if (n % 4 === 0)
      statuses.push((await post(shop, { address, path: '/v1/auth/register/customer', body: person })).status);
    const body = { ...basket, session: randomUUID(), contact };
    statuses.push((await post(shop, { address, path: '/v1/orders', body })).status);
    return statuses;
  };
  const all = (await Promise.all(Array.from({ length: 20 }, (_, n) => come(n)))).flat();
  expect(all.filter((status) => ![200, 201].includes(status))).toEqual([]);
});

test('an owner signs in on a new phone while others guess the password', async ({ shop, window }) => {
  const { email, password } = admin;
  const guesses = Array.from({ length: 210 }, (_, n) => n);
  while (guesses.length > 0) {
    const some = guesses.splice(0, 10).map((n) => {
      const body = { email, password: `guess ${n}` };
      return post(shop, { address: `198.18.0.${n}`, path: '/v1/auth/login', body });
    });
    await Promise.all(some);
  }
  const page = await window({ viewport: { width: 390, height: 844 } });
  await page.goto('/login');
  await fillSignIn(page, { email, password });
  await expect(page.getByRole('alert').first()).toBeVisible();
  // A shop without mail offers no form for it; the link is in the server's folder of mails.
  await post(shop, { address: '198.18.2.1', path: '/v1/auth/forgot-password', body: { email } });
  const mail = await readMail(shop, email, 'Choose another password');
  await page.goto(/\/reset-password#token=[\w-]+/.exec(mail)?.[0] ?? '');
  await page.getByLabel('Password').fill('quite another secret');
  await page.getByRole('button', { name: 'Use this password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  // The guessing goes on; this phone is known now.
  const body = { email, password: 'guess again' };
  await post(shop, { address: '198.18.1.1', path: '/v1/auth/login', body });
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, { email, password: 'quite another secret' });
  await page.waitForURL(/^(?!.*\/login)/);
  await page.goto('/store/orders');
  await expect(page).toHaveURL(/\/store\/orders/);
});
