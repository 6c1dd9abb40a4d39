import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import {
  type CallResult,
  createActionQueue,
  openActionStorage,
  type QueuedAction,
  possiblyLostActions,
  ordersAfterPendingActions,
} from '#kitchen/web/action-queue.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T18:05:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const unanswered: CallResult = { kind: 'unanswered' };

function start(answer: (action: QueuedAction) => CallResult | Promise<CallResult> = done) {
  const sent: string[] = [];
  const refused: QueuedAction[] = [];
  let list: readonly QueuedAction[] = [];
  const script = { answer };
  const queue = createActionQueue({
    send: async (action) => {
      sent.push(`${action.number} ${action.call}`);
      return script.answer(action);
    },
    onChange: (actions) => (list = actions),
    onDone: () => undefined,
    onRefused: (action, _error, dropped) => refused.push(action, ...dropped),
    now: Date.now,
  });
  return { queue, sent, refused, script, waiting: () => list.map(({ number, call }) => `${number} ${call}`) };
}

function done(action: QueuedAction): CallResult {
  return { kind: 'done', answer: sampleOrder({ id: action.orderId }) };
}

/** The format in which every version of the board has stored it. */
const kept = { id: 'a-tap', number: '1', call: 'accept', input: {}, from: 'placed', attempts: 2 };
const first = sampleOrder({ number: '1' });
const second = sampleOrder({ number: '2' });

test('calls are sent one by one, in the order of the requests', async () => {
  const { queue, sent, waiting } = start();
  queue.ask(first, 'accept');
  queue.ask(second, 'accept');
  queue.ask(first, 'packed');
  expect(sent).toEqual(['1 accept']);
  await vi.runAllTimersAsync();
  expect(sent).toEqual(['1 accept', '2 accept', '1 packed']);
  expect(waiting()).toEqual([]);
});

test('without an answer every call is stored, and all are sent in order once the connection is back', async () => {
  const { queue, sent, script, waiting } = start(() => unanswered);
  queue.ask(first, 'accept');
  queue.ask(second, 'accept');
  await vi.advanceTimersByTimeAsync(500);
  expect(waiting()).toEqual(['1 accept', '2 accept']);
  expect(sent).toEqual(['1 accept']);
  script.answer = done;
  sent.length = 0;
  queue.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['1 accept', '2 accept']);
  expect(waiting()).toEqual([]);
});

test('it tries again by itself, less and less often', async () => {
  const { queue, sent } = start(() => unanswered);
  queue.ask(first, 'accept');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent.length).toBeGreaterThan(4);
  expect(sent.length).toBeLessThan(10);
});

test('a reject is held and can be taken back, and then nothing was sent', async () => {
  const { queue, sent, waiting } = start();
  const reject = queue.ask(first, 'reject', { reason: 'too_busy' }, 5000);
  await vi.advanceTimersByTimeAsync(4999);
  expect(sent).toEqual([]);
  expect(queue.takeBack(reject.id)).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toEqual([]);
  expect(waiting()).toEqual([]);
});

test('a held reject is sent when its time is up, and calls on other orders do not wait for it', async () => {
  const { queue, sent } = start();
  queue.ask(first, 'reject', { reason: 'too_busy' }, 5000);
  queue.ask(second, 'accept');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['2 accept']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).toEqual(['2 accept', '1 reject']);
});

test('a call that was sent cannot be taken back, whether it is answered or not', async () => {
  const { queue } = start(() => unanswered);
  const accept = queue.ask(first, 'accept');
  expect(queue.takeBack(accept.id)).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(queue.takeBack(accept.id)).toBe(false);
});

test('taking back a call also takes back the later calls on the same order', async () => {
  const { queue, waiting } = start(() => unanswered);
  queue.ask(second, 'accept');
  await vi.advanceTimersByTimeAsync(0);
  const accept = queue.ask(first, 'accept');
  queue.ask(first, 'packed');
  queue.takeBack(accept.id);
  expect(waiting()).toEqual(['2 accept']);
});

test('a refusal drops the later calls on that order and no others', async () => {
  const refuse: CallResult = { kind: 'refused', error: new Error('illegal_transition') };
  const { queue, sent, refused } = start((action) => (action.number === '1' ? refuse : done(action)));
  queue.ask(first, 'accept');
  queue.ask(first, 'packed');
  queue.ask(second, 'accept');
  await vi.runAllTimersAsync();
  expect(refused.map(({ call }) => call)).toEqual(['accept', 'packed']);
  expect(sent).toEqual(['1 accept', '2 accept']);
});

test('a call that throws counts as refused instead of stopping the queue', async () => {
  const { queue, sent } = start((action) =>
    action.number === '1' ? Promise.reject(new Error('broken')) : done(action),
  );
  queue.ask(first, 'accept');
  queue.ask(second, 'accept');
  await vi.runAllTimersAsync();
  expect(sent).toEqual(['1 accept', '2 accept']);
});

