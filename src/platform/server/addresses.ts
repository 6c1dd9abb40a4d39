import ipaddr from 'ipaddr.js';

/** Ranges of addresses that nobody can own on the internet: this machine's, and those of its private network. */
const near: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal']);

/** Whether an IP address is this machine's, or one of its private network. */
export function isNear(address: string): boolean {
  return near.has(ipaddr.process(address).range());
}

/** Whether an IP address is on the internet. Some, such as those of multicast, are neither there nor near. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

/** Whether what is sent to this address stays on this machine. */
export function isOnThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Whether nobody in between can read what is sent: plain http never leaves this machine. */
export function isPrivateEnough(url: URL): boolean {
  return url.protocol === 'https:' || isOnThisMachine(url);
}
