import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PrebuiltBytes } from '#platform/http/answer.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Compresses the same bytes once more, slowly and beside everything else; whoever asks meanwhile gets what is there.
 * For a page or a menu it is a tenth less.
 */
export function pressHarder(bytes: PrebuiltBytes): PrebuiltBytes {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants;
  void brotli(bytes.identity, { params: { [quality]: thorough, [hint]: bytes.identity.length } }).then(
    (smaller) => void (bytes.br = smaller),
  );
  return bytes;
}

/** Brotli's quality for pages: half a second of a thread that nobody waits for. */
export const thorough = 11;

/** Compresses an answer once, for everyone who asks for it until it changes. */
export async function prebuild(body: string, type: string, cacheControl: string): Promise<PrebuiltBytes> {
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
