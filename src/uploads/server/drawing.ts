import { setTimeout as sleep } from 'node:timers/promises';
import { m } from '#messages';
import { AppError, invalid } from '#platform/errors.ts';
import { createIdleProcess } from '#platform/server/idle-process.ts';
import { createTurns } from '#platform/server/turns.ts';
import type { DrawnSizes, MadeSize } from '#uploads/server/make-sizes.ts';
import { isPicture } from '#uploads/server/picture-type.ts';

/** Milliseconds for one picture. The largest that is allowed takes a fifth of it on a slow machine. */
const longest = 60_000;

/** A process of its own: whatever a picture does to its decoder, it does not do to the shop. */
const painter = createIdleProcess<Uint8Array, DrawnSizes>({
  module: new URL('./draw-worker.ts', import.meta.url),
  task: 'draws pictures',
  maxOldGenerationSizeMb: 128,
});

/** One at a time: several large ones at once would need the memory of a whole machine. */
const turns = createTurns({ mostWaiting: 10, pause: 0 });

/**
 * Redraws a picture in every size that pages use. Refuses with 415 what is no picture, with 422 one that is damaged, has too
 * many pixels or takes too long.
 */
export function drawSizes(file: Buffer, limit = longest): Promise<MadeSize[]> {
  if (!isPicture(file)) throw new AppError('unsupported_media_type', m.uploads_no_picture());
  return turns.take(async () => {
    const over = new AbortController();
    const late = sleep(limit, 'late' as const, { signal: over.signal, ref: false });
    late.catch(() => null);
    const drawn = await Promise.race([painter.ask(file).catch(() => 'broken' as const), late]);
    over.abort();
    if (drawn === 'late') await painter.stop();
    if (typeof drawn !== 'string') return drawn;
    if (drawn === 'no_picture') throw new AppError('unsupported_media_type', m.uploads_no_picture());
    throw invalid('body', refusals[drawn]());
  });
}

const refusals = {
  broken: m.uploads_broken,
  late: m.uploads_too_slow,
  too_many_pixels: m.uploads_too_many_pixels,
};

/** Ends the process; the next picture starts another. */
export const stopDrawingPictures = painter.stop;
