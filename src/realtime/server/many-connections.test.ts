import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  connectRaw,
  startTestServer,
  subscribeRaw,
  type RawClient,
  type TestServer,
} from '#realtime/testing/server.ts';

const COUNT = 1000;
let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({
    limits: { maxPresenceMembers: COUNT, maxConnectionsPerAddress: COUNT },
  });
});

afterEach(() => server.stop());

/** Connects a hundred clients at a time, because a listening socket's backlog is limited. */
async function connectMany(): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  while (clients.length < COUNT) {
    clients.push(...(await Promise.all(Array.from({ length: 100 }, () => connectRaw(server.port)))));
  }
  return clients;
}

test('a thousand connections come, hear one event each, and go without leaving anything behind', async () => {
  const clients = await connectMany();
  await Promise.all(
    clients.map(async (client, index) => {
      await subscribeRaw(server, client, `private-stores.${index % 10}.orders`);
      client.send('pusher:subscribe', { channel: 'stores' });
      await client.next('pusher_internal:subscription_succeeded');
    }),
  );
  for (const [index, client] of clients.slice(0, 100).entries()) {
    await subscribeRaw(server, client, 'presence-stores.1.boards', `board-${index % 50}`);
  }
  expect(server.realtime.stats()).toMatchObject({ connections: COUNT, channels: 12, members: 50 });

  await server.realtime.publish([{ channel: 'stores', event: 'store.updated', data: { store: { name: 'Hatch' } } }]);
  await Promise.all(clients.map((client) => client.next('store.updated')));

  // Half close properly, half disappear.
  for (const [index, { socket }] of clients.entries()) {
    if (index % 2 === 0) socket.close();
    else socket.terminate();
  }
  await expect
    .poll(() => server.realtime.stats())
    .toEqual({
      connections: 0,
      closing: 0,
      channels: 0,
      members: 0,
      peers: 0,
      isBusConnected: true,
      dropped: 0,
    });
  // The count per address is reset too: the same address may connect as often again.
  await Promise.all((await connectMany()).map(({ socket }) => socket.terminate()));
});
