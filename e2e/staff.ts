import { randomUUID } from 'node:crypto';
import type { Shop } from '#testing/running-shop.ts';
import { expect } from './shop.ts';

export const staffPassword = 'a long enough secret';

/** Has somebody of the shop's staff invited, and follows the link in their mail; the token of their first sign-in. */
export async function hire(shop: Shop, name: string): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const invited = { name, email, role: 'store_admin', store_ids: [shop.storeId] };
  expect((await shop.api('POST', '/v1/staff', invited, shop.adminToken)).status).toBe(201);
  let link = '';
  await expect(async () => {
    const { body: list } = await shop.api('GET', '/v1/mail', undefined, shop.adminToken);
    const mail = (list['data'] as { id: string; to: string }[]).find(({ to }) => to.includes(email));
    const { body: one } = await shop.api('GET', `/v1/mail/${mail?.id}`, undefined, shop.adminToken);
    link = /reset-password\?token=([\w-]+)/.exec((one['data'] as { text: string }).text)?.[1] ?? '';
    expect(link).not.toBe('');
  }).toPass();
  const chosen = { token: link, password: staffPassword };
  expect((await shop.api('POST', '/v1/auth/reset-password', chosen)).status).toBe(200);
  const { body } = await shop.api('POST', '/v1/auth/login', { email, password: staffPassword });
  return String(body['token']);
}
