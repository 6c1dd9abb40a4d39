import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectPusher, nextEvent, type PusherClient } from '#realtime/testing/clients.ts';
import { startTestServer, type TestServer } from '#realtime/testing/server.ts';
import { storeBoardsChannel } from '#kitchen/channels.ts';
import { type Line, openLine } from '#testing/line.ts';

const boards = storeBoardsChannel('01920000-0000-7000-8000-000000000001');
let server: TestServer;
let line: Line;
const clients: PusherClient[] = [];
beforeEach(async () => {
  server = await startTestServer({ limits: { watchedPingEvery: 40, watchedTimeout: 400 } });
  line = await openLine(server.port);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect();
  await line.close();
  await server.stop();
});

/** A board that the library itself would not ping for minutes. */
async function switchOn(token: string, port = server.port, channel = boards) {
  const client = connectPusher(server, { token, port });
  clients.push(client);
  const joined = client.subscribe(channel);
  await nextEvent(joined, 'pusher:subscription_succeeded');
  return joined;
}

test('a board whose line dies without a word counts as off, and one that answers does not', async () => {
  const here = await switchOn('here');
  await switchOn('away', line.port);
  expect(server.realtime.countMembers(boards)).toBe(2);
  line.die();
  expect(await nextEvent(here, 'pusher:member_removed')).toMatchObject({ id: 'away' });
  expect(server.realtime.countMembers(boards)).toBe(1);
  await expect.poll(() => server.realtime.stats().connections).toBe(1);
});

test('what is no board, or has been switched off, is not watched so closely', async () => {
  await switchOn('listener', line.port, 'presence-elsewhere');
  await switchOn('off', line.port);
  clients.at(-1)?.unsubscribe(boards);
  await expect.poll(() => server.realtime.countMembers(boards)).toBe(0);
  const here = await switchOn('here');
  await switchOn('away', line.port);
  line.die();
  await nextEvent(here, 'pusher:member_removed');
  expect(server.realtime.countMembers('presence-elsewhere')).toBe(1);
  await expect.poll(() => server.realtime.stats().connections).toBe(3);
});
