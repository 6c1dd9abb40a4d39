import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignIn } from '#accounts/server/sign-ins.ts';
import { contract } from '#contract.ts';
import { letter } from '#mail/testing/letter.ts';
import { inTransaction } from '#database/transaction.ts';
import type { Endpoint } from '#platform/http/endpoint.ts';
import { addPrinter, fakePrinters } from '#testing/fake-printers.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';
import { addUser, password } from '#testing/users.ts';

/* What of a call is not for a sign-in that was left open, and what of it is. */

let app: TestApp;
let admin: string;
beforeAll(async () => {
  app = await startTestApp({}, {}, undefined, { transports: fakePrinters().transports });
  admin = await app.signIn('admin');
});
afterAll(() => app.close());

type Sent = readonly [method: string, path: string, body?: unknown];

/** The one needs a fresh sign-in, the others do not. */
interface Parts {
  sensitive: readonly Sent[];
  harmless: readonly Sent[];
  /** Only of somebody who has one: the password alone would else do it. */
  withFactor?: true;
  /** What a fresh sign-in is answered, a status or a code, if not 200. */
  done?: number | string;
}

const pages = (path: string): Parts => ({
  sensitive: [
    ['GET', `${path}?per_page=51`],
    ['GET', `${path}?per_page=200&page=2`],
  ],
  harmless: [
    ['GET', path],
    ['GET', `${path}?per_page=50&page=2`],
  ],
});

const partsOf: Record<string, () => Parts | Promise<Parts>> = {
  'GET /v1/customers': () => pages('/v1/customers'),
  'GET /v1/mail': () => pages('/v1/mail'),
  'GET /v1/complaints': () => pages('/v1/complaints'),
  'GET /v1/mail/{id}': async () => {
    const invited = `${randomUUID()}@example.com`;
    const body = { name: 'Grace Hopper', email: invited, role: 'admin' };
    expect((await app.request('POST', '/v1/staff', { token: admin, body })).status).toBe(201);
    const plain = randomUUID();
    const { db } = app.database;
    await inTransaction(db, (tx) => app.services.mail.send(tx, { ...letter('Hello'), id: plain }));
    await expect.poll(async () => (await mailTo(invited))?.state).toBe('filed');
    return {
      sensitive: [['GET', `/v1/mail/${(await mailTo(invited))?.id}`]],
      harmless: [['GET', `/v1/mail/${plain}`]],
    };
  },
  'PATCH /v1/printers/{id}': async () => {
    const { id, address } = await addPrinter(app, { name: randomUUID() });
    const path = `/v1/printers/${id}`;
    return {
      sensitive: [['PATCH', path, { name: 'Bar', address: '203.0.113.9:9100' }]],
      harmless: [['PATCH', path, { name: randomUUID(), copies: 2, address }]],
    };
  },
  'PATCH /v1/stores/{id}': async () => {
    const path = `/v1/stores/${app.shop.storeId}`;
    const { email, phone, google_review_url } = (await app.request('GET', path)).body.data;
    return {
      sensitive: [
        ['PATCH', path, { google_review_url: 'https://reviews.example.net/elsewhere' }],
        ['PATCH', path, { prep_minutes: 21, email: 'elsewhere@example.net' }],
        ['PATCH', path, { phone: '09011 999999' }],
      ],
      harmless: [['PATCH', path, { prep_minutes: 22, email, phone, google_review_url }]],
    };
  },
  'PATCH /v1/auth/user': () => ({
    sensitive: [['PATCH', '/v1/auth/user', { email: `${randomUUID()}@example.com`, password }]],
    harmless: [['PATCH', '/v1/auth/user', { name: 'Ada Lovelace', locale: 'pl' }]],
    withFactor: true,
  }),
  'POST /v1/auth/password': () => ({
    sensitive: [['POST', '/v1/auth/password', { current_password: password, password }]],
    harmless: [],
    withFactor: true,
  }),
  'DELETE /v1/auth/identities/{id}': () => ({
    sensitive: [['DELETE', `/v1/auth/identities/${randomUUID()}`, { password }]],
    harmless: [],
    withFactor: true,
    done: 'not_found',
  }),
  'DELETE /v1/auth/user': () => ({
    sensitive: [['DELETE', '/v1/auth/user', { password }]],
    harmless: [],
    withFactor: true,
    done: 204,
  }),
};

test('each call of which a part asks for a fresh sign-in is tried', () => {
  const rows = Object.entries(contract as Record<string, Endpoint>);
  const asking = rows.filter(([, { freshSignInFor }]) => freshSignInFor !== undefined).map(([key]) => key);
  expect(Object.keys(partsOf).toSorted()).toEqual(asking.toSorted());
});

test.each(Object.keys(partsOf))(
  '%s: a stale sign-in makes the harmless part of it only, a fresh one all',
  async (key) => {
    const none: Parts = { sensitive: [], harmless: [] };
    const { sensitive, harmless, withFactor, done = 200 } = (await partsOf[key]?.()) ?? none;
    const { id } = await addUser(app.database.db, 'admin');
    if (withFactor) await addFactor(id);
    const begun = (minutes: number) => new Date(app.clock.now.getTime() - minutes * 60_000);
    const tries = async (minutes: number, calls: readonly Sent[]) => {
      const token = await createSignIn(app.database.db, id, 'test', begun(minutes));
      const answers = [];
      for (const [method, path, body] of calls) answers.push(await app.request(method, path, { token, body }));
      return answers.map(({ status, body }) => body?.code ?? status);
    };
    const all = (calls: readonly Sent[], answer: unknown) => calls.map(() => answer);
    expect(await tries(15, sensitive)).toEqual(all(sensitive, 'fresh_sign_in_required'));
    expect(await tries(15, harmless)).toEqual(all(harmless, 200));
    expect(await tries(14, sensitive)).toEqual(all(sensitive, done));
  },
);

test.each(['PATCH /v1/auth/user', 'POST /v1/auth/password', 'DELETE /v1/auth/user'])(
  '%s: the password is enough for somebody without a second factor',
  async (key) => {
    const { id } = await addUser(app.database.db, 'admin');
    const { sensitive = [], done = 200 } = (await partsOf[key]?.()) ?? {};
    const token = await createSignIn(app.database.db, id, 'test', new Date(app.clock.now.getTime() - 3_600_000));
    for (const [method, path, body] of sensitive) {
      expect((await app.request(method, path, { token, body })).status).toBe(done);
    }
  },
);

async function addFactor(userId: string): Promise<void> {
  const at = app.clock.now;
  const row = { id: randomUUID(), user_id: userId, sealed: null, created_at: at, confirmed_at: at };
  await app.database.db.insertInto('totp_secrets').values(row).execute();
}

function mailTo(email: string) {
  const mails = app.database.db.selectFrom('mails').select(['id', 'state']).where('to_address', '=', email);
  return mails.executeTakeFirst();
}
