import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Addresses that nobody can own on the internet: this machine's, and those of its private network. */
const near = new BlockList();
near.addSubnet('127.0.0.0', 8);
near.addSubnet('10.0.0.0', 8);
near.addSubnet('172.16.0.0', 12);
near.addSubnet('192.168.0.0', 16);
near.addSubnet('169.254.0.0', 16);
near.addSubnet('100.64.0.0', 10);
near.addAddress('::1', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');

type Asked = Pick<FastifyRequest, 'protocol' | 'host'> & {
  socket: { localAddress?: string | undefined; localPort?: number | undefined };
};

/**
 * The origin that a request came in at, for links without a secret and only where no address is configured. A client can
 * name any host, so a host name is never trusted, and an address only if it is the one connected to or one nearby (a
 * container's port differs outside). Otherwise this is the address that was connected to.
 */
export function ownOrigin({ protocol, host, socket }: Asked): string {
  const local = (socket.localAddress ?? '127.0.0.1').replace(/^::ffff:/, '');
  const named = URL.parse(`${protocol}://${host}`);
  if (named && (named.hostname === 'localhost' || isOwn(named.hostname.replace(/^\[(.*)\]$/, '$1'), local))) {
    return named.origin;
  }
  const port = socket.localPort === undefined ? '' : `:${socket.localPort}`;
  return new URL(`${protocol}://${isIPv6(local) ? `[${local}]` : local}${port}`).origin;
}

function isOwn(address: string, local: string): boolean {
  if (!isIP(address)) return false;
  return address === local || near.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
