import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { EncodedBodies } from '#platform/http/answer.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Starts a slower and better compression of these bytes, and returns the bytes. Callers get the faster compression
 * until the better one is ready.
 */
export function startRecompressing(bytes: EncodedBodies): EncodedBodies {
  void recompress(bytes);
  return bytes;
}

/** Compresses the bytes again at Brotli's slowest quality, which makes a page a tenth smaller. */
export async function recompress(bytes: EncodedBodies): Promise<void> {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants;
  const { identity } = bytes;
  bytes.br = await brotli(identity, { params: { [quality]: thoroughBrotliSettings.quality, [hint]: identity.length } });
}

/** Brotli's quality for pages, which takes half a second of a background thread. Browser tests lower it. */
export const thoroughBrotliSettings = { quality: 11 };

/** The delay before a recompression (ms). The recompression would be wasted if the page changed again soon. */
const quiet = 10_000;

/** Recompresses these bytes after ten seconds, if `isWanted` is then true. */
export function recompressLater(bytes: EncodedBodies, isWanted: () => boolean): void {
  setTimeout(() => {
    // If the recompression fails, the bytes keep their faster compression.
    if (isWanted()) recompress(bytes).catch(() => {});
  }, quiet).unref();
}

export async function prebuildAnswer(body: string, type: string, cacheControl: string): Promise<EncodedBodies> {
  const identity = Buffer.from(body);
  const [br, gz] = await Promise.all([
    brotli(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
    }),
    zip(identity, { level: 6 }),
  ]);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { type, etag, cacheControl, identity, br, gzip: gz };
}

/** A cache by name: a map, or a cache with a size limit. */
interface Kept<T> {
  get(name: string): Promise<T> | undefined;
  set(name: string, making: Promise<T>): unknown;
  delete(name: string): unknown;
}

/** The cached value of a name, created at the first request. A failure is not cached. */
export function getOrCreateCached<T>(kept: Kept<T>, name: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(name);
  if (known) return known;
  const making = make();
  kept.set(name, making);
  making.catch(() => kept.delete(name));
  return making;
}
