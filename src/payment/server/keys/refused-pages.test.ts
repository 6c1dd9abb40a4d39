import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RefusedPaymentPage } from '#database/column-types.ts';
import { checkKeySets } from '#payment/server/keys/check-key-sets.ts';
import { chooseKeyProblem } from '#payment/server/keys/refused-pages.ts';
import { localRight, openStripeShop, type StripeShop } from '#payment/testing/stripe-shop.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';

const unknownPart = {
  message: 'Received unknown parameter: adaptive_pricing',
  code: 'parameter_unknown',
  param: 'adaptive_pricing',
};
const noProducts = {
  status: 403,
  message:
    "The provided key 'rk_test_*********************abcd' does not have the required permissions for this endpoint on account 'acct_1'. Having the 'rak_product_write' permission would allow this request to continue.",
};

describe('pages that the provider refuses', () => {
  let shop: StripeShop;
  beforeEach(async () => {
    shop = await openStripeShop({ ALERT_WEBHOOK_URL: 'http://127.0.0.1:9/alerts' });
    await shop.call('POST', '/v1/payments/setup', { secret_key: shop.newKey() });
    // Tests look when they want to.
    await shop.app.database.db
      .updateTable('payment_key_sets')
      .set({ check_at: new Date(shop.app.clock.now.getTime() + 24 * 60 * 60_000) })
      .execute();
  });
  afterEach(() => shop.close());

  const refuse = (times: number, refusal: { message: string }, skip = 0) =>
    shop.stripe.control.faults.add({
      kind: 'refused',
      method: 'POST',
      path: '/v1/checkout/sessions',
      times,
      skip,
      refusal,
    });
  const order = () => shop.app.request('POST', '/v1/orders', { body: shop.app.orderBody({ payment_method: 'card' }) });
  const current = async () => (await shop.call('GET', '/v1/payments/setup')).current;
  const cardProvider = async () => (await shop.call('GET', `/v1/stores/${shop.app.shop.storeId}`)).card_provider;
  const alerts = async (): Promise<Record<string, string>[]> => {
    const { rows } = await sql<{ data: Record<string, string> }>`
      select data from pgboss.job where name = 'alert'`.execute(shop.app.database.db);
    return rows.map(({ data }) => data);
  };

  test.each([
    ['an unknown parameter', unknownPart, 'Received unknown parameter: adaptive_pricing'],
    ['a right that the key lacks and no list names', noProducts, "Having the 'rak_product_write' permission"],
  ])('for %s are told to the owner, and cards withdrawn until one opens', async (_name, refusal, said) => {
    refuse(100, refusal);
    for (let number = 0; number < 11; number += 1) await order();
    await shop.until(async () => (await current()).problem?.kind === 'pages_refused');
    expect((await current()).problem.said).toContain(said);
    expect(await cardProvider()).toBeNull();
    const told = await alerts();
    expect(told.at(-1)).toMatchObject({ kind: 'card_keys_refused', subject: 'Card payments do not work' });
    expect(told.at(-1)?.['text']).toContain(said);
    expect(told.at(-1)?.['text']).not.toContain('rk_test');
    const mails = await shop.app.database.db
      .selectFrom('mails')
      .select('to_address')
      .where('kind', '=', 'card_keys_refused')
      .execute();
    expect(mails.length).toBeGreaterThan(0);

    shop.wait(125);
    await checkKeySets(shop.app.services);
    expect(await cardProvider()).toBeNull();
    shop.stripe.control.faults.clear();
    shop.wait(125);
    await checkKeySets(shop.app.services);
    expect((await current()).problem).toBeNull();
    expect(await cardProvider()).toBe('stripe');
    expect((await order()).status).toBe(201);
  });

  test('are told and withdraw cards also while the owner’s test payment is open', async () => {
    const at = shop.app.clock.now.toISOString();
    const trial = { id: 'trial', reference: null, redirect_url: null, amount: 30, currency: 'GBP', state: 'open', at };
    await shop.app.database.db
      .updateTable('payment_key_sets')
      .set({ trial: JSON.stringify(trial) })
      .execute();
    refuse(100, unknownPart);
    for (let number = 0; number < 3; number += 1) await order();
    await shop.until(async () => (await current()).problem?.kind === 'pages_refused');
    expect(await cardProvider()).toBeNull();
  });

  test('are those that do not open: one that Stripe does not end ends by itself', async () => {
    shop.stripe.control.faults.add({
      kind: 'refused',
      method: 'POST',
      path: '/v1/checkout/sessions/*/expire',
      times: 100,
      refusal: { message: 'Cannot expire.' },
    });
    shop.wait(25 * 60 * 60);
    await checkKeySets(shop.app.services);
    expect((await current()).problem).toBeNull();
  });

  test('withdraw cards with the third order, also where the first ones had the key checked already', async () => {
    refuse(100, noProducts);
    await order();
    await shop.until(async () => (await current()).problem?.kind === 'some_pages_refused');
    expect(await cardProvider()).toBe('stripe');
    await order();
    await order();
    await shop.until(async () => (await current()).problem?.kind === 'pages_refused');
    expect(await cardProvider()).toBeNull();
  });

  test('of three orders for one reason are told, and cards stay where the shop’s own page opens', async () => {
    refuse(3, { message: 'This account cannot do that.' });
    for (let number = 0; number < 3; number += 1) await order();
    await shop.until(async () => (await current()).problem);
    expect((await current()).problem).toMatchObject({
      kind: 'some_pages_refused',
      said: 'This account cannot do that.',
    });
    expect(await cardProvider()).toBe('stripe');
    expect(await alerts()).toMatchObject([
      { subject: 'Some customers cannot pay by card', text: expect.stringContaining('This account cannot do that.') },
    ]);
    shop.wait(125);
    await checkKeySets(shop.app.services);
    expect((await current()).problem).not.toBeNull();
    expect(await alerts()).toHaveLength(1);
    shop.wait(60 * 60);
    await checkKeySets(shop.app.services);
    expect((await current()).problem).toBeNull();
  });

  test('of one order, however often it is tried, are nobody else’s', async () => {
    refuse(8, { message: 'This account cannot do that.' });
    const { body } = await order();
    const rows = await shop.app.database.db.selectFrom('orders').select('id').execute();
    expect(rows).toHaveLength(1);
    expect(body.code).toBe('payment_unavailable');
    for (let number = 0; number < 6; number += 1) {
      await shop.app.services.payments.begin(rows[0]?.id ?? '').catch(() => undefined);
    }
    await checkKeySets(shop.app.services);
    expect((await current()).problem).toBeNull();
    expect(await cardProvider()).toBe('stripe');
  });
});

