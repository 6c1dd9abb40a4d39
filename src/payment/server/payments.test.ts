import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStrictProvider } from '#payment/server/strict-provider.ts';
import { evening, openPaymentBench, type PaymentBench } from '#payment/server/testing.ts';

const provider = createStrictProvider();
let bench: PaymentBench;
beforeAll(async () => {
  bench = await openPaymentBench({ providers: [provider] });
  await bench.payments.start();
});
beforeEach(async () => {
  provider.moods.length = 0;
  bench.clock.now = new Date(evening);
  await bench.changeStore({
    is_demo: true,
    auto_accept: false,
    cash_max: null,
    payment_methods: JSON.stringify({ collection: ['cash', 'card'], delivery: ['cash', 'card'] }),
  });
});
afterAll(() => bench.close());

const referenceOf = (url: string) => url.replace('/pay/', '');
const statesOf = (orderId: string) => bench.paymentsOf(orderId).then((rows) => rows.map(({ status }) => status));
const kept = (url: string) => provider.payments.get(referenceOf(url));

/** An order whose payer did this on the provider's page; nobody has told us yet. */
async function paid(state: 'authorised' | 'declined' | 'abandoned') {
  const id = await bench.newOrder();
  const url = await bench.payments.begin(id);
  provider.payer(referenceOf(url), state);
  return { id, url };
}

async function placed() {
  const order = await paid('authorised');
  await bench.payments.reconcile(order.id);
  return order;
}

describe('beginning to pay', () => {
  test('the page is the same however often it is asked for, even at once', async () => {
    const id = await bench.newOrder();
    const urls = await Promise.all(Array.from({ length: 8 }, () => bench.payments.begin(id)));
    urls.push(await bench.payments.begin(id));
    expect(new Set(urls).size).toBe(1);
    expect(await statesOf(id)).toEqual(['pending']);
    expect(kept(urls[0] ?? '')).toMatchObject({ amount: 1250, currency: 'GBP' });
  });

  test.each(['lost', 'answer_lost'] as const)(
    'with the call %s the order stays pending and the next try gets its page',
    async (mood) => {
      const id = await bench.newOrder();
      const before = provider.payments.size;
      provider.moods.push(mood);
      await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
      expect((await bench.order(id)).status).toBe('pending_payment');
      await bench.payments.begin(id);
      expect(await statesOf(id)).toEqual(['pending']);
      expect(provider.payments.size).toBe(before + 1);
    },
  );

  test('a shop without a provider takes no card', async () => {
    const id = await bench.newOrder();
    await bench.changeStore({ is_demo: false });
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
    expect(await statesOf(id)).toEqual([]);
  });

  test('an order that waits for no payment is refused', async () => {
    const id = await bench.newOrder({ status: 'placed', payment_method: 'cash' });
    await expect(bench.payments.begin(id)).rejects.toMatchObject({ code: 'illegal_transition' });
    await expect(bench.payments.begin(randomUUIDv7())).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['expired', (id: string) => bench.move(id, 'expire'), { status: 'expired', payment_status: 'unpaid' }],
    ['became cash', (id: string) => bench.payments.payAgain(id, 'cash'), { status: 'placed', payment_method: 'cash' }],
  ])('an order that %s while the provider was asked shows no page', async (_name, end, state) => {
    const id = await bench.newOrder();
    const hold = provider.hold('checkout');
    const asked = bench.payments.begin(id).catch((error: unknown) => error);
    await hold.reached;
    await end(id);
    hold.release();
    expect(await asked).toMatchObject({ code: 'illegal_transition' });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject(state);
    expect(await bench.paymentsOf(id)).toEqual([{ status: 'voided', owed: null, failure: null, check_at: null }]);
  });
});

