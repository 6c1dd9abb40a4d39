import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import { erasePeopleFromOrders } from '#ordering/server/erase-guests.ts';
import { orderMailWork } from '#ordering/server/mails/send-order-mails.ts';
import { applyOrderCall } from '#ordering/server/apply-order-call.ts';
import { orderMailTools, type Placed } from '#ordering/testing/mail-tools.ts';
import { startMailServer, type MailServer } from '#testing/mail-server.ts';
import { saturdayEvening } from '#testing/small-shop.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';

let smtp: MailServer;
let app: TestApp;
let other: TestApp;
let staff: string;
beforeAll(async () => {
  smtp = await startMailServer();
  const environment = { SMTP_URL: smtp.url, APP_URL: 'https://shop.example' };
  const store = { name: 'Nonna’s', slug: 'nonnas', vat_number: 'GB 123 4567 89', service_fee: 50 };
  app = await startTestApp(store, environment);
  other = await startAppOn(app.database, app.shop, environment);
  staff = await app.signIn('admin');
});
afterAll(async () => {
  await other.stop();
  await app.close();
  await smtp.stop();
});

const { soon, place, call, pay, becomes, mailsTo, subjectsTo, lastOf, settled, numberOf } = orderMailTools(() => ({
  app,
  smtp,
  staff,
}));