test('a right that calls about nothing do not ask for is found by the page', async () => {
  const shop = await openStripeShop();
  const key = shop.newKey();
  const refusal = { ...noProducts, message: noProducts.message.replace('rak_product_write', 'rak_coupon_write') };
  shop.stripe.control.keys.change(key, stripeRightNames.map(localRight));
  shop.stripe.control.faults.add({ kind: 'refused', method: 'POST', path: '/v1/coupons', times: 2, refusal });
  const check = await shop.call('POST', '/v1/payments/setup/check', { secret_key: key });
  expect(check.problem).toEqual({ kind: 'missing_right', rights: ['rak_coupon_write'] });
  await shop.close();
});

describe('the judgement', () => {
  const now = new Date('2026-11-28T18:00:00Z');
  const page = (order: string, minutes: number, more: Partial<RefusedPaymentPage> = {}): RefusedPaymentPage => ({
    order,
    reason: 'no',
    said: 'No.',
    names_order: false,
    at: new Date(now.getTime() - minutes * 60_000).toISOString(),
    is_followed: false,
    ...more,
  });
  const three = (more: Partial<RefusedPaymentPage> = {}) =>
    ['1', '2', '3'].map((order, at) => page(order, 9 - at, more));
  const own = { kind: 'pages_refused', said: 'No.' } as const;
  const some = { kind: 'some_pages_refused', said: 'No.' };
  const withdrawn = { ...own, since: now.toISOString() };

  test.each([
    ['nothing was refused', null, null, [], null],
    ['two orders are refused', null, null, three().slice(1), null],
    ['one order is refused three times', null, null, [page('1', 3), page('1', 2), page('1', 1)], null],
    ['three orders are refused', null, null, three(), some],
    [
      'three orders are refused for three reasons',
      null,
      null,
      three().map((one, at) => ({ ...one, reason: `${at}` })),
      null,
    ],
    ['three orders are refused in twenty minutes', null, null, [page('1', 20), page('2', 5), page('3', 1)], null],
    ['each refusal names something of its order', null, null, three({ names_order: true }), null],
    ['the own page is refused too', own, null, three(), own],
    ['the own page is refused, after pages that named their orders', own, null, three({ names_order: true }), own],
    ['the own page is refused, but one opened since', own, null, three({ is_followed: true }), some],
    ['only the own page is refused', own, null, [], some],
    ['cards are withdrawn, and the own page is refused still', own, withdrawn, [], own],
    ['cards are withdrawn, and the own page opens', null, withdrawn, three(), null],
    ['the key lacks a right', { kind: 'missing_right' as const }, withdrawn, three(), { kind: 'missing_right' }],
  ])('%s', (_name, found, known, refused, problem) => {
    expect(chooseKeyProblem(found, known, refused, now)).toEqual(problem);
  });
});
