import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice } from '#accounts/testing/device-tools.ts';
import type { OnboardingStepName, OnboardingStepState } from '#office/onboarding.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  token = await app.signIn('admin');
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: object) =>
  app.request(method, path, { token, ...(body && { body }) });
const read = async (storeId: string) => {
  const { status, body } = await call('GET', `/v1/stores/${storeId}/first-evening`);
  expect(status).toBe(200);
  const steps = body.data.steps as { name: OnboardingStepName; state: OnboardingStepState }[];
  return {
    isShown: body.data.is_shown as boolean,
    steps: Object.fromEntries(steps.map(({ name, state }) => [name, state])) as Record<
      OnboardingStepName,
      OnboardingStepState
    >,
  };
};
const makeStore = async () => {
  const { status, body } = await call('POST', '/v1/stores', { name: `Nonna’s ${randomUUID().slice(0, 8)}` });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id as string;
};

test('a new shop has the steps, and each thing that is done is ticked off', async () => {
  const id = await makeStore();
  const before = await read(id);
  expect(before).toEqual({
    isShown: true,
    steps: {
      details: 'todo',
      pin: 'check',
      hours: 'todo',
      ways: 'check',
      menu: 'todo',
      allergens: 'check',
      payment: 'check',
      paper: 'check',
      people: 'check',
      test_order: 'todo',
      go_live: 'done',
    },
  });
  const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'cv212aa' };
  const hours = [{ day: 'Friday', open: '17:00', close: '22:00' }];
  await call('PATCH', `/v1/stores/${id}`, { phone: '01788 555123', address, operational_hours: hours });
  await addDevice(app.database.db, app.clock.now, id);
  expect((await read(id)).steps).toEqual({
    ...before.steps,
    details: 'done',
    hours: 'done',
    paper: 'done',
    people: 'done',
  });
  // The pin is proposed from the tidied postcode, and stays unconfirmed.
  const { data } = (await call('GET', `/v1/stores/${id}/first-evening`)).body;
  expect(data.proposed_location).toEqual({ latitude: 52.3745, longitude: -1.2655 });
  const store = (await call('GET', `/v1/stores/${id}`)).body.data;
  expect([store.address.postcode, store.location_confirmed]).toEqual(['CV21 2AA', false]);
});

test('two owners settle steps at once, and an order was a test of the board', async () => {
  const id = app.shop.storeId;
  const settle = (settled: OnboardingStepName) => call('POST', `/v1/stores/${id}/first-evening`, { settled });
  const both = await Promise.all([settle('ways'), settle('paper'), settle('ways')]);
  expect(both.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(await read(id)).toMatchObject({
    isShown: false,
    steps: { ways: 'done', paper: 'done', menu: 'done', test_order: 'todo' },
  });
  const order = await call('POST', '/v1/orders', app.orderBody({ channel: 'test' }));
  expect(order.status, JSON.stringify(order.body)).toBe(201);
  expect((await read(id)).steps.test_order).toBe('check');
  const accepted = await call('POST', `/v1/orders/${order.body.data.id}/accept`, {});
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
  await call('POST', `/v1/orders/${order.body.data.id}/cancel`, { reason: 'It was a test.' });
  expect((await read(id)).steps.test_order).toBe('done');
  const customers = async () => (await call('GET', `/v1/stores/${id}/first-evening`)).body.data.has_customer_order;
  expect(await customers()).toBe(false);
  await app.request('POST', '/v1/orders', { body: app.orderBody() });
  expect(await customers()).toBe(true);
});

test('what the owner types is tidied, and every fault is named at once', async () => {
  const id = await makeStore();
  const address = { line1: '4 Castle Street', line2: '', city: 'Rugby', postcode: 'CV2I 2AA' };
  const wrong = { address, company_number: '12', vat_number: 'GB 123' };
  const refused = await call('PATCH', `/v1/stores/${id}`, { ...wrong, company_number: 'no' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([
    422,
    ['address.postcode', 'company_number', 'vat_number'],
  ]);
  const right = { company_number: 'sc 12345', vat_number: '220430231' };
  expect((await call('PATCH', `/v1/stores/${id}`, right)).body.data).toMatchObject({
    company_number: 'SC012345',
    vat_number: 'GB 220 4302 31',
  });
  const abroad = await call('PATCH', `/v1/stores/${id}`, { currency: 'EUR', vat_number: 'DE123456789' });
  expect(abroad.body.data).toMatchObject({ vat_number: 'DE123456789' });
});

test('is put away and brought back for the shop, also by two tabs at once, and not for another one', async () => {
  const [id, other] = [await makeStore(), await makeStore()];
  const show = (isShown: boolean) => call('POST', `/v1/stores/${id}/first-evening`, { is_shown: isShown });
  for (const isShown of [false, true]) {
    const both = await Promise.all([show(isShown), show(isShown)]);
    expect(both.map(({ status }) => status)).toEqual([204, 204]);
    expect((await read(id)).isShown).toBe(isShown);
  }
  await show(false);
  expect((await read(other)).isShown).toBe(true);
  // A shop that was there before has none.
  expect((await read(app.shop.storeId)).isShown).toBe(false);
});

test('of a shop that is not there', async () => {
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? { is_shown: true } : undefined;
    expect((await call(method, `/v1/stores/${randomUUID()}/first-evening`, body)).status).toBe(404);
  }
});

test('mail is not said to work while the mail server refuses it', async () => {
  const other = await startTestApp({}, { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'shop@shop.example' });
  try {
    const owner = await other.signIn('admin');
    const sendsMail = async () => {
      const path = `/v1/stores/${other.shop.storeId}/first-evening`;
      const { body } = await other.request('GET', path, { token: owner });
      return body.data.sends_mail as boolean;
    };
    expect(await sendsMail()).toBe(true);
    const at = other.clock.now;
    const refused = { id: randomUUID(), kind: 'test', state: 'retrying', created_at: at, refused_since: at } as const;
    await other.database.db.insertInto('mails').values(refused).execute();
    expect(await sendsMail()).toBe(false);
  } finally {
    await other.close();
  }
});
