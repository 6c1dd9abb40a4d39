import { m } from '#messages';
import type { Db, Tx } from '#database/schema.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { Handlers } from '#platform/http/serve.ts';
import { auditFinishedCall } from '#database/audit.ts';
import { sha256Of, saveUploadedFile } from '#platform/server/files/stored-files.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';
import type { uploadEndpoints } from '#uploads/contract.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOnDemandProcess } from '#platform/server/on-demand-process.ts';
import { createSerialQueue } from '#platform/server/call-queues.ts';
import type { DrawResult, RenderedPictureSize } from '#uploads/server/draw-picture.ts';

export function uploadsHandlers({ files }: { files: FileStore }): Handlers<typeof uploadEndpoints, Db, Tx> {
  return {
    // Responds only after all sizes are stored.
    'POST /v1/uploads': async ({ file, db, ...call }) => {
      const hash = sha256Of(file);
      const made = await drawPictureInChildProcess(file);
      const sizes = await Promise.all(
        made.map(async ({ width, height, format, bytes }) => {
          const url = await saveUploadedFile(files, `${hash}-${width}.${format}`, bytes);
          return { url, type: `image/${format}`, width, height };
        }),
      );
      const largest = sizes.findLast(({ type }) => type === 'image/webp');
      if (!largest) throw new AppError('unsupported_media_type', m.uploads_no_picture());
      const { url, width, height } = largest;
      await auditFinishedCall(db, 'POST /v1/uploads', call, null);
      return { data: { url, width, height, sizes } };
    },
  };
}

/** The timeout of drawing a picture (ms). The largest allowed picture takes a fifth of this time on a slow machine. */
const longest = 60_000;

/** The child process that draws pictures, so that a decoder's crash does not stop the shop. */
const painter = createOnDemandProcess<Uint8Array, DrawResult>({
  module: new URL('./draw-worker.ts', import.meta.url),
  task: 'draws pictures',
  maxOldGenerationSizeMb: 128,
});

/** This queue draws pictures one at a time, because several large ones would need all of a machine's memory. */
const turns = createSerialQueue({ maxWaiting: 10, pause: 0 });

/**
 * Redraws a picture in every size. Throws 415 for other files, 422 for pictures that are damaged, too large or too slow
 * to draw.
 */
export function drawPictureInChildProcess(file: Buffer, limit = longest): Promise<RenderedPictureSize[]> {
  if (!looksLikePicture(file)) throw new AppError('unsupported_media_type', m.uploads_no_picture());
  return turns.take(async () => {
    const over = new AbortController();
    const late = sleep(limit, 'late' as const, { signal: over.signal, ref: false });
    late.catch(() => null);
    const drawn = await Promise.race([painter.ask(file).catch(() => 'broken' as const), late]);
    over.abort();
    if (drawn === 'late') await painter.stop();
    if (typeof drawn !== 'string') return drawn;
    if (drawn === 'no_picture') throw new AppError('unsupported_media_type', m.uploads_no_picture());
    throw invalidFieldError('body', refusals[drawn]());
  });
}

const refusals = {
  broken: m.uploads_broken,
  late: m.uploads_too_slow,
  too_many_pixels: m.uploads_too_many_pixels,
};

export const stopDrawingPictures = painter.stop;

/**
 * Whether a file begins like a picture that browsers can show. It is checked before decoding, because decoders accept
 * dozens of formats, including scripts (SVG).
 */
export function looksLikePicture(file: Uint8Array): boolean {
  const text = (at: number, length: number) => String.fromCodePoint(...file.subarray(at, at + length));
  if (text(0, 3) === '\xff\xd8\xff') return true;
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return true;
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return true;
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return true;
  // Files of several formats begin with `ftyp`, so the brands must name AVIF.
  return text(4, 4) === 'ftyp' && brandsOf(file).some((brand) => brand === 'avif' || brand === 'avis');

  function brandsOf({ length }: Uint8Array): string[] {
    const size = Math.min(length, 128, new DataView(file.buffer, file.byteOffset).getUint32(0));
    const others = Array.from({ length: Math.max(0, Math.floor((size - 16) / 4)) }, (_, index) =>
      text(16 + index * 4, 4),
    );
    return [text(8, 4), ...others];
  }
}
