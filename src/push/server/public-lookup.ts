import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublic } from '#platform/server/addresses.ts';

/**
 * A lookup of hosts by `find` that refuses a host if any of its addresses is not on the internet: this machine's own, or its
 * network's.
 */
export function publicLookup(find: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    find(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      const near = addresses.find(({ address }) => !isPublic(address));
      if (near || !first) return callback(new PrivateAddress(hostname, near), '', 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export class PrivateAddress extends Error {
  constructor(host: string, { address }: Partial<LookupAddress> = {}) {
    super(`${host} has the address ${address ?? 'of nobody'}, which is not on the internet`);
  }
}
