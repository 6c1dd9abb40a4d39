import { lookup, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { m } from '#messages';

/** Which addresses the server may connect to. */
export interface Reach {
  /** The owner agreed to addresses of the server's own network. */
  allowsPrivate: boolean;
  /** Simulated printers on this machine: `PRINTER_SIMULATOR=1`. */
  allowsOwnMachine: boolean;
}

/** An address that may not be connected to, with the reason as a sentence for staff. */
export class OutOfReach extends Error {}

/**
 * Where to connect to for `host:port`, after its name was looked up: an IP address, so that nothing is looked up once more.
 * Throws `OutOfReach`; errors of the lookup as Node gives them. A name is refused if any of its addresses is out of reach.
 */
export async function findReachable(
  address: string,
  reach: Reach,
  find: typeof lookup = lookup,
): Promise<{ host: string; port: number }> {
  const [, host = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
  const found = ipaddr.isValid(host) ? [{ address: host }] : await findAll(host, find);
  for (const one of found) {
    const problem = problemWith(one.address, reach);
    if (problem !== null) throw new OutOfReach(problem);
  }
  const [first] = found;
  if (!first) throw new OutOfReach(m.printing_address_unknown());
  return { host: ipaddr.process(first.address).toString(), port: Number(port) };
}

function findAll(host: string, find: typeof lookup): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    find(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

/** Why the server may not connect there; null: it may. */
function problemWith(address: string, { allowsPrivate, allowsOwnMachine }: Reach): string | null {
  switch (ipaddr.process(address).range()) {
    case 'unicast':
      return null;
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return allowsPrivate ? null : m.printing_address_private();
    case 'loopback':
    case 'linkLocal':
      return allowsOwnMachine ? null : m.printing_address_own_machine();
    default:
      return m.printing_address_no_device();
  }
}