describe('hearing how it went', () => {
  test('an authorised payment places the order, with its deadline, and tells the board', async () => {
    const { id, url } = await paid('authorised');
    await bench.payments.reconcile(id);
    const order = await bench.order(id);
    expect(order).toMatchObject({ status: 'placed', payment_status: 'authorised', version: 2, expires_at: null });
    expect(order.answer_by).not.toBeNull();
    const events = await bench.db.selectFrom('outbox').select('event').where('subject_id', '=', id).execute();
    expect(events).toEqual([{ event: 'order.placed' }]);
    expect(kept(url)).toMatchObject({ state: 'authorised', captures: 0 });
  });

  test('webhook, return page and sweep at the same time place it once', async () => {
    const { id, url } = await paid('authorised');
    bench.wait(60);
    const webhook = JSON.stringify({ id: `evt_${id}`, reference: referenceOf(url) });
    await Promise.all([
      bench.payments.receiveWebhook('sandbox', webhook, () => undefined),
      bench.payments.receiveWebhook('sandbox', webhook, () => undefined),
      bench.payments.reconcile(id),
      bench.payments.sweep(),
      bench.payments.sweep(),
    ]);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
    const known = await bench.db.selectFrom('payment_events').selectAll().where('id', '=', `evt_${id}`).execute();
    expect(known).toHaveLength(1);
  });

  test('with no webhook and nobody returning, the sweep finds it after 20 seconds', async () => {
    const { id } = await paid('authorised');
    bench.wait(19);
    await bench.payments.sweep();
    expect((await bench.order(id)).status).toBe('pending_payment');
    bench.wait(2);
    await bench.payments.sweep();
    expect((await bench.order(id)).status).toBe('placed');
  });

  test('a page nobody pays on is looked at less and less often', async () => {
    const id = await bench.newOrder();
    await bench.payments.begin(id);
    const looks: number[] = [];
    for (let second = 0; second < 1800; second += 5) {
      bench.wait(5);
      if ((await bench.payments.sweep()) > 0) looks.push(second);
    }
    expect(looks.length).toBeGreaterThan(6);
    expect(looks.length).toBeLessThan(20);
  });

  test('a decline fails the payment; the order stays pending and can be paid again', async () => {
    const { id, url } = await paid('declined');
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed', version: 2 });
    await bench.payments.payAgain(id, 'card');
    const again = await bench.payments.begin(id);
    expect(again).not.toBe(url);
    expect(await statesOf(id)).toEqual(['failed', 'pending']);
    expect((await bench.order(id)).payment_status).toBe('unpaid');
    provider.payer(referenceOf(again), 'authorised');
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test('an authorisation of another amount is refused and let go', async () => {
    const { id, url } = await paid('authorised');
    Object.assign(kept(url) ?? {}, { amount: 1 });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.paymentsOf(id)).toEqual([
      { status: 'voided', owed: null, failure: 'wrong_amount', check_at: null },
    ]);
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_status: 'failed' });
  });

  test('a webhook whose work fails counts when it is sent again', async () => {
    const { id, url } = await paid('authorised');
    const webhook = JSON.stringify({ id: `evt_${id}`, reference: referenceOf(url) });
    provider.moods.push('lost');
    await expect(bench.payments.receiveWebhook('sandbox', webhook, () => undefined)).rejects.toThrow('network');
    await bench.payments.receiveWebhook('sandbox', webhook, () => undefined);
    expect((await bench.order(id)).status).toBe('placed');
    // Sent once more it is known, and asks the provider nothing.
    provider.moods.push('lost');
    await bench.payments.receiveWebhook('sandbox', webhook, () => undefined);
    expect(provider.moods).toEqual(['lost']);
  });

  test('a webhook about a payment that is not ours is taken and changes nothing', async () => {
    const webhook = JSON.stringify({ id: 'evt_other', reference: 'other' });
    await bench.payments.receiveWebhook('sandbox', webhook, () => undefined);
    await expect(bench.payments.receiveWebhook('nobody', webhook, () => undefined)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('an outage is said to whoever asks', async () => {
    const { id } = await paid('authorised');
    provider.moods.push('lost');
    await expect(bench.payments.reconcile(id)).rejects.toMatchObject({ code: 'payment_unavailable' });
  });

  test('a shop that accepts by itself accepts the paid order and takes the money', async () => {
    await bench.changeStore({ auto_accept: true });
    const { id, url } = await placed();
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
    expect(kept(url)).toMatchObject({ state: 'captured', captures: 1 });
  });
});

describe('a payment that comes too late', () => {
  test('is let go when the order has expired', async () => {
    const { id, url } = await paid('authorised');
    await bench.move(id, 'expire');
    await bench.payments.reconcile(id);
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'expired', payment_status: 'voided' });
  });

  test('is let go when the order was paid in cash meanwhile', async () => {
    const { id, url } = await paid('abandoned');
    const open = await bench.payments.reconcile(id).then(() => bench.payments.begin(id));
    expect(open).not.toBe(url);
    provider.moods.push('lost');
    provider.payer(referenceOf(open), 'authorised');
    await bench.payments.payAgain(id, 'cash');
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_method: 'cash', payment_status: 'unpaid' });
    await bench.jobs.run();
    expect(kept(open)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_method: 'cash', payment_status: 'unpaid' });
  });

  test('the page is closed when the order ends unpaid', async () => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    await bench.move(id, 'cancel', { reason: 'Wrong address' });
    await bench.jobs.run();
    expect(kept(url)?.state).toBe('voided');
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'unpaid' });
  });
});

