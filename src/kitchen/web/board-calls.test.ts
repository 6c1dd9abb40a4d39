import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import type { QueuedAction } from '#kitchen/web/action-queue.ts';
import { sendAction } from '#kitchen/web/board-calls.ts';

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
