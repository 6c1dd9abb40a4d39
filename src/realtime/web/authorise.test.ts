import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAuthoriser } from '#realtime/web/realtime-client.ts';
import type { ChannelAuthoriser } from '#realtime/web/pusher.ts';

const fetched = vi.fn<typeof fetch>();
const request = { socketId: '1.1', channelName: 'private-orders.1' };
let token: string | null = null;
let current = '1.1';
const onRefused = vi.fn<() => Promise<void>>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
  onRefused.mockReset();
  token = null;
  current = '1.1';
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answer = vi.fn<Parameters<ChannelAuthoriser>[1]>();
const authorise = createAuthoriser(
  '/v1/broadcasting/auth',
  { readToken: () => token, onRefused },
  (socketId) => socketId === current,
);

beforeEach(() => void answer.mockReset());

function lastCall(): { url: unknown; body: string; headers: unknown } {
  const [url, init] = fetched.mock.lastCall ?? [];
  return { url, body: String(init?.body), headers: init?.headers };
}

test('the form of the protocol is posted, with the token as it is now', async () => {
  fetched.mockImplementation(async () => Response.json({ auth: 'k:s' }));
  authorise(request, answer);
  await vi.runAllTimersAsync();
  expect(lastCall()).toEqual({
    url: '/v1/broadcasting/auth',
    body: 'socket_id=1.1&channel_name=private-orders.1',
    headers: { accept: 'application/json' },
  });
  token = 'fresh';
  authorise(request, answer);
  await vi.runAllTimersAsync();
  expect(lastCall().headers).toEqual({ accept: 'application/json', authorization: 'Bearer fresh' });
  expect(answer.mock.calls).toEqual([
    [null, { auth: 'k:s' }],
    [null, { auth: 'k:s' }],
  ]);
});

test.each([401, 403, 404, 422, 201])('a refusal with %i is final', async (status) => {
  fetched.mockImplementation(async () => new Response('{}', { status }));
  authorise(request, answer);
  await vi.runAllTimersAsync();
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status }), null);
});

test('a refusal is told first, and asked again with the token that the page finds then', async () => {
  token = 'ended';
  fetched.mockResolvedValueOnce(new Response('{}', { status: 401 }));
  fetched.mockImplementation(async () => Response.json({ auth: 'k:s' }));
  onRefused.mockImplementation(async () => void (token = null));
  authorise(request, answer);
  await vi.runAllTimersAsync();
  expect(onRefused).toHaveBeenCalledTimes(1);
  expect(lastCall().headers).toEqual({ accept: 'application/json' });
  expect(answer).toHaveBeenCalledExactlyOnceWith(null, { auth: 'k:s' });
});

test('what may pass is asked again until it does', async () => {
  fetched.mockRejectedValueOnce(new TypeError('offline'));
  for (const status of [500, 503, 429]) fetched.mockResolvedValueOnce(new Response('{}', { status }));
  fetched.mockResolvedValueOnce(new Response('{"auth":', { status: 200 }));
  fetched.mockResolvedValueOnce(Response.json({ auth: 'k:s' }));
  authorise(request, answer);
  await vi.runAllTimersAsync();
  expect(fetched).toHaveBeenCalledTimes(6);
  expect(answer).toHaveBeenCalledExactlyOnceWith(null, { auth: 'k:s' });
});

test('an answer for a socket that is gone is thrown away', async () => {
  fetched.mockResolvedValueOnce(new Response('{}', { status: 503 }));
  authorise(request, answer);
  await vi.advanceTimersByTimeAsync(100);
  current = '2.2';
  await vi.runAllTimersAsync();
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(answer).not.toHaveBeenCalled();
});
