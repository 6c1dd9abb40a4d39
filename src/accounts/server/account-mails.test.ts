import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMailServer, type MailServer, type ReceivedMail } from '#testing/mail-server.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

/* The mails about an account, as an SMTP server gets them. */

const password = 'correct horse';
let smtp: MailServer;
let app: TestApp;
let admin: string;
beforeAll(async () => {
  smtp = await startMailServer();
  app = await startTestApp({ name: 'Nonna’s' }, { SMTP_URL: smtp.url, APP_URL: 'https://shop.example' });
  admin = await app.signIn('admin');
});
afterAll(async () => {
  await app.close();
  await smtp.stop();
});

const post = async (path: string, body: object, token?: string, language = 'en') => {
  const headers = { 'accept-language': language };
  const answer = await app.request('POST', path, { body, headers, ...(token !== undefined && { token }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const register = async (language?: string) => {
  const email = `${randomUUID()}@example.com`;
  const body = { name: 'Ada Byron', email, phone: '07700 900123', password };
  const { token } = await post('/v1/auth/register/customer', body, undefined, language);
  return { email, token: token as string };
};
const mailTo = async (email: string, subject: string): Promise<ReceivedMail> => {
  const find = () => smtp.received.find((mail) => mail.to.includes(email) && mail.subject === subject);
  const seen = () => smtp.received.filter(({ to }) => to.includes(email)).map((mail) => mail.subject);
  await vi.waitFor(() => expect(seen()).toContain(subject), { timeout: 60_000, interval: 50 });
  return find() as ReceivedMail;
};
/** The link of the button, which stands in both forms of the mail. */
const linkOf = ({ text, html }: ReceivedMail, page: string): string => {
  const link = new RegExp(`https://shop\\.example/${page}#token=[\\w-]{43}`).exec(text)?.[0] ?? 'no link';
  expect(html).toContain(`href="${link}"`);
  return link;
};
const tokenIn = (link: string) => link.split('#token=')[1] ?? '';

test('a forgotten password: a link that works, and then word that it was changed', async () => {
  const { email } = await register();
  await post('/v1/auth/forgot-password', { email });
  const mail = await mailTo(email, 'Choose another password for Nonna’s');
  expect(mail.text).not.toContain('Ada');
  const token = tokenIn(linkOf(mail, 'reset-password'));
  await post('/v1/auth/reset-password', { token, password: 'battery staple' });
  const told = await mailTo(email, 'Your password for Nonna’s was changed');
  expect(told.text).toContain('https://shop.example/forgot-password');
  expect(told.html).toContain('href="https://shop.example/forgot-password"');
});

test('a customer with a confirmed address becomes staff by the link of the invitation, and by no other', async () => {
  const { email, token: own } = await register();
  const confirm = { email_verified_at: app.clock.now };
  await app.database.db.updateTable('users').set(confirm).where('email', '=', email).execute();
  const place = { name: 'Ada at work', role: 'store_admin', store_ids: [app.shop.storeId] };
  const roleNow = async () => {
    const found = app.database.db.selectFrom('users').select(['role', 'name', 'store_ids', 'invited']);
    return found.where('email', '=', email).executeTakeFirstOrThrow();
  };
  const { data, invitation_link: shown } = await post('/v1/staff', { ...place, email }, admin);
  expect([shown, data]).toEqual([null, expect.objectContaining({ ...place, email, has_password: false })]);
  expect((await app.request('GET', '/v1/auth/user', { token: own })).body.data).toMatchObject({ role: 'customer' });
  const path = `/v1/staff?store_id=${app.shop.storeId}&search=${email}`;
  expect((await app.request('GET', path, { token: admin })).body.data).toEqual([data]);
  const [first] = [tokenIn(linkOf(await mailTo(email, 'You are invited to work with Nonna’s'), 'reset-password'))];

  await post('/v1/auth/forgot-password', { email });
  const reset = tokenIn(linkOf(await mailTo(email, 'Choose another password for Nonna’s'), 'reset-password'));
  await post('/v1/auth/reset-password', { token: reset, password: 'battery staple' });
  expect(await roleNow()).toMatchObject({ role: 'customer', name: 'Ada Byron' });
  const useless = { body: { token: first, password: 'battery staple' } };
  expect((await app.request('POST', '/v1/auth/reset-password', useless)).status).toBe(422);

  expect((await app.request('DELETE', `/v1/staff/${data.id}`, { token: admin })).status).toBe(204);
  expect(await roleNow()).toMatchObject({ role: 'customer', invited: null });

  smtp.received.length = 0;
  await post('/v1/staff', { ...place, email }, admin);
  const link = tokenIn(linkOf(await mailTo(email, 'You are invited to work with Nonna’s'), 'reset-password'));
  await post('/v1/auth/reset-password', { token: link, password: 'battery staple' });
  expect(await roleNow()).toEqual({ ...place, invited: null });
  const entered = await post('/v1/auth/login', { email, password: 'battery staple' });
  expect(entered.user).toMatchObject({ id: data.id, role: 'store_admin', store_ids: [app.shop.storeId] });
});

test('an invitation: a link to choose a password, and again when it is sent again', async () => {
  const email = `${randomUUID()}@example.com`;
  const invited = { name: 'Grace Hopper', email, role: 'store_admin', store_ids: [app.shop.storeId] };
  const { data, invitation_link: link } = await post('/v1/staff', invited, admin);
  expect(link).toBeNull();
  const subject = 'You are invited to work with Nonna’s';
  const first = await mailTo(email, subject);
  expect(first.text).toContain('Hello Grace Hopper,');
  linkOf(first, 'reset-password');
  await post(`/v1/staff/${data.id}/invite`, {}, admin);
  const all = () => smtp.received.filter((mail) => mail.to.includes(email) && mail.subject === subject);
  await vi.waitFor(() => expect(all()).toHaveLength(2), { timeout: 60_000, interval: 50 });
  const token = tokenIn(linkOf(all()[1] as ReceivedMail, 'reset-password'));
  await post('/v1/auth/reset-password', { token, password });
});

test('a new account confirms its address by a link', async () => {
  const { email, token } = await register();
  const mail = await mailTo(email, 'Confirm your email address for Nonna’s');
  expect(mail.text).toMatch(/^Hello,$/m);
  await post('/v1/auth/verify-email', { token: tokenIn(linkOf(mail, 'verify-email')) }, token);
  await post('/v1/auth/forgot-password', { email });
  expect((await mailTo(email, 'Choose another password for Nonna’s')).text).toContain('Hello Ada Byron,');
  const { body } = await app.request('GET', '/v1/auth/user', { token });
  expect(body.data.email_verified_at).not.toBeNull();
});

test('each is in the language of the account', async () => {
  const { email } = await register('pl');
  await post('/v1/auth/forgot-password', { email });
  const mails = () => smtp.received.filter(({ to }) => to.includes(email));
  await vi.waitFor(() => expect(mails()).toHaveLength(2), { timeout: 60_000, interval: 50 });
  for (const { text, html } of mails()) {
    expect(text).toContain('Dzień dobry,');
    expect(html).toContain('<html lang="pl"');
  }
});
