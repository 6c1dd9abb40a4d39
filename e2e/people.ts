import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { admin, type Shop } from '#testing/running-shop.ts';
import { expect } from './shop.ts';

/** The password of every person in a journey. */
export const password = 'a long enough secret';

export const newAddress = (): string => `${randomUUID()}@example.com`;

export interface Person {
  name: string;
  email: string;
  password: string;
  token: string;
}

/** Opens a customer's account. */
export async function register(shop: Shop, name = 'Mary Berry', email = newAddress()): Promise<Person> {
  const person = { name, email, phone: '07700 900111', password };
  const { status, body } = await shop.api('POST', '/v1/auth/register/customer', person);
  expect(status, JSON.stringify(body)).toBe(201);
  return { name, email, password, token: String(body['token']) };
}

/** Invites a member of staff, follows the link in their mail, and signs them in for the first time. */
export async function hire(shop: Shop, name: string, storeId = shop.storeId): Promise<Person> {
  const email = newAddress();
  const invited = { name, email, role: 'store_admin', store_ids: [storeId] };
  expect((await shop.api('POST', '/v1/staff', invited, shop.adminToken)).status).toBe(201);
  const [, token] = /token=([\w-]+)/.exec(await readMail(shop, email)) ?? [];
  expect((await shop.api('POST', '/v1/auth/reset-password', { token, password })).status).toBe(200);
  const { body } = await shop.api('POST', '/v1/auth/login', { email, password });
  return { name, email, password, token: String(body['token']) };
}

/** Another owner, signed in for the first time. */
export async function hireOwner(shop: Shop, name: string): Promise<Person> {
  const person = await hire(shop, name);
  const { body } = await shop.api('GET', `/v1/staff?search=${person.email}`, undefined, shop.adminToken);
  const [member] = body['data'] as { id: string }[];
  const change = await shop.api('PATCH', `/v1/staff/${member?.id}`, { role: 'admin' }, shop.adminToken);
  expect(change.status).toBe(200);
  return person;
}

/** The text of the newest mail to this address with this beginning of its subject, as soon as it has arrived. */
export async function readMail(shop: Shop, email: string, subject = ''): Promise<string> {
  let text: string | null = null;
  const look = async (): Promise<string | null> => {
    const { body } = await shop.api('GET', '/v1/mail?per_page=50', undefined, shop.adminToken);
    const mails = body['data'] as { id: string; to: string; subject: string }[];
    const found = mails.find((mail) => mail.to === email && mail.subject.startsWith(subject));
    if (!found) return null;
    // The office does not show the links of people who have an account.
    const filed = await readFile(join(shop.dataDir, 'mail', `${found.id}.json`), 'utf8').catch(() => null);
    text = filed === null ? null : (JSON.parse(filed) as { text: string }).text;
    return text;
  };
  await expect.poll(look).not.toBeNull();
  return text ?? '';
}

/** Fills in the open sign-in page. */
export async function fillSignIn(page: Page, person: { email: string; password: string } = admin): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs in with the form: the owner, unless another person is given. */
export async function signIn(page: Page, person?: { email: string; password: string }): Promise<Page> {
  await page.goto('/login');
  await fillSignIn(page, person);
  await page.waitForURL((url) => url.pathname !== '/login');
  return page;
}

/** A window of a person who is signed in already, for journeys about something else. */
export async function signedIn(page: Page, token: string): Promise<Page> {
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  return page;
}
