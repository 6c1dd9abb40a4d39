import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { type QueuedAction, sendAction } from '#kitchen/web/action-queue.ts';
import { actionRefusedWords } from '#kitchen/web/board-words.ts';

const now = Date.parse('2026-11-20T18:05:00.000Z');
const order = sampleOrder({ status: 'accepted' });
const accept: QueuedAction = {
  id: 'a-tap',
  orderId: order.id,
  number: order.number,
  call: 'accept',
  input: { readyAt: now + 20 * 60_000 },
  from: 'placed',
  askedAt: now,
  sendAt: now,
  attempts: 0,
  isFailing: false,
};

const sent: { method: string; key: string | null; body: unknown }[] = [];
let answers: (() => Response)[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now });
  vi.stubGlobal('location', new URL('http://shop.example/kitchen'));
  sent.length = 0;
  vi.stubGlobal('fetch', async (_url: URL, { method = 'GET', headers, body }: RequestInit) => {
    sent.push({ method, key: new Headers(headers).get('idempotency-key'), body: body && JSON.parse(String(body)) });
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const conflict = () => Response.json({ message: '', code: 'idempotency_conflict' }, { status: 409 });

test('if an earlier attempt arrived, when more minutes were left, the answer is the order', async () => {
  answers = [];
  expect(await sendAction(accept)).toEqual({ kind: 'unanswered' });
  vi.setSystemTime(now + 2 * 60_000);
  answers = [conflict, () => Response.json({ data: order })];
  expect(await sendAction(accept)).toEqual({ kind: 'done', answer: order });
  expect(sent).toEqual([
    { method: 'POST', key: 'a-tap', body: { minutes: 20 } },
    { method: 'POST', key: 'a-tap', body: { minutes: 18 } },
    { method: 'GET', key: null, body: undefined },
  ]);
});

test('if the order cannot be fetched, the call is sent again', async () => {
  answers = [conflict];
  expect(await sendAction(accept)).toEqual({ kind: 'unanswered' });
});

test('another refusal is final', async () => {
  answers = [() => Response.json({ message: '', code: 'illegal_transition' }, { status: 409 })];
  expect(await sendAction(accept)).toMatchObject({ kind: 'refused', error: { code: 'illegal_transition' } });
});

const cutShort = () => new Response('{"data":{"id"', { status: 200 });
const page = (status: number) => () => new Response('<h1>Gateway</h1>', { status });
const failed = (status: number, code: string) => () => Response.json({ message: '', code }, { status });

test.each([
  ['an upload that was too slow', failed(408, 'request_timeout'), 'failed'],
  ['an error of the server', failed(500, 'internal'), 'failed'],
  ['a database that is away', failed(503, 'unavailable'), 'failed'],
  ['a proxy that waits no longer', page(504), 'failed'],
  ['a proxy that knows no such page', page(404), 'failed'],
  ['a Wi-Fi that asks for its own sign-in', page(200), 'unanswered'],
  ['an answer that was cut short', cutShort, 'unanswered'],
  ['too many calls', failed(429, 'too_many_requests'), 'unanswered'],
])('after %s the call is made again, with the same key, until the shop decides', async (_, answer, kind) => {
  for (const attempts of [0, 7, 500]) {
    answers = [answer];
    expect(await sendAction({ ...accept, attempts })).toEqual({ kind });
  }
  answers = [() => Response.json({ data: order })];
  expect(await sendAction({ ...accept, attempts: 501 })).toEqual({ kind: 'done', answer: order });
  expect(new Set(sent.map(({ key }) => key))).toEqual(new Set(['a-tap']));
});

test('a call without an answer in time is made again, and the others do not wait for it', async () => {
  answers = [
    () => {
      throw new DOMException('signal timed out', 'TimeoutError');
    },
  ];
  expect(await sendAction(accept)).toEqual({ kind: 'failed' });
});

test('six hours after the tap it is not sent any more, and the board says so', async () => {
  vi.setSystemTime(now + 6 * 3_600_000 - 1);
  answers = [failed(500, 'internal')];
  expect(await sendAction(accept)).toEqual({ kind: 'failed' });
  vi.setSystemTime(now + 6 * 3_600_000);
  const sentBefore = sent.length;
  const late = await sendAction(accept);
  expect(sent).toHaveLength(sentBefore);
  expect(actionRefusedWords(accept, late.kind === 'refused' ? late.error : null, order)).toBe(
    `#${order.number}: “Accept” did not go through. The board tried for six hours. Check the order.`,
  );
});
