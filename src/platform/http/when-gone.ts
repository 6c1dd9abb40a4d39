import type { FastifyReply } from 'fastify';

/** Aborted when the caller ends the connection before the answer was sent. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
