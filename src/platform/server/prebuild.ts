import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PrebuiltBytes } from '#platform/http/answer.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** The same bytes, compressed once more beside everything else; whoever asks meanwhile gets what is there. */
export function pressHarder(bytes: PrebuiltBytes): PrebuiltBytes {
  void press(bytes);
  return bytes;
}

/** Compresses the same bytes once more, slowly. For a page or a menu it is a tenth less. */
export async function press(bytes: PrebuiltBytes): Promise<void> {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants;
  const { identity } = bytes;
  bytes.br = await brotli(identity, { params: { [quality]: thorough, [hint]: identity.length } });
}

/** Brotli's quality for pages: half a second of a thread that nobody waits for. */
export const thorough = 11;

/** Compresses slowly what can wait for it: one at a time, when nothing new has come for a while. */
export interface Presser {
  /** Presses these bytes later, unless they are no longer wanted by then. */
  later(bytes: PrebuiltBytes, isWanted: () => boolean): void;
  stop(): void;
}

/**
 * Milliseconds: changes of a menu come one after the other, and each makes the last one's work useless, so nothing is
 * pressed before it has been `quiet` for so long; but where it never is, what waited for `longest` is.
 */
export function createPresser(quiet = 10_000, longest = 60_000): Presser {
  const waiting = new Map<PrebuiltBytes, () => boolean>();
  let timer: NodeJS.Timeout | undefined;
  let waitingSince = 0;
  let isPressing = false;
  let isStopped = false;
  const wait = () => {
    if (isStopped) return;
    const now = performance.now();
    if (!timer) waitingSince = now;
    clearTimeout(timer);
    timer = setTimeout(() => void pressAll(), Math.min(quiet, Math.max(0, waitingSince + longest - now))).unref();
  };
  const pressAll = async () => {
    timer = undefined;
    // What came while others are pressed waits for a quiet of its own.
    if (isPressing) return wait();
    isPressing = true;
    const due = [...waiting];
    for (const [bytes, isWanted] of due) {
      // What cannot be pressed is sent as it is.
      if (waiting.delete(bytes) && isWanted()) await press(bytes).catch(() => {});
    }
    isPressing = false;
  };
  return {
    later(bytes, isWanted) {
      waiting.set(bytes, isWanted);
      wait();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

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
