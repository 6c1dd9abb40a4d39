import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isNear } from '#platform/server/addresses.ts';

type Asked = Pick<FastifyRequest, 'protocol' | 'host'> & {
  socket: { localAddress?: string | undefined; localPort?: number | undefined };
};

/**
 * The origin of a request, for links without a secret and only where no address is configured. A client can name any
 * host, so a host name is never trusted. An address is trusted only if it is the connected one or a near one (a
 * container's port differs outside). The fallback is the connected address.
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
  return address === local || isNear(address);
}
