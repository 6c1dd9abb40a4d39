import { lookup, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import type { PrintFault } from '#ordering/print.ts';

/** Which addresses the server may connect to. */
export interface Reach {
  /** The owner agreed to addresses of the server's own network. */
  allowsPrivate: boolean;
  /** Simulated printers on this machine: `PRINTER_SIMULATOR=1`. */
  allowsOwnMachine: boolean;
}

/** An address that may not be connected to. */
export class OutOfReach extends Error {
  readonly fault: PrintFault;

  constructor(fault: PrintFault) {
    super(fault);
    this.fault = fault;
  }
}

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
    const fault = faultOf(one.address, reach);
    if (fault !== null) throw new OutOfReach(fault);
  }
  const [first] = found;
  if (!first) throw new OutOfReach('address_unknown');
  return { host: ipaddr.process(first.address).toString(), port: Number(port) };
}

function findAll(host: string, find: typeof lookup): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    find(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

/** Why the server may not connect there; null: it may. */
function faultOf(address: string, { allowsPrivate, allowsOwnMachine }: Reach): PrintFault | null {
  switch (ipaddr.process(address).range()) {
    case 'unicast':
      return null;
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return allowsPrivate ? null : 'address_private';
    case 'loopback':
    case 'linkLocal':
      return allowsOwnMachine ? null : 'address_own_machine';
    default:
      return 'address_not_single';
  }
}
