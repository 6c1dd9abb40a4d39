import { expect, test } from 'vitest';
import {
  createClientAddressReader,
  callerNetwork,
  parseNetworks,
  type ClientRequest,
} from '#platform/server/client-address.ts';

const request = (remoteAddress: string, forwarded?: string): ClientRequest => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});

const clients = createClientAddressReader(parseNetworks('10.0.0.0/8, 192.0.2.1, fd00::/8'));

test.each([
  ['a direct client', '203.0.113.9', undefined, '203.0.113.9', false],
  ['a proxy on this machine', '127.0.0.1', '203.0.113.9', '203.0.113.9', false],
  ['a proxy in a trusted network', '10.1.2.3', '203.0.113.9', '203.0.113.9', false],
  ['a trusted proxy that arrives over IPv6', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9', false],
  ['a trusted IPv6 proxy', 'fd00::1', '2001:db8::7', '2001:db8::7', false],
  ['two trusted proxies', '10.1.2.3', '203.0.113.9, 192.0.2.1', '203.0.113.9', false],
  ['a client that adds an address of its own', '10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9', false],
  ['a stranger who names another', '203.0.113.9', '1.1.1.1', '203.0.113.9', true],
  ['a proxy behind a stranger', '192.0.2.2', '203.0.113.9', '192.0.2.2', true],
  ['an empty header', '203.0.113.9', ' , ', '203.0.113.9', false],
  ['only trusted addresses', '10.1.2.3', '10.9.9.9', '10.9.9.9', false],
  ['text that is no address', '10.1.2.3', 'unknown', '10.1.2.3', false],
  ['a stranger whose text is no address', '192.0.2.2', 'unknown', '192.0.2.2', true],
  ['an address with its port', '127.0.0.1', '203.0.113.9:51034', '203.0.113.9', false],
  ['an IPv6 address with its port', '127.0.0.1', '[2001:db8::7]:443', '2001:db8::7', false],
])('%s', (_, peer, forwarded, address, isStrange) => {
  const asked = request(peer, forwarded);
  expect(clients.addressOf(asked)).toBe(address);
  expect(clients.isBehindUnknownProxy(asked)).toBe(isStrange);
});

test.each([
  ['one on this machine', '127.0.0.1', undefined, true],
  ['one on this machine, over IPv6', '::1', undefined, true],
  ['one in front of one on this machine', '127.0.0.1', '127.0.0.1', true],
  ['one in a trusted network', '10.1.2.3', undefined, true],
  ['one on this machine whose client is unknown', '127.0.0.1', 'unknown', true],
  ['none: a direct client', '203.0.113.9', undefined, false],
  ['none: a client in the network of a proxy that names it', '10.1.2.3', '10.9.9.9', false],
  ['none: a client that a proxy here names', '127.0.0.1', '203.0.113.9', false],
])('the proxy that names nobody at a real address: %s', (_, peer, forwarded, isShared) => {
  const asked = request(peer, forwarded);
  expect(createClientAddressReader(parseNetworks('10.0.0.0/8'), true).isBehindUnknownProxy(asked)).toBe(isShared);
  // A shop at an address of this machine has no proxy.
  expect(createClientAddressReader(parseNetworks('10.0.0.0/8'), false).isBehindUnknownProxy(asked)).toBe(false);
});

test.each(['10.0.0.0/33', '10.0.0', 'proxy.example', '10.0.0.0/8/8', '::1/129', '10.0.0.0/-1', '/8'])(
  '%s is no network',
  (text) => expect(() => parseNetworks(`127.0.0.1, ${text}`)).toThrow(text),
);

test('an IPv6 network counts as one caller, and IPv4 over IPv6 as IPv4', () => {
  expect(callerNetwork('2001:db8:1:2:3:4:5:6')).toBe(callerNetwork('2001:db8:1:2::1'));
  expect(callerNetwork('2001:db8:1:3::1')).not.toBe(callerNetwork('2001:db8:1:2::1'));
  expect(callerNetwork('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(callerNetwork('203.0.113.9')).toBe('203.0.113.9');
});

test.each([
  ['a container in front of it', '172.17.0.2', undefined, true],
  ['a container, over IPv6', 'fd12::2', undefined, true],
  ['a proxy that names its client, not trusted yet', '172.17.0.2', '203.0.113.9', true],
  ['a client on the internet', '203.0.113.9', undefined, false],
])('at an https address only a proxy calls from a private network: %s', (_, peer, forwarded, isShared) => {
  const there = createClientAddressReader([], true, true);
  const asked = request(peer, forwarded);
  expect(there.isBehindUnknownProxy(asked)).toBe(isShared);
  const call = { address: there.addressOf(asked), isBehindUnknownProxy: isShared };
  there.recordUntrustedPeer(asked);
  expect(there.recordUnnamedClient(call)).toBe(isShared && forwarded === undefined);
  // Over plain http it may be a customer in the shop's own network.
  expect(createClientAddressReader([], true, false).isBehindUnknownProxy(asked)).toBe(forwarded !== undefined);
});
