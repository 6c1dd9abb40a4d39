import { isIP, isIPv6 } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Addresses and networks as typed: `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`. */
export type Networks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

/** What is read of a request. */
export interface Received {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** Where requests come from, and which proxies may say so. */
export interface Clients {
  /** Whether a peer with this address may name the client in `X-Forwarded-For`. */
  isTrusted(peer: string): boolean;
  addressOf(request: Received): string;
  /**
   * Whether a peer that is not trusted names another client. Then the address is the proxy's, which many people may share,
   * or one of a client that sends the header itself.
   */
  isForwardedByStranger(request: Received): boolean;
  /** Remembers such a peer for an hour; true at its first call in that time. */
  noteStranger(request: Received): boolean;
  /** The peers of at least `callsOfProxy` such calls in a row without an hour between them, the latest first. */
  strangers(): string[];
}

/** A single call with a header of its own is no proxy. */
export const callsOfProxy = 10;

/** What runs on this machine is always trusted: who controls it controls the shop. */
const ownNetworks = readNetworks('127.0.0.0/8, ::1');

/** Reads a list of addresses and networks, separated by commas; throws RangeError naming the first that is neither. */
export function readNetworks(list: string): Networks {
  return list.split(',').flatMap((part) => {
    const text = part.trim();
    return text === '' ? [] : [readNetwork(text)];
  });
}

function readNetwork(text: string): Networks[number] {
  const [address = '', bits, more] = text.split('/');
  const whole = isIPv6(address) ? 128 : 32;
  const size = bits === undefined ? whole : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (!isIP(address) || more !== undefined || size < 0 || size > whole) throw new RangeError(text);
  return [ipaddr.parse(address), size];
}

export function createClients(proxies: Networks = []): Clients {
  const networks = [...ownNetworks, ...proxies];
  const isTrusted = (peer: string) => {
    if (!isIP(peer)) return false;
    const address = ipaddr.process(peer);
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
  const peerOf = ({ socket }: Received) => socket.remoteAddress ?? '';
  const isForwardedByStranger = (request: Received) => forwardedFor(request).length > 0 && !isTrusted(peerOf(request));
  const strangers = new LRUCache<string, number>({ max: 100, ttl: 3_600_000 });
  return {
    isTrusted,
    // As Fastify's `request.ip`: from the peer backwards, the first address that is not a trusted proxy's.
    addressOf(request) {
      const named = forwardedFor(request).toReversed();
      const chain = [peerOf(request), ...named];
      return chain.find((address) => !isTrusted(address)) ?? chain.at(-1) ?? '';
    },
    isForwardedByStranger,
    noteStranger(request) {
      if (!isForwardedByStranger(request)) return false;
      const peer = peerOf(request);
      const calls = strangers.get(peer) ?? 0;
      strangers.set(peer, calls + 1);
      return calls === 0;
    },
    strangers: () => [...strangers.entries()].flatMap(([peer, calls]) => (calls >= callsOfProxy ? [peer] : [])),
  };
}

/** The network that counts as one caller: an IPv6 customer can choose from a whole /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // An IPv4 address that arrives over IPv6 counts as the IPv4 address.
  const known = ipaddr.process(address);
  if (known instanceof ipaddr.IPv4) return known.toString();
  return `${known.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

function forwardedFor({ headers }: Received): string[] {
  const header = headers['x-forwarded-for'];
  const list = Array.isArray(header) ? header.join(',') : (header ?? '');
  return list.split(',').flatMap((part) => part.trim() || []);
}
