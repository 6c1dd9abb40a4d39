import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endOrdersPastDeadline } from '#ordering/server/deadlines.ts';
import type { AppError } from '#platform/errors.ts';
import { loadOrders, presentOrder, type LoadedOrder } from '#ordering/server/present-order.ts';
import { openCardBench, type CardBench } from '#payment/testing/card-bench.ts';
import { readOrderPayments } from '#payment/server/read-payments.ts';

let bench: CardBench;
beforeAll(async () => {
  bench = await openCardBench();
});
beforeEach(() => bench.reset());
afterAll(() => bench.close());

describe('taking the money and letting it go', () => {
  test('accepting takes it once, also when the job comes twice', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    expect(bench.kept(url)).toMatchObject({ state: 'authorised' });
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid', version: 4 });
    expect(await bench.paymentsOf(id)).toEqual([{ status: 'captured', owed: null, failure: null, check_at: null }]);
  });

  test('two instances that take it at the same moment take it once', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    bench.wait(21);
    const looks = [bench.provider.hold(bench.referenceOf(url)), bench.provider.hold(bench.referenceOf(url))];
    const both = Promise.all([bench.jobs.run(), bench.payments.sweep()]);
    await Promise.all(looks.map(({ reached }) => reached));
    for (const look of looks) look.release();
    await both;
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid', version: 4 });
  });

  test('a cancellation while the money is being taken refunds it', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    const [look, take] = [bench.provider.hold(bench.referenceOf(url)), bench.provider.hold(bench.referenceOf(url))];
    const taking = bench.jobs.run();
    await look.reached;
    look.release();
    await take.reached;
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    take.release();
    await taking;
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  });

  test.each(['lost', 'answer_lost'] as const)('a capture whose call is %s is taken once in the end', async (mood) => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    bench.provider.moods.push('fine', mood);
    await bench.jobs.run();
    expect((await bench.order(id)).payment_status).toBe('authorised');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect((await bench.order(id)).payment_status).toBe('paid');
  });

  test('a job that died is made up for by the sweep', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    bench.wait(21);
    await bench.payments.sweep();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1 });
    expect((await bench.order(id)).payment_status).toBe('paid');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ captures: 1 });
  });

  test('a change that is rolled back takes the owed capture with it', async () => {
    const { id } = await bench.placed();
    const accepted = bench.db.transaction().execute(async (tx) => {
      const { applyOrderCall } = await import('#ordering/server/apply-order-call.ts');
      const by = { actor: 'admin', actorName: 'Test', actorId: null, now: bench.clock.now } as const;
      await applyOrderCall(tx, bench.services, { orderId: id, call: 'accept', ...by });
      throw new Error('the disk is full');
    });
    await expect(accepted).rejects.toThrow('the disk is full');
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
    expect(await bench.paymentsOf(id)).toMatchObject([{ status: 'authorised', owed: null }]);
  });

  test('a rejected order is never charged', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'reject', { rejectReason: 'too_busy' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'rejected', payment_status: 'voided' });
  });

  test('an order that nobody answered in time is let go, though no board is on', async () => {
    const { id, url } = await bench.placed();
    bench.wait(11 * 60);
    await endOrdersPastDeadline(bench.services);
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({
      status: 'rejected',
      reject_reason: 'not_answered',
      payment_status: 'voided',
    });
  });

  test('an order cancelled after it was paid is refunded once', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    await bench.jobs.run();
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    bench.provider.moods.push('fine', 'answer_lost');
    await bench.jobs.run();
    await bench.jobs.run();
    await bench.jobs.repeat();
    expect(bench.kept(url)).toMatchObject({ state: 'refunded', captures: 1, refunds: 1 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  });

  test('an order cancelled before its capture ran is let go, whichever job runs first', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    await bench.move(id, 'cancel', { reason: 'No more rice' });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'cancelled', payment_status: 'voided' });
  });

  test('a capture refused for good leaves the order accepted, tells the board, and holds nothing back', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    bench.provider.moods.push('fine', 'refused');
    const alerts: object[] = [];
    await bench.jobs.work('alert', async (alert) => void alerts.push(alert));
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
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
    expect(alerts).toMatchObject([{ kind: 'capture_failed', store_id: bench.storeId }]);
  });

  test('an authorisation that lapsed before the capture fails the payment', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    Object.assign(bench.kept(url), { state: 'voided' });
    await bench.jobs.run();
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
  });

  test('money that was captured at the provider itself is not captured again', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    Object.assign(bench.kept(url), { state: 'captured', captured: 1250, captures: 1 });
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1, refunds: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'paid' });
  });

  test('a hold of which only a part was captured at the provider says what is missing, and refunds no more than that', async () => {
    const { id, url } = await bench.placed();
    expect(await readOrderPayments(bench.db, id)).toMatchObject({ refundable: 0, short: 0 });
    Object.assign(bench.kept(url), { state: 'captured', captured: 800, captures: 1 });
    await bench.payments.reconcile(id);
    await bench.move(id, 'accept');
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'captured', captures: 1, refunds: 0 });
    expect(await bench.order(id)).toMatchObject({ payment_status: 'paid', total: 1250 });
    expect(await readOrderPayments(bench.db, id)).toMatchObject({ total: 1250, refundable: 800, short: 450 });
  });

  test('an order whose hold was released meanwhile cannot be accepted', async () => {
    const { id, url } = await bench.placed();
    Object.assign(bench.kept(url), { state: 'voided' });
    await bench.payments.reconcile(id);
    expect((await bench.order(id)).payment_status).toBe('voided');
    await expect(bench.move(id, 'accept')).rejects.toMatchObject({ code: 'hold_ended' });
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'voided' });
    await bench.move(id, 'reject', { rejectReason: 'other' });
    expect(await bench.order(id)).toMatchObject({ status: 'rejected', payment_status: 'voided' });
  });

  test.each([
    ['a minute', 60, 'hold_ended'],
    ['61 seconds', 61, null],
  ])('an order whose hold ends in %s', async (_name, seconds, code) => {
    const { id, url } = await bench.paid('authorised');
    Object.assign(bench.kept(url), { heldUntil: new Date(bench.clock.now.getTime() + 3_600_000) });
    await bench.payments.reconcile(id);
    bench.wait(3600 - seconds);
    const [whole] = await loadOrders(bench.db, bench.services.orderParts, [id]);
    const view = { withSession: false, readerId: null };
    const { actions } = presentOrder(whole as LoadedOrder, 'store_admin', bench.clock.now, view);
    expect(actions.includes('accept')).toBe(code === null);
    expect(actions).toContain('reject');
    const refusal = await bench.move(id, 'accept').then(
      () => null,
      (error: AppError) => error.code,
    );
    expect([refusal, (await bench.order(id)).status]).toEqual(code ? [code, 'placed'] : [null, 'accepted']);
  });

  test('a hold that ended before the shop heard of it is not accepted automatically', async () => {
    await bench.changeStore({ auto_accept: true });
    const { id, url } = await bench.paid('authorised');
    Object.assign(bench.kept(url), { heldUntil: bench.clock.now });
    await bench.payments.reconcile(id);
    expect(await bench.order(id)).toMatchObject({ status: 'placed', payment_status: 'authorised' });
  });

  test.each([
    ['amount', { amount: 1249 }],
    ['mode or account', { isForeign: true }],
  ])('money whose %s changed since it was held is not captured', async (_what, change) => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    Object.assign(bench.kept(url), change);
    await bench.jobs.run();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
  });

  test('a provider that is out for a day fails the payment, and takes nothing afterwards', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'accept');
    const statuses: string[] = [];
    for (let hour = 0; hour < 26; hour += 1) {
      bench.provider.moods.push(...Array<'lost'>(40).fill('lost'));
      bench.wait(3600);
      await bench.payments.sweep();
      bench.provider.moods.length = 0;
      statuses.push((await bench.order(id)).payment_status);
    }
    expect(new Set(statuses.slice(0, 23))).toEqual(new Set(['authorised']));
    expect(await bench.order(id)).toMatchObject({ status: 'accepted', payment_status: 'failed' });
    bench.wait(600);
    await bench.payments.sweep();
    expect(bench.kept(url)).toMatchObject({ state: 'voided', captures: 0 });
  });

  test('a release is tried for as long as it takes', async () => {
    const { id, url } = await bench.placed();
    await bench.move(id, 'reject', { rejectReason: 'other' });
    for (let day = 0; day < 3; day += 1) {
      bench.provider.moods.push(...Array<'lost'>(10).fill('lost'));
      bench.wait(86_400);
      await bench.payments.sweep();
      bench.provider.moods.length = 0;
    }
    expect(bench.kept(url).state).toBe('authorised');
    bench.wait(3600);
    await bench.payments.sweep();
    expect(bench.kept(url).state).toBe('voided');
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
