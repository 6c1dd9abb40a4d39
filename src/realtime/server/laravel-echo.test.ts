import Echo from 'laravel-echo';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientOptions, Pusher } from '#realtime/testing/clients.ts';
import { APP, startTestServer, type TestServer } from '#realtime/testing/server.ts';

let server: TestServer;
const echoes: Echo<'pusher'>[] = [];

beforeEach(async () => {
  server = await startTestServer();
});

afterEach(async () => {
  for (const echo of echoes.splice(0)) echo.disconnect();
  await server.stop();
});

function connectEcho(token: string): Echo<'pusher'> {
  const echo = new Echo({ broadcaster: 'pusher', key: APP.key, Pusher, ...clientOptions(server, token) });
  echoes.push(echo);
  return echo;
}

function hear<T>(listen: (take: (data: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('nothing was heard')), 4000).unref();
    listen(resolve);
  });
}

test('laravel-echo hears .store.updated on the public channel', async () => {
  const channel = connectEcho('anna').channel('stores');
  const heard = hear((take) => channel.listen('.store.updated', take));
  await hear<void>((take) => channel.subscribed(() => take()));
  await server.realtime.publish([{ channel: 'stores', event: 'store.updated', data: { store: { name: 'Hatch' } } }]);
  expect(await heard).toEqual({ store: { name: 'Hatch' } });
});

test('laravel-echo authorises a private channel and whispers on it', async () => {
  const [anna, ben] = [connectEcho('anna').private('room'), connectEcho('ben').private('room')];
  await Promise.all([anna, ben].map((channel) => hear<void>((take) => channel.subscribed(() => take()))));
  const heard = hear((take) => ben.listenForWhisper('typing', take));
  anna.whisper('typing', { key: 'a' });
  expect(await heard).toEqual({ key: 'a' });
});

test('laravel-echo knows who is here, who joins and who leaves', async () => {
  const room = connectEcho('anna').join('room');
  const here = await hear<{ name: string }[]>((take) => room.here(take));
  expect(here).toEqual([{ name: 'ANNA' }]);
  const joined = hear((take) => room.joining(take));
  const left = hear((take) => room.leaving(take));
  const ben = connectEcho('ben');
  ben.join('room');
  expect(await joined).toEqual({ name: 'BEN' });
  ben.leave('room');
  expect(await left).toEqual({ name: 'BEN' });
});

test('laravel-echo is told when a channel is refused', async () => {
  server.tokens = new Set(['anna']);
  const refused = hear((take) => connectEcho('mallory').private('orders.1').error(take));
  expect(await refused).toMatchObject({ type: 'AuthError', status: 403 });
});
