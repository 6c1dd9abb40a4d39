import { act, createElement, StrictMode, type ReactNode } from 'react';
import type { Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHookRoot } from '#testing/web/hook-stage.ts';
import { createFakePusher, type FakePusher } from '#realtime/testing/fake-pusher.ts';
import type { PusherConstructor } from '#realtime/web/pusher.ts';
import { createRealtimeClient, type RealtimeClient } from '#realtime/web/realtime-client.ts';
import {
  RealtimeContext,
  useChannel,
  useChannelState,
  useConnectionView,
  usePresentMembers,
  usePollingInterval,
} from '#realtime/web/use-channel.ts';

let pusher: FakePusher;
let realtime: RealtimeClient;
let root: Root;

beforeEach(() => {
  pusher = createFakePusher();
  const construct = function () {
    return pusher;
  };
  realtime = createRealtimeClient(
    { key: 'k', host: 'h', port: 1, tls: false, cluster: 'mt1', authUrl: '/auth' },
    {
      loadPusher: () => Promise.resolve(construct as unknown as PusherConstructor),
      readToken: () => null,
      onRefused: async () => undefined,
      whenIdle: (run) => run(),
      onReturn: () => ignore,
    },
  );
  root = createHookRoot();
});

afterEach(async () => {
  await act(async () => root.unmount());
  realtime.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function show(component: () => ReactNode): Promise<void> {
  const page = createElement(RealtimeContext, { value: realtime }, createElement(component));
  await act(async () => root.render(createElement(StrictMode, null, page)));
}

async function emit(channel: string, event: string, data?: unknown): Promise<void> {
  await act(async () => pusher.channels.get(channel)?.emit(event, data));
}

test('a component hears its channel with the handlers of its latest rendering, and leaves it', async () => {
  const heard: string[] = [];
  const showWith = (label: string, channel: string | null) =>
    show(function Page() {
      useChannel<{ x: { n: number } }>(
        channel,
        { x: ({ n }) => heard.push(`${label} ${n}`) },
        { onCaughtUp: () => heard.push(`${label} caught up`) },
      );
      return null;
    });
  await showWith('first', 'a');
  await emit('a', 'pusher:subscription_succeeded');
  await emit('a', 'x', { n: 1 });
  await emit('a', 'y', { n: 1 });
  expect(heard).toEqual(['first caught up', 'first 1']);
  await showWith('second', null);
  expect(pusher.channels.size).toBe(0);
});

test('new handlers are used without subscribing again', async () => {
  const heard: string[] = [];
  const subscribe = vi.spyOn(pusher, 'subscribe');
  let label = 'first';
  const page = function Page() {
    const current = label;
    useChannel<{ x: null }>('a', { x: () => heard.push(current) });
    return null;
  };
  await show(page);
  const before = subscribe.mock.calls.length;
  label = 'second';
  await show(page);
  await emit('a', 'x');
  expect(heard).toEqual(['second']);
  expect(subscribe.mock.calls.length).toBe(before);
});

test('a component knows who is present', async () => {
  const seen: (string[] | null)[] = [];
  await show(function Page() {
    seen.push(usePresentMembers('presence-a')?.map(({ id }) => id) ?? null);
    return null;
  });
  const anna = { id: 'anna', info: null };
  await emit('presence-a', 'pusher:subscription_succeeded', { each: (take: (member: object) => void) => take(anna) });
  await emit('presence-a', 'pusher:member_added', { id: 'ben', info: null });
  expect(seen[0]).toBeNull();
  expect(seen.at(-1)).toEqual(['anna', 'ben']);
});

test('a component asks again while the socket is down, and shows the connection', async () => {
  vi.useFakeTimers();
  const seen: unknown[] = [];
  await show(function Page() {
    useChannel('a', {});
    seen.push([useConnectionView().state, usePollingInterval()]);
    return null;
  });
  await act(async () => pusher.changeState('connecting'));
  await act(() => vi.advanceTimersByTimeAsync(9999));
  expect(seen.at(-1)).toEqual(['connecting', false]);
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(seen.at(-1)).toEqual(['unavailable', 15_000]);
  await act(async () => pusher.changeState('connected'));
  await emit('a', 'pusher:subscription_succeeded');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(seen.at(-1)).toEqual(['connected', false]);
});

test('a component is live by its channel alone: connected it is not before that is heard, nor once it is refused', async () => {
  const seen: unknown[] = [];
  await show(function Page() {
    useChannel('stores', {});
    useChannel('private-a', {});
    seen.push([useChannelState('private-a'), usePollingInterval()]);
    return null;
  });
  await act(async () => pusher.changeState('connected'));
  await emit('stores', 'pusher:subscription_succeeded');
  expect(seen.at(-1)).toEqual(['connecting', false]);
  await emit('private-a', 'pusher:subscription_succeeded');
  expect(seen.at(-1)).toEqual(['connected', false]);
  await act(async () => pusher.changeState('connecting'));
  await act(async () => pusher.changeState('connected'));
  await emit('stores', 'pusher:subscription_succeeded');
  await emit('private-a', 'pusher:subscription_error');
  expect(seen.at(-1)).toEqual(['unsubscribed', 15_000]);
  await emit('private-a', 'pusher:subscription_succeeded');
  expect(seen.at(-1)).toEqual(['connected', false]);
});

test.each(['before', 'after'])(
  'a page that closes the connection %s it goes sends nothing on a closed one',
  async (order) => {
    const states: string[] = [];
    // The library sends after a turn; a browser reports an error for a message on a closing socket.
    pusher.unsubscribe = () => void setTimeout(() => states.push(pusher.connection.state));
    await show(function Page() {
      useChannel('a', {});
      return null;
    });
    pusher.changeState('connected');
    if (order === 'before') realtime.close();
    await act(async () => root.render(null));
    if (order === 'after') realtime.close();
    await expect.poll(() => pusher.calls).toEqual(['disconnect']);
    // A turn later than the closing.
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(states).toEqual(order === 'after' ? ['connected'] : []);
  },
);

test('rendered on the server, without a client, the hooks do nothing', () => {
  const html = renderToString(
    createElement(function Page() {
      useChannel('a', {});
      return `${useConnectionView().state} ${String(usePollingInterval())} ${String(usePresentMembers('presence-a'))}`;
    }),
  );
  expect(html).toBe('initialized false null');
});

function ignore(): void {}