describe('an order for collection, in cash', () => {
  test('is confirmed with everything in it, in plain text and as HTML', async () => {
    const order = await place({ tip: 100 });
    const { subject, text, html } = await lastOf(order.email);
    expect(subject).toBe(`Your order ${await numberOf(order)} at Nonna’s`);
    for (const part of [
      'Hello,',
      'Nonna’s has it now',
      '1 × Margherita (Large): £12.50',
      'Subtotal: £12.50',
      'Service fee: £0.50',
      'Tip: £1.00',
      'Total: £14.00',
      'VAT number GB 123 4567 89',
      'Payment: To pay in cash: £14.00',
      'Collect from: Nonna’s, 1 High Street, Rugby, CV21 1AA',
      'For: 07700 900123',
      `https://shop.example/orders/${order.id}`,
      '01632 960001',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/18:\d\d–\d\d:\d\d/);
    expect(text + html).not.toContain(order.session);
    expect(html).toContain(`href="https://shop.example/orders/${order.id}"`);
    expect(text).toContain('Follow your order:');
    expect(html).toContain('<html lang="en"');
  });

  test('has what its customer wrote only if they have confirmed the address', async () => {
    const lines = [{ ...(app.orderBody()['lines'] as object[])[0], note: 'Well done' }];
    const written = { allergy_note: 'No <nuts>', note: 'Ring twice', lines };
    const order = await place(written);
    const guests = await lastOf(order.email);
    expect(guests.text + guests.html).not.toMatch(/nuts|Ring twice|Well done/);
    const token = await app.signIn('customer');
    const { email } = (await app.request('GET', '/v1/auth/user', { token })).body.data;
    const confirmed = { email_verified_at: saturdayEvening };
    await app.database.db.updateTable('users').set(confirmed).where('email', '=', email).execute();
    await place({ ...written, contact: { name: 'Ada Byron', phone: '07700 900123', email } }, { token });
    const { text, html } = await lastOf(email);
    for (const part of ['Hello Ada Byron,', 'Your allergy note: No <nuts>', 'Your note: Ring twice', '“Well done”'])
      expect(text).toContain(part);
    expect(html).toContain('No &lt;nuts&gt;');
  });

  test('is told when it is accepted, with its time', async () => {
    const order = await place();
    await lastOf(order.email);
    await call(order, 'accept', { minutes: 40 });
    const { subject, text } = await lastOf(order.email, 2);
    expect(subject).toBe(`Nonna’s has accepted your order ${await numberOf(order)}`);
    expect(text).toContain('Ready 18:40–18:50');
    expect(text).toContain('Total: £13.00');
  });

  test('is told when it is rejected, with the reason and what becomes of the money', async () => {
    const order = await place();
    await lastOf(order.email);
    await call(order, 'reject', { reason: 'item_unavailable' });
    const { subject, text } = await lastOf(order.email, 2);
    expect(subject).toContain('could not take your order');
    expect(text).toContain('Something in it has just run out.');
    expect(text).toContain('There is nothing to pay.');
    expect(text).not.toContain('Ready');
    expect(text).not.toContain('Follow your order');
    expect(text).toContain('See your order:');
  });

  test('is told when nobody answered it', async () => {
    const order = await place();
    await lastOf(order.email);
    app.clock.now = new Date(saturdayEvening.getTime() + 11 * 60_000);
    await endOrdersPastDeadline(app.services);
    app.clock.now = saturdayEvening;
    expect((await lastOf(order.email, 2)).text).toContain('Nobody in the kitchen answered in time.');
  });

  test('is told when it is cancelled: by whom, and why', async () => {
    const [own, theirs] = [await place(), await place()];
    await Promise.all([lastOf(own.email), lastOf(theirs.email)]);
    const headers = { 'x-order-session': own.session };
    expect((await app.request('POST', `/v1/orders/${own.id}/cancel`, { body: {}, headers })).status).toBe(200);
    await call(theirs, 'cancel', { reason: 'The oven is broken' });
    expect((await lastOf(own.email, 2)).text).toContain('You have cancelled your order at Nonna’s.');
    const { text } = await lastOf(theirs.email, 2);
    expect(text).toContain('Nonna’s has cancelled your order.');
    expect(text).toContain('The reason: The oven is broken');
  });

  test.each([
    ['en-GB', 'too_late', 'The reason: It would be too late'],
    ['pl', 'cannot_deliver', 'Powód: Nie możemy go dostarczyć'],
  ])('in %s reads a kind of reason in that language', async (language, reason, words) => {
    const order = await place({}, { language });
    await lastOf(order.email);
    await call(order, 'cancel', { reason });
    expect((await lastOf(order.email, 2)).text).toContain(words);
  });
});

test('an order for delivery says where to, and one for later says when', async () => {
  const address = { line1: '2 Low Road', city: 'Rugby', postcode: 'cv212aa', instructions: 'Green door' };
  const order = await place({
    fulfilment_type: 'delivery',
    address,
    requested_for: '2026-11-22T19:00:00Z',
    lines: [{ ...(app.orderBody()['lines'] as object[])[0], quantity: 2 }],
  });
  const { text } = await lastOf(order.email);
  expect(text).toContain('Delivery to: 2 Low Road, Rugby, CV21 2AA\n');
  // Anybody may have typed it.
  expect(text).not.toContain('Green door');
  expect(text).toContain('Delivery: £2.50');
  expect(text).toMatch(/Ordered for tomorrow, 19:00–19:\d\d/);
});

describe('a card order', () => {
  test('is confirmed once it is paid, and not before', async () => {
    const order = await place({ payment_method: 'card' });
    await place().then(({ email }) => lastOf(email));
    expect(mailsTo(order.email)).toEqual([]);
    await pay(order);
    expect((await lastOf(order.email)).text).toContain('Payment: Card approved');
  });

  test('that is rejected says that nothing was taken', async () => {
    const order = await place({ payment_method: 'card' });
    await pay(order);
    await lastOf(order.email);
    await call(order, 'reject', { reason: 'too_busy' });
    const { text } = await lastOf(order.email, 2);
    expect(text).toContain('We never took your money. It was only held');
    expect(text).not.toContain('charged when the shop accepts');
  });

  test('that ended before its payment arrived says that the money was never taken', async () => {
    const order = await place({ payment_method: 'card' });
    const { id, session, email, page } = order;
    const approve = new URLSearchParams({ outcome: 'approve', delivery: 'never' });
    await fetch(app.url + new URL(page).pathname, { method: 'POST', body: approve, redirect: 'manual' });
    const headers = { 'x-order-session': session };
    const cancelled = await app.request('POST', `/v1/orders/${id}/cancel`, { body: {}, headers });
    expect(cancelled.body.data.status).toBe('cancelled');
    const { subject, text } = await lastOf(email);
    expect(subject).toBe(`Your card was not charged for order ${await numberOf(order)} at Nonna’s`);
    expect(text).toContain('We never took the money');
    expect(text).toContain('nothing is being prepared for you');
    await settled();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('is told of each refund that went through, with its amount', async () => {
    const order = await place({ payment_method: 'card' });
    await pay(order);
    await lastOf(order.email);
    await call(order, 'accept');
    await becomes(order, 'paid');
    await lastOf(order.email, 2);
    await call(order, 'refunds', { key: randomUUID(), amount: 450, reason: 'Cold chips' });
    const first = await lastOf(order.email, 3);
    expect(first.subject).toBe(`£4.50 refunded for your order ${await numberOf(order)} at Nonna’s`);
    expect(first.text).toContain('has refunded £4.50. It goes back the way you paid, and arrives in 5 to 10 days.');
    await call(order, 'refunds', { key: randomUUID(), amount: 100, reason: 'Late' });
    expect((await lastOf(order.email, 4)).text).toContain('£5.50 of £13.00 has been refunded');
  });
});

describe.concurrent('dishes taken off', () => {
  /** Two large pizzas at £12.50, two chips at £3.00, service 50p: £31.50. */
  const placeMeal = (change: Record<string, unknown> = {}, options: { language?: string } = {}) => {
    const [pizza] = app.orderBody()['lines'] as object[];
    const chips = { item_id: app.shop.chips, quantity: 2, options: [] };
    return place({ lines: [{ ...pizza, quantity: 2 }, chips], ...change }, options);
  };
  const takeOff = async (order: Placed, wanted: [line: number, quantity: number][], reason: string) => {
    const { lines } = (await app.request('GET', `/v1/orders/${order.id}`, { token: staff })).body.data;
    const chosen = wanted.map(([line, quantity]) => ({ line_id: lines[line].id, quantity }));
    await call(order, 'lines/remove', { lines: chosen, reason });
  };

  test('are named with the reason, what is paid now, and what is left of the order', async () => {
    const order = await placeMeal();
    await lastOf(order.email);
    await takeOff(order, [[0, 1]], 'sold_out');
    const { subject, text } = await lastOf(order.email, 2);
    expect(subject).toBe(`Your order ${await numberOf(order)} at Nonna’s has changed`);
    for (const part of [
      'We are sorry: Nonna’s has taken a dish off your order.',
      '1 × Margherita (Large): Sold out',
      'You now pay £19.00.',
      '1 × Margherita (Large): £12.50',
      '2 × Chips: £6.00',
      'Subtotal: £18.50',
      'Total: £19.00',
    ])
      expect(text).toContain(part);

    // What went before stands there again: a reader who missed the first mail learns everything.
    await takeOff(order, [[1, 2]], 'The <fryer> broke');
    const second = await lastOf(order.email, 3);
    expect(second.text).toContain('Nonna’s has taken 3 dishes off your order.');
    expect(second.text).toContain('2 × Chips: The <fryer> broke');
    expect(second.html).toContain('The &lt;fryer&gt; broke');
    expect(second.text).toContain('You now pay £13.00.');
  });

  test('before a card is charged are not charged, and after that go back, by one mail each', async () => {
    const order = await placeMeal({ payment_method: 'card' });
    await pay(order);
    await lastOf(order.email);
    await takeOff(order, [[0, 1]], 'sold_out');
    const held = (await lastOf(order.email, 2)).text;
    expect(held).toContain('Your card will be charged £19.00. What was taken off is not charged.');
    await call(order, 'accept');
    await becomes(order, 'paid');
    await lastOf(order.email, 3);
    await takeOff(order, [[1, 1]], 'sold_out');
    const charged = (await lastOf(order.email, 4)).text;
    // The mail says how it stands when it is written: the refund may be made by then.
    expect(charged).toMatch(/£3\.00 for what was taken off (goes|was sent) back to your card\. Your bank shows it/);
    expect(charged).toContain('Total: £16.00');
    await soon(async () => {
      const { body } = await app.request('GET', `/v1/orders/${order.id}/payments`, { token: staff });
      expect(body.data.refunds).toMatchObject([{ amount: 300, status: 'succeeded' }]);
    });
    await settled();
    expect(mailsTo(order.email)).toHaveLength(4);
  });

  test('are told in the language of the order', async () => {
    const order = await placeMeal({}, { language: 'pl' });
    await lastOf(order.email);
    await takeOff(order, [[1, 2]], 'sold_out');
    const { subject, text } = await lastOf(order.email, 2);
    expect(subject).toBe(`Twoje zamówienie ${await numberOf(order)} w Nonna’s się zmieniło`);
    expect(text).toContain('Nonna’s usuwa z Twojego zamówienia 2 dania');
    expect(text).toContain('2 × Chips: Zabrakło');
  });

  test('that were all of it are a cancellation, with the mail of that alone', async () => {
    const order = await placeMeal();
    await lastOf(order.email);
    await takeOff(
      order,
      [
        [0, 2],
        [1, 2],
      ],
      'sold_out',
    );
    await settled();
    expect(subjectsTo(order.email).slice(1)).toEqual([expect.stringContaining('is cancelled')]);
  });
});

describe('the language', () => {
  const customer = async (locale: string) => {
    const token = await app.signIn('customer');
    await app.request('PATCH', '/v1/auth/user', { token, body: { locale } });
    return token;
  };

  test("of a guest is their page's, for all of the order's mails, whatever the staff's is", async () => {
    const order = await place({}, { language: 'pl' });
    const { subject, text, html } = await lastOf(order.email);
    expect(subject).toBe(`Zamówienie ${await numberOf(order)} w Nonna’s`);
    expect(text).toContain('Razem: 13,00 £');
    expect(html).toContain('<html lang="pl"');
    await call(order, 'reject', { reason: 'too_busy' });
    expect((await lastOf(order.email, 2)).subject).toContain('nie możemy przyjąć');
  });

  test('of a customer is the one of their account', async () => {
    const polish = await place({}, { token: await customer('pl') });
    const british = await place({}, { token: await customer('en-GB'), language: 'pl' });
    expect((await lastOf(polish.email)).text).toContain('Dzień dobry,');
    expect((await lastOf(british.email)).text).toContain('Hello,');
  });
});

describe('nothing is sent', () => {
  test('without an address, unless the customer has an account; nor for what staff take down without one', async () => {
    const contact = { name: 'Ada Byron', phone: '07700 900123' };
    const guest = await place({ contact });
    const counter = await place({ contact, channel: 'counter' }, { token: staff });
    const token = await app.signIn('customer');
    const { email } = (await app.request('GET', '/v1/auth/user', { token })).body.data;
    await place({ contact }, { token });
    expect((await lastOf(email)).subject).toContain('Your order');
    const owed = app.database.db
      .selectFrom('order_mails')
      .select('kind')
      .where('order_id', 'in', [guest.id, counter.id]);
    expect(await owed.execute()).toEqual([]);
  });

  test('of what is not so any more: an order that is accepted at once is confirmed by that alone', async () => {
    const order = await place({ channel: 'phone' }, { token: staff });
    await settled();
    expect(subjectsTo(order.email)).toEqual([expect.stringContaining('has accepted your order')]);
  });

  test('twice: not by a call that comes again, a job that comes again, or by another instance', async () => {
    const order = await place();
    await lastOf(order.email);
    await Promise.all([call(order, 'accept'), call(order, 'accept')]);
    await lastOf(order.email, 2);
    const { db } = app.database;
    const mails = await db.selectFrom('order_mails').select('mail_id').where('order_id', '=', order.id).execute();
    expect(mails).toHaveLength(2);
    await db.transaction().execute(async (tx) => {
      for (const { mail_id } of [...mails, ...mails]) {
        // As this version queues it, and as an earlier one did.
        await app.services.jobs.send(tx, 'mail', { mail_id });
        await other.services.jobs.send(tx, 'order-mail', { mail_id });
      }
    });
    await soon(async () => {
      const jobs = sql`select 1 from pgboss.job where name in ('mail', 'order-mail') and state < 'completed'`;
      expect((await jobs.execute(db)).rows).toEqual([]);
    });
    expect(mailsTo(order.email)).toHaveLength(2);
    expect(new Set(mailsTo(order.email).map(({ id }) => id)).size).toBe(2);
  });

  test('to a guest who is being erased: no row of a mail gets the address back', async () => {
    const order = await place();
    await lastOf(order.email);
    await settled();
    const { db } = app.database;
    await db.transaction().execute(async (erasure) => {
      await erasePeopleFromOrders(erasure, app.services, [order.id]);
      await db
        .insertInto('order_mails')
        .values({ order_id: order.id, kind: 'changed', owed_at: app.clock.now })
        .execute();
      await orderMailWork(app.services).work(true);
      const queued = db
        .selectFrom('mails')
        .select('id')
        .where('order_id', '=', order.id)
        .where('kind', '=', 'order_changed');
      expect(await queued.execute()).toEqual([]);
    });
    await settled();
    const rows = await db
      .selectFrom('mails')
      .select(['to_address', 'state'])
      .where('order_id', '=', order.id)
      .execute();
    expect(rows).toEqual([{ to_address: '', state: 'dropped' }]);
  });

  test('by two instances at once: each of many mails comes once', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => place()));
    await settled();
    expect(orders.map(({ email }) => mailsTo(email).length)).toEqual(orders.map(() => 1));
  });

  test('to an address that nobody has: the shop goes on, and is not told that its mail server fails', async () => {
    const order = await place();
    smtp.refusals.unknown.add(order.email);
    await lastOf((await place()).email);
    await settled();
    expect(mailsTo(order.email)).toEqual([]);
    const failed = (token: string) => app.request('GET', `/v1/orders/${order.id}/failed-mails`, { token });
    // Its staff see it on the order, without the address.
    await soon(async () =>
      expect((await failed(staff)).body.data).toEqual([
        { kind: 'order_placed', state: 'refused', answer: expect.stringContaining('5.1.1'), at: expect.any(String) },
      ]),
    );
    expect((await failed(await app.signIn('customer'))).status).toBe(403);
  });
});

test('a mail that the server refuses for now comes later, once', async () => {
  smtp.refusals.data.push('4.3.0 later', '4.3.0 later');
  const order = await place();
  await lastOf(order.email);
  await settled();
  expect(smtp.refusals.data).toEqual([]);
  expect(mailsTo(order.email)).toHaveLength(1);
});

test('a mail is owed by the change itself: what is undone is never told', async () => {
  const order = await place();
  await lastOf(order.email);
  const bySystem = {
    orderId: order.id,
    actor: 'system',
    actorName: 'system',
    actorId: null,
    now: saturdayEvening,
  } as const;
  const undone = app.database.db.transaction().execute(async (tx) => {
    await applyOrderCall(tx, app.services, { ...bySystem, call: 'reject', rejectReason: 'too_busy' });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await call(order, 'accept');
  await lastOf(order.email, 2);
  await settled();
  expect(subjectsTo(order.email)).toEqual([expect.stringContaining('Your order'), expect.stringContaining('accepted')]);
});
