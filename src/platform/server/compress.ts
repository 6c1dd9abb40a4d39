import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor } from '#platform/http/encoding.ts';
import { hasSecretField } from '#platform/secret-fields.ts';

/** Texts up to this many bytes are sent uncompressed: they fit into the first packets anyway. */
const least = 1024;
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
/** Compression levels for answers to one caller: a tenth larger than with the slow levels, in a fraction of their time. */
const quick = { br: 4, gzip: 4 };

type Done = (error: Error | null, value?: unknown) => void;

/**
 * An `onSend` hook: compresses texts over a kilobyte with the best encoding that the caller accepts, on the thread pool.
 * Skips texts with a secret and bytes compressed earlier (those are not texts).
 */
export function compressTexts(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  if (typeof payload !== 'string' || Buffer.byteLength(payload) <= least || hasSecretField(payload)) {
    return done(null, payload);
  }
  addVary(reply, 'accept-encoding');
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding === 'identity') return done(null, payload);
  const send = (error: Error | null, bytes: Buffer) => {
    // If compression fails, the text is sent as it is.
    if (error) return done(null, payload);
    reply.header('content-encoding', encoding);
    done(null, bytes);
  };
  const text = Buffer.from(payload);
  if (encoding === 'gzip') return gzip(text, { level: quick.gzip }, send);
  const params = { [BROTLI_PARAM_QUALITY]: quick.br, [BROTLI_PARAM_SIZE_HINT]: text.length };
  brotliCompress(text, { params }, send);
}

function addVary(reply: FastifyReply, name: string): void {
  const known = String(reply.getHeader('vary') ?? '');
  if (!known.includes(name)) reply.header('vary', known ? `${known}, ${name}` : name);
}
