import { m } from '#messages';
import type { FileReadings } from '#menu/web/import/read-sheets.ts';
import { UnreadableFileError } from '#menu/import/table.ts';

/** The most bytes of a file; 5,000 dishes have far fewer. */
const maxBytes = 8 * 1024 * 1024;
/** The timeout in milliseconds; 5,000 dishes take one or two seconds on a slow laptop. */
const timeoutMs = 30_000;

export type ReadWorkerAnswer = { readings: FileReadings } | { refusal: string };

/** A file, page or photo: its name, its parser and its bytes, from which the format is detected. */
export interface MenuSource {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  read: (bytes: Uint8Array<ArrayBuffer>) => Promise<FileReadings>;
}

export function refuseLargeFile(file: File): void {
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
  const timer = setTimeout(() => answered.resolve({ refusal: m.menu_import_too_slow() }), timeoutMs);
  // Other messages are ignored: PDF.js posts some, because it treats this worker as its own.
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