test('a list that an earlier page of the board stored is sent', async () => {
  const action = { ...kept, orderId: first.id, sendAt: Date.now(), askedAt: Date.now() };
  const stored = new Map([['kitchen_actions/ann/main/k3v9', JSON.stringify([action])]]);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('localStorage', {
    'kitchen_actions/ann/main/k3v9': '',
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
  const sent: QueuedAction[] = [];
  const queue = createActionQueue({
    kept: openActionStorage('ann', 'main'),
    send: async (one) => {
      sent.push(one);
      return done(one);
    },
    onChange: () => undefined,
    onDone: () => undefined,
    onRefused: () => undefined,
    now: Date.now,
  });
  queue.start();
  await vi.runAllTimersAsync();
  vi.unstubAllGlobals();
  expect(sent).toEqual([action]);
  expect(stored.size).toBe(0);
});

test('the board shows the requested status, but a ticket with a held reject stays in its column', () => {
  const now = Date.now();
  const base = {
    input: {},
    from: 'placed',
    askedAt: now,
    attempts: 0,
    isFailing: false,
    number: '1',
    id: 'a',
  } as const;
  const orders = new Map([first, second].map((order) => [order.id, order]));
  const shown = ordersAfterPendingActions(
    orders,
    [
      { ...base, orderId: first.id, call: 'accept', sendAt: now },
      { ...base, orderId: second.id, call: 'reject', sendAt: now + 5000 },
    ],
    now,
  );
  expect(shown.get(first.id)?.status).toBe('accepted');
  expect(shown.get(second.id)?.status).toBe('placed');
});

test('once a call gets no answer, the later ones count as unsent too, but a held reject does not', async () => {
  let list: readonly QueuedAction[] = [];
  const queue = createActionQueue({
    send: async () => unanswered,
    onChange: (actions) => (list = actions),
    onDone: () => undefined,
    onRefused: () => undefined,
    now: Date.now,
  });
  queue.ask(first, 'accept');
  expect(possiblyLostActions(list, Date.now(), false)).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  queue.ask(second, 'accept');
  queue.ask(sampleOrder({ number: '3' }), 'reject', {}, 5000);
  expect(possiblyLostActions(list, Date.now(), false).map(({ number }) => number)).toEqual(['1', '2']);
  queue.stop();
});

test('a call at which the server fails counts as unsent, and the others do not', async () => {
  let list: readonly QueuedAction[] = [];
  const queue = createActionQueue({
    send: async ({ number }) => (number === '1' ? { kind: 'failed' } : new Promise(() => undefined)),
    onChange: (actions) => (list = actions),
    onDone: () => undefined,
    onRefused: () => undefined,
    now: Date.now,
  });
  queue.ask(first, 'accept');
  await vi.advanceTimersByTimeAsync(10);
  queue.ask(second, 'accept');
  expect(possiblyLostActions(list, Date.now(), false).map(({ number }) => number)).toEqual(['1']);
  queue.stop();
});

test('an action without an answer counts as not sent: immediately while the server is silent, otherwise after two seconds', async () => {
  let list: readonly QueuedAction[] = [];
  const queue = createActionQueue({
    send: () => new Promise(() => undefined),
    onChange: (actions) => (list = actions),
    onDone: () => undefined,
    onRefused: () => undefined,
    now: Date.now,
  });
  queue.ask(sampleOrder({ number: '1' }), 'accept');
  queue.ask(sampleOrder({ number: '2' }), 'reject', {}, 5000);
  const unsent = (isSilent: boolean) => possiblyLostActions(list, Date.now(), isSilent).map(({ number }) => number);
  expect([unsent(false), unsent(true)]).toEqual([[], ['1']]);
  await vi.advanceTimersByTimeAsync(1999);
  expect(unsent(false)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(unsent(false)).toEqual(['1']);
  await vi.advanceTimersByTimeAsync(3000);
  expect(unsent(false)).toEqual(['1', '2']);
  queue.stop();
});

test('every call is answered exactly once and in its order, however the connection behaves', async () => {
  const asks = fc.array(fc.tuple(fc.nat(3), fc.boolean(), fc.nat(6000)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(asks, async (asks) => {
      const orders = [0, 1, 2, 3].map((index) => sampleOrder({ number: String(index) }));
      const answered: number[][] = [[], [], [], []];
      let step = 0;
      const { queue, waiting } = start((action) => {
        step += 1;
        if (asks[step % asks.length]?.[1] && action.attempts < 3) return unanswered;
        answered[Number(action.number)]?.push(action.input.readyAt ?? -1);
        return done(action);
      });
      const asked: number[][] = [[], [], [], []];
      asks.forEach(([index, , hold], count) => {
        const order = orders[index];
        if (!order) return;
        asked[index]?.push(count);
        queue.ask(order, 'promise', { readyAt: count }, hold);
      });
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(waiting()).toEqual([]);
      expect(answered).toEqual(asked);
    }),
  );
});
