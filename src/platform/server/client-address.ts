import { isIP, isIPv6 } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Addresses and networks, such as `10.0.0.7`, `10.0.0.0/8` or `fd00::/8`. */
export type Networks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

export interface ClientRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

export interface ClientAddressReader {
  isTrusted(peer: string): boolean;
  addressOf(request: ClientRequest): string;
  /**
   * Whether many people may share the address, because the real client is unknown. This is true if an untrusted peer
   * names a client, because the peer may be a proxy or may forge the header. It is also true if a trusted proxy names
   * no client, although customers are on other machines.
   */
  isBehindUnknownProxy(request: ClientRequest): boolean;
  /** Records a call by an untrusted peer that names clients; true at the peer's first such call in an hour. */
  recordUntrustedPeer(request: ClientRequest): boolean;
  /** Records a call by a trusted proxy that names no client; true at the first such call in an hour. */
  recordUnnamedClient(call: { address: string; isBehindUnknownProxy: boolean }): boolean;
  /**
   * The untrusted peers that named clients in at least `minCallsToCountAsProxy` calls; a peer is forgotten an hour
   * after its last such call. The peer with the latest call is first.
   */
  strangers(): string[];
  /**
   * The trusted proxies that named no client in at least `minCallsToCountAsProxy` calls; a proxy is forgotten an hour
   * after its last such call. The proxy with the latest call is first.
   */
  proxiesWithoutClients(): string[];
}

/** A peer counts as a proxy only after this number of calls, because a client may forge the header in a single call. */
export const minCallsToCountAsProxy = 10;

/** Programs on this machine are trusted as proxies, because they control the shop anyway. */
const ownNetworks = parseNetworks('127.0.0.0/8, ::1');

/** Parses a comma-separated list of addresses and networks. Throws RangeError with the first invalid one. */
export function parseNetworks(list: string): Networks {
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

/**
 * Creates the reader of client addresses. `isElsewhere`: the shop's public address is not this machine's, so no
 * customer is local. `isEncrypted`: the public address has https, so a peer in a private network must be the proxy.
 */
export function createClientAddressReader(
  proxies: Networks = [],
  isElsewhere = false,
  isEncrypted = false,
): ClientAddressReader {
  const networks = [...ownNetworks, ...proxies];
  const isTrusted = (peer: string) => isIn(networks, peer);
  const peerOf = ({ socket }: ClientRequest) => socket.remoteAddress ?? '';
  const isForwardedByStranger = (request: ClientRequest) => isForwarded(request) && !isTrusted(peerOf(request));
  const isNearProxy = (peer: string) => isElsewhere && isEncrypted && isPrivate(peer);
  // As in Fastify's `request.ip`, the client is the first address, from the peer backwards, that is not a trusted
  // proxy.
  const addressOf = (request: ClientRequest) => {
    const chain = [peerOf(request), ...forwardedFor(request).toReversed()];
    return chain.find((address) => !isTrusted(address)) ?? chain.at(-1) ?? '';
  };
  // Whether a request names no client, so that its address is only a proxy's. If the header has no addresses, every
  // address in a trusted network counts as a proxy's. Otherwise only this machine's addresses do, because a client may
  // be in a proxy's network.
  const isUnnamed = (request: ClientRequest) =>
    isElsewhere &&
    (isIn(forwardedFor(request).length === 0 ? networks : ownNetworks, addressOf(request)) ||
      (!isForwarded(request) && isNearProxy(peerOf(request))));
  const strangers = rememberPeers();
  const unnamed = rememberPeers();
  return {
    isTrusted,
    addressOf,
    isBehindUnknownProxy: (request) => isForwardedByStranger(request) || isUnnamed(request),
    recordUntrustedPeer: (request) => isForwardedByStranger(request) && strangers.note(peerOf(request)),
    recordUnnamedClient: ({ address, isBehindUnknownProxy }) =>
      isBehindUnknownProxy &&
      (isTrusted(address) || (isNearProxy(address) && !strangers.has(address))) &&
      unnamed.note(address),
    strangers: strangers.frequent,
    proxiesWithoutClients: unnamed.frequent,
  };
}

/** Counts the calls of each peer. A peer is forgotten an hour after its last call. */
function rememberPeers() {
  const known = new LRUCache<string, number>({ max: 100, ttl: 3_600_000 });
  return {
    note(peer: string): boolean {
      const calls = known.get(peer) ?? 0;
      known.set(peer, calls + 1);
      return calls === 0;
    },
    has: (peer: string) => known.has(peer),
    frequent: () => [...known.entries()].flatMap(([peer, calls]) => (calls >= minCallsToCountAsProxy ? [peer] : [])),
  };
}

function isIn(networks: Networks, peer: string): boolean {
  if (!isIP(peer)) return false;
  const address = ipaddr.process(peer);
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * The network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer.
 */
export function callerNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  // An IPv4-mapped IPv6 address counts as its IPv4 address.
  const known = ipaddr.process(address);
  if (known instanceof ipaddr.IPv4) return known.toString();
  return `${known.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Whether a peer is in a private network: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7 or fe80::/10. */
function isPrivate(peer: string): boolean {
  return isIP(peer) !== 0 && ['private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(peer).range());
}

function isForwarded({ headers }: ClientRequest): boolean {
  const header = headers['x-forwarded-for'];
  return /[^\s,]/.test(Array.isArray(header) ? header.join(',') : (header ?? ''));
}

/** The addresses in `X-Forwarded-For`. Ports that some proxies add, and texts such as `unknown`, are removed. */
function forwardedFor({ headers }: ClientRequest): string[] {
  const header = headers['x-forwarded-for'];
  const list = Array.isArray(header) ? header.join(',') : (header ?? '');
  return list.split(',').flatMap((part) => {
    const text = part.trim();
    const [, host = text] =
      /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(text)?.filter((each) => each !== undefined) ?? [];
    return isIP(host) ? [host] : [];
  });
}