describe('taking the money and letting it go', () => {
  test('accepting takes it once, also when the job comes twice', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    expect(kept(url)).toMatchObject({ state: 'authorised' });
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid', version: 4 });
    expect(await bench.paymentsOf(id)).toEqual([{ status: 'captured', owed: null, failure: null, check_at: null }]);
  });

  test('two instances that take it at the same moment take it once', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    bench.wait(21);
    const looks = [provider.hold(referenceOf(url)), provider.hold(referenceOf(url))];
    const both = Promise.all([bench.jobs.run(), bench.payments.sweep()]);
    await Promise.all(looks.map(({ reached }) => reached));
    for (const look of looks) look.release();
    await both;
    expect(kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid', version: 4 });
  });

  test('a cancellation while the money is being taken refunds it', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    const [look, take] = [provider.hold(referenceOf(url)), provider.hold(referenceOf(url))];
    const taking = bench.jobs.run();
    await look.reached;
    look.release();
    await take.reached;
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    take.release();
    await taking;
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  });

  test.each(['lost', 'answer_lost'] as const)('a capture whose call is %s is taken once in the end', async (mood) => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    provider.moods.push('fine', mood);
    await bench.jobs.run();
    expect((await bench.order(id)).payment_status).toBe('authorised');
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect((await bench.order(id)).payment_status).toBe('paid');
  });

  test('a job that died is made up for by the sweep', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    bench.wait(21);
    await bench.payments.sweep();
    expect(kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect((await bench.order(id)).payment_status).toBe('paid');
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ captures: 1 });
  });

  test('a change that is rolled back takes the owed capture with it', async () => {
    const { id } = await placed();
    const accepted = bench.db.transaction().execute(async (tx) => {
      const { moveOrder } = await import('#ordering/server/move-order.ts');
      const by = { actor: 'admin', actorName: 'Test', actorId: null, now: bench.clock.now } as const;
      await moveOrder(tx, bench.services, { orderId: id, call: 'accept', ...by });
      throw new Error('the disk is full');
    });
    await expect(accepted).rejects.toThrow('the disk is full');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    expect(await bench.paymentsOf(id)).toMatchObject([{ status: 'authorised', owed: null }]);
  });

  test('a rejected order is never charged', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'reject', { rejectReason: 'too_busy' });
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'rejected', payment_status: 'voided' });
  });

  test('an order cancelled after it was paid is refunded once', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    await bench.jobs.run();
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    provider.moods.push('fine', 'answer_lost');
    await bench.jobs.run();
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  });

  test('an order cancelled before its capture ran is let go, whichever job runs first', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await bench.jobs.run();
    expect(kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'voided' });
  });

  test('a capture refused for good leaves the order accepted, tells the board, and holds nothing back', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    provider.moods.push('fine', 'refused');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    expect(kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    const events = await bench.db
      .selectFrom('outbox')
      .select('event')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(events.at(-1)).toEqual({ event: 'order.updated' });
    expect(await bench.paymentsOf(id)).toEqual([
      { status: 'failed', owed: null, failure: 'capture_failed', check_at: null },
    ]);
  });

  test('an authorisation that lapsed before the capture fails the payment', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    Object.assign(kept(url) ?? {}, { state: 'voided' });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
  });

  test('an authorisation known to have lapsed fails the payment as the order is accepted', async () => {
    const { id, url } = await placed();
    Object.assign(kept(url) ?? {}, { state: 'voided' });
    await bench.payments.reconcile(id);
    expect((await bench.order(id)).payment_status).toBe('voided');
    await bench.move(id, 'accept');
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
  });

  test('a provider that is out for a day fails the payment, and takes nothing afterwards', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'accept');
    const statuses: string[] = [];
    for (let hour = 0; hour < 26; hour += 1) {
      provider.moods.push(...Array<'lost'>(40).fill('lost'));
      bench.wait(3600);
      await bench.payments.sweep();
      provider.moods.length = 0;
      statuses.push((await bench.order(id)).payment_status);
    }
    expect(new Set(statuses.slice(0, 23))).toEqual(new Set(['authorised']));
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    bench.wait(600);
    await bench.payments.sweep();
    expect(kept(url)).toMatchObject({ state: 'voided', captures: 0 });
  });

  test('a release is tried for as long as it takes', async () => {
    const { id, url } = await placed();
    await bench.move(id, 'reject', { rejectReason: 'other' });
    for (let day = 0; day < 3; day += 1) {
      provider.moods.push(...Array<'lost'>(10).fill('lost'));
      bench.wait(86_400);
      await bench.payments.sweep();
      provider.moods.length = 0;
    }
    expect(kept(url)?.state).toBe('authorised');
    bench.wait(3600);
    await bench.payments.sweep();
    expect(kept(url)?.state).toBe('voided');
    expect((await bench.order(id)).payment_status).toBe('voided');
  });

  test('cash owes nothing to anybody', async () => {
    const id = await bench.newOrder({ status: 'placed', payment_method: 'cash' });
    await bench.move(id, 'accept');
    await bench.move(id, 'cancel', { reason: 'Closing' });
    expect(await bench.paymentsOf(id)).toEqual([]);
    expect((await bench.order(id)).payment_status).toBe('unpaid');
  });
});

