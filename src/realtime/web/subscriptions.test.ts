import { beforeEach, expect, test, vi } from 'vitest';
import { createFakePusher, type FakeChannel, type FakePusher } from '#realtime/testing/fake-pusher.ts';
import {
  createSubscriptions,
  type ChannelListener,
  type PresentMember,
  type ChannelSubscriptions,
} from '#realtime/web/subscriptions.ts';

let pusher: FakePusher;
let subscriptions: ChannelSubscriptions;
const onStateChange = vi.fn<Parameters<typeof createSubscriptions>[0]>();

beforeEach(() => {
  pusher = createFakePusher();
  onStateChange.mockClear();
  subscriptions = createSubscriptions(onStateChange);
  subscriptions.use(pusher);
});

function channel(name: string): FakeChannel {
  const found = pusher.channels.get(name);
  if (!found) throw new Error(`${name} is not subscribed to`);
  return found;
}

function spy() {
  return {
    onEvent: vi.fn<ChannelListener['onEvent']>(),
    onCaughtUp: vi.fn<() => void>(),
    onMembers: vi.fn<(members: PresentMember[]) => void>(),
  };
}

test('each subscription makes the page refetch, also after a reconnect', () => {
  const listener = spy();
  subscriptions.listen('a', listener);
  channel('a').emit('pusher:subscription_succeeded');
  expect(listener.onCaughtUp).toHaveBeenCalledTimes(1);
  channel('a').emit('pusher:subscription_succeeded');
  expect(listener.onCaughtUp).toHaveBeenCalledTimes(2);
  expect(listener.onEvent).not.toHaveBeenCalled();
});

test.each([
  ['no gap', [1, 2, 3], 0],
  ['a start anywhere', [7, 8], 0],
  ['a gap', [1, 3], 1],
  ['two gaps', [1, 3, 4, 9], 2],
  ['a repeated event', [1, 2, 2, 3], 0],
  ['a late event', [1, 3, 2, 4], 1],
])('%s in the sequence %j leads to %i refetches, and every event is delivered', (_, sequences, refetches) => {
  const listener = spy();
  subscriptions.listen('a', listener);
  channel('a').emit('pusher:subscription_succeeded');
  listener.onCaughtUp.mockClear();
  for (const sequence of sequences) channel('a').emit('order.updated', { sequence });
  expect(listener.onCaughtUp).toHaveBeenCalledTimes(refetches);
  expect(listener.onEvent.mock.calls).toEqual(sequences.map((sequence) => ['order.updated', { sequence }]));
});

test('after a reconnect the sequence starts again, for the page refetches anyway', () => {
  const listener = spy();
  subscriptions.listen('a', listener);
  channel('a').emit('order.updated', { sequence: 1 });
  channel('a').emit('pusher:subscription_succeeded');
  channel('a').emit('order.updated', { sequence: 9 });
  expect(listener.onCaughtUp).toHaveBeenCalledTimes(1);
});

test('events without a sequence, or without data, are delivered as they are', () => {
  const listener = spy();
  subscriptions.listen('a', listener);
  for (const data of [{ store: {} }, null, 'text', { sequence: 'x' }]) channel('a').emit('x', data);
  expect(listener.onEvent).toHaveBeenCalledTimes(4);
  expect(listener.onCaughtUp).not.toHaveBeenCalled();
});

test('two listeners share one subscription, which ends with the last', () => {
  const [first, second] = [spy(), spy()];
  const stopFirst = subscriptions.listen('a', first);
  const stopSecond = subscriptions.listen('a', second);
  channel('a').emit('x', 1);
  stopFirst();
  stopFirst();
  channel('a').emit('x', 2);
  expect(first.onEvent.mock.calls).toEqual([['x', 1]]);
  expect(second.onEvent.mock.calls).toEqual([
    ['x', 1],
    ['x', 2],
  ]);
  stopSecond();
  expect(pusher.channels.size).toBe(0);
});

test('who joins a channel that flows already refetches too', async () => {
  subscriptions.listen('a', spy());
  channel('a').emit('pusher:subscription_succeeded');
  const late = spy();
  const gone = spy();
  subscriptions.listen('a', late);
  subscriptions.listen('a', gone)();
  await Promise.resolve();
  expect(late.onCaughtUp).toHaveBeenCalledTimes(1);
  expect(gone.onCaughtUp).not.toHaveBeenCalled();
});

test('what was asked for before the library came is subscribed to then', () => {
  const early = createSubscriptions(onStateChange);
  const listener = spy();
  early.listen('a', listener);
  const stop = early.listen('b', spy());
  stop();
  early.use(pusher);
  expect([...pusher.channels.keys()]).toEqual(['a']);
  channel('a').emit('x', 1);
  expect(listener.onEvent).toHaveBeenCalledTimes(1);
});

test('members are listed as they come and go', () => {
  const listener = spy();
  subscriptions.listen('presence-a', listener);
  const [anna, ben] = [
    { id: 'anna', info: 1 },
    { id: 'ben', info: 2 },
  ];
  channel('presence-a').emit('pusher:subscription_succeeded', { each: (take: (member: object) => void) => take(anna) });
  channel('presence-a').emit('pusher:member_added', ben);
  channel('presence-a').emit('pusher:member_removed', anna);
  expect(listener.onMembers.mock.calls).toEqual([[[anna]], [[anna, ben]], [[ben]]]);
  expect(listener.onEvent).not.toHaveBeenCalled();
});

test('how a channel fares is told: asked for, refused, heard, and no longer wanted', () => {
  const stop = subscriptions.listen('a', spy());
  channel('a').emit('pusher:subscription_error', { status: 403 });
  channel('a').emit('pusher:subscription_succeeded');
  stop();
  expect(onStateChange.mock.calls).toEqual([
    ['a', 'asked'],
    ['a', 'refused'],
    ['a', 'heard'],
    ['a', null],
  ]);
});

test('the epoch of a restored shop is heard with the event', () => {
  const heard = vi.fn<(epoch: unknown) => void>();
  const own = createSubscriptions(onStateChange, heard);
  own.use(pusher);
  own.listen('epochs', spy());
  channel('epochs').emit('order.updated', { sequence: 1 });
  expect(heard).not.toHaveBeenCalled();
  channel('epochs').emit('order.updated', { sequence: 2, epoch: 'a' });
  expect(heard).toHaveBeenCalledExactlyOnceWith('a');
});
