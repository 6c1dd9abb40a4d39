import { m } from '#messages';
import type { FileReadings } from '#menu/web/import/read-sheets.ts';
import { UnreadableFileError } from '#menu/import/table.ts';

/** The largest file in bytes; a menu of 5,000 dishes is far smaller. */
const maxBytes = 8 * 1024 * 1024;
/** The timeout of a read in milliseconds. A menu of 5,000 dishes takes one or two seconds on a slow laptop. */
const longest = 30_000;

/** The worker's answer: the file's rows, or why there are none. */
export type ReadWorkerAnswer = { readings: FileReadings } | { refusal: string };

/** A source of a menu: its name, the bytes by which it is recognised, and how they are read. */
export interface MenuSource {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  read: (bytes: Uint8Array<ArrayBuffer>) => Promise<FileReadings>;
}

export function refuseLarge(file: File): void {
  if (file.size > maxBytes) throw new UnreadableFileError(m.menu_import_too_large());
}

/**
 * Reads a file in a worker of its own, so that the page stays usable and a slow read has a timeout. Throws
 * UnreadableFileError with a message.
 */
export async function readMenuFile(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  currency: string,
): Promise<FileReadings> {
  const worker = new Worker(new URL('read-worker.ts', import.meta.url), { type: 'module' });
  const answered = Promise.withResolvers<ReadWorkerAnswer>();
  const timer = setTimeout(() => answered.resolve({ refusal: m.menu_import_too_slow() }), longest);
  // The reader of PDFs also announces itself, because it takes every worker for its own.
  worker.addEventListener('message', ({ data }: MessageEvent<ReadWorkerAnswer | { action: string }>) => {
    if ('readings' in data || 'refusal' in data) answered.resolve(data);
  });
  worker.addEventListener('error', () => answered.resolve({ refusal: m.menu_import_too_slow() }));
  worker.postMessage({ bytes: bytes.buffer, name, currency }, [bytes.buffer]);
  const answer = await answered.promise;
  clearTimeout(timer);
  worker.terminate();
  if ('refusal' in answer) throw new UnreadableFileError(answer.refusal);
  return answer.readings;
}
