import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sampleOrder } from '#printing/testing/sample-order.ts';
import { sendOrder } from '#ordering/web/checkout/send-order.ts';
import type { ApiInput } from '#platform/web/api.ts';

const order = sampleOrder({ status: 'placed' });
// Only its session matters here.
const body = { session: 'one' } as ApiInput<'POST /v1/orders'>;
const sent: unknown[] = [];
let answers: (() => Response)[] = [];
/** Whether the shop has it. */
let isArrived = false;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', new URL('http://shop.example/checkout'));
  sent.length = 0;
  isArrived = false;
  vi.stubGlobal('fetch', async (_url: URL, { method, body: asked }: RequestInit) => {
    if (method === 'GET') return isArrived ? placed() : Response.json({ code: 'not_found' }, { status: 404 });
    sent.push(JSON.parse(String(asked)));
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const badGateway = () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 });
const placed = () => Response.json({ data: order }, { status: 201 });

async function send() {
  const onRetry = vi.fn<() => void>();
  const result = sendOrder(body, 30_000, onRetry).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return { result: await result, onRetry };
}

test('while a proxy answers in the shop’s place, the same order is sent again, and says so', async () => {
  answers = [badGateway, badGateway, placed];
  const { result, onRetry } = await send();
  expect(result).toEqual(order);
  expect(sent).toEqual([body, body, body]);
  expect(onRetry).toHaveBeenCalled();
});

test('an order that arrived behind the proxy is found, and is not sent again', async () => {
  const behind = () => {
    isArrived = true;
    return badGateway();
  };
  answers = [behind, placed];
  const { result } = await send();
  expect(result).toEqual(order);
  expect(sent).toHaveLength(1);
});

test('if the proxy goes on answering, it is unknown whether the order arrived', async () => {
  answers = Array.from({ length: 9 }, () => badGateway);
  const { result } = await send();
  expect(result).toMatchObject({ code: 'offline' });
  expect(sent).toHaveLength(5);
});

test.each([
  ['the shop’s own refusal', () => Response.json({ code: 'order_refused', message: 'No.' }, { status: 422 })],
  ['the shop’s own failure', () => Response.json({ code: 'internal', message: 'No.' }, { status: 500 })],
  ['a proxy’s refusal', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
])('%s is not repeated', async (_name, answer) => {
  answers = [answer, placed];
  const { result, onRetry } = await send();
  expect(result).toBeInstanceOf(Error);
  expect(sent).toHaveLength(1);
  expect(onRetry).not.toHaveBeenCalled();
});