describe('paying again', () => {
  test('by card on the page that is still open', async () => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    await bench.payments.payAgain(id, 'card');
    expect(await bench.payments.begin(id)).toBe(url);
    expect(await statesOf(id)).toEqual(['pending']);
  });

  test('is not needed when the payment has arrived meanwhile', async () => {
    const { id } = await paid('authorised');
    await bench.payments.payAgain(id, 'cash');
    expect(await bench.order(id)).toMatchObject({
      status: 'placed',
      payment_method: 'card',
      payment_status: 'authorised',
    });
    await bench.payments.payAgain(id, 'card');
    expect(await statesOf(id)).toEqual(['authorised']);
  });

  test('in cash places the order and closes the card page; twice is as good as once', async () => {
    const id = await bench.newOrder();
    const url = await bench.payments.begin(id);
    await Promise.all([bench.payments.payAgain(id, 'cash'), bench.payments.payAgain(id, 'cash')]);
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({
      status: 'placed',
      payment_method: 'cash',
      payment_status: 'unpaid',
      version: 2,
    });
    expect(kept(url)?.state).toBe('voided');
  });

  test('in cash is refused where the shop takes none, or not so much', async () => {
    const id = await bench.newOrder();
    await bench.changeStore({ cash_max: 1249 });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('£12.49'),
    });
    await bench.changeStore({
      cash_max: 1250,
      payment_methods: JSON.stringify({ collection: ['card'], delivery: ['cash'] }),
    });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({
      detail: { errors: { payment_method: [expect.any(String)] } },
    });
    expect(await bench.order(id)).toMatchObject({ status: 'pending_payment', payment_method: 'card' });
  });

  test('is refused once the order has ended', async () => {
    const id = await bench.newOrder();
    await bench.move(id, 'expire');
    await expect(bench.payments.payAgain(id, 'card')).rejects.toMatchObject({ code: 'illegal_transition' });
    await expect(bench.payments.payAgain(id, 'cash')).rejects.toMatchObject({ code: 'illegal_transition' });
  });
});

test('sweeps of several instances share the payments out', async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => bench.newOrder()));
  for (const id of ids) provider.payer(referenceOf(await bench.payments.begin(id)), 'authorised');
  bench.wait(30);
  const { due } = await bench.db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<string>().as('due'))
    .where('check_at', '<=', bench.clock.now)
    .executeTakeFirstOrThrow();
  const taken = await Promise.all([bench.payments.sweep(), bench.payments.sweep(), bench.payments.sweep()]);
  expect(taken.reduce((sum, one) => sum + one)).toBe(Number(due));
  for (const id of ids) expect(await bench.order(id)).toMatchObject({ status: 'placed', version: 2 });
});
