import { hostname, networkInterfaces } from 'node:os';
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Address ranges of this machine and of private networks. */
const near: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);

export function isLocalOrPrivateAddress(address: string): boolean {
  return near.has(ipaddr.process(address).range());
}

/** Whether an IP address is on the internet. Some addresses, such as multicast, are neither private nor public. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

/** Creates a DNS lookup that refuses hosts with a non-public address. */
export function createPublicDnsLookup(find: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      const near = addresses.find(({ address }) => !isPublicAddress(address));
      if (near || !first) return callback(new PrivateAddressError(hostname, near), '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export class PrivateAddressError extends Error {
  constructor(host: string, { address }: Partial<LookupAddress> = {}) {
    super(`${host} has the address ${address ?? 'of nobody'}, which is not on the internet`);
  }
}

export function isLoopbackUrl({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Whether a URL has no path, query or fragment after its host and port. */
export function isOriginUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/`;
}

/** Whether the traffic to this URL is private: it uses https, or stays on this machine. */
export function isTrafficPrivate(url: URL): boolean {
  return url.protocol === 'https:' || isLoopbackUrl(url);
}

interface Machine {
  hostname(): string;
  networkInterfaces(): NodeJS.Dict<{ address: string }[]>;
}

/** Endings of host names that exist only in a local network. */
const localEndings = new Set(['local', 'localdomain', 'localhost', 'lan', 'home', 'internal', 'arpa']);

/**
 * Whether a host is this machine, by address or local name. A public name never counts, because several servers may
 * share it.
 */
export function isOwnHost(host: string, machine: Machine = { hostname, networkInterfaces }): boolean {
  const name = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  if (ipaddr.isValid(name)) return isOwnAddress(ipaddr.process(name), machine);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const own = machine.hostname().toLowerCase();
  const [short = ''] = own.split('.');
  const ending = name.split('.').at(-1) ?? '';
  return (name === own && (!own.includes('.') || localEndings.has(ending))) || name === `${short}.local`;
}

function isOwnAddress(address: ipaddr.IPv4 | ipaddr.IPv6, machine: Machine): boolean {
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  const own = Object.values(machine.networkInterfaces()).flatMap((found) => found ?? []);
  return own.some((one) => ipaddr.process(one.address.replace(/%.*$/, '')).toString() === address.toString());
}

/** Network interfaces of containers and virtual machines, which phones cannot reach. */
const virtual = /^(docker|br-|veth|virbr|cni|podman)/;

/** The IPv4 addresses at which other devices reach this machine: public ones first, then those of the local network. */
export function networkAddresses(machine: Pick<Machine, 'networkInterfaces'> = { networkInterfaces }): string[] {
  return Object.entries(machine.networkInterfaces())
    .filter(([name]) => !virtual.test(name))
    .flatMap(([, found = []]) => found.map(({ address }) => address))
    .filter((address) => ipaddr.IPv4.isValid(address) && ['unicast', 'private'].includes(ipaddr.parse(address).range()))
    .toSorted((a, b) => Number(isPrivate(a)) - Number(isPrivate(b)));
}

const isPrivate = (address: string): boolean => ipaddr.parse(address).range() === 'private';
