import { execFile } from 'node:child_process';
import { m } from '#messages';
import type { PhotoWord } from '#menu/contract.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { createSerialQueue } from '#platform/server/call-queues.ts';

/** The command of Debian's `tesseract-ocr`, an optional package. */
const program = 'tesseract';
/** The timeout of one photo; a full page takes about ten seconds. */
const timeoutMs = 60_000;

/** Tesseract reads one picture at a time on one thread, so that the other cores stay free for orders. */
const queue = createSerialQueue({ maxWaiting: 3, pause: 0 });

export function canReadPhotos(command = program): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 5_000 }, (error) => resolve(error === null));
  });
}

/**
 * Reads a picture's words with their positions in pixels. Throws 422 for a file that is no readable picture, and 503
 * without Tesseract.
 */
export async function readPhoto(picture: Buffer, command = program): Promise<PhotoWord[]> {
  if (!(await canReadPhotos(command))) throw new AppError('unavailable', m.menu_photo_unavailable());
  const tsv = await queue.take(() => runTesseract(picture, command));
  return parseWords(tsv);
}

function runTesseract(picture: Buffer, command: string): Promise<string> {
  const args = ['stdin', 'stdout', '-l', 'eng', '--dpi', '200', '--psm', '11', 'tsv'];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', OMP_THREAD_LIMIT: '1' };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { timeout: timeoutMs, maxBuffer: 8 * 1024 * 1024, env }, (error, output) => {
      if (error) reject(invalidFieldError('body', error.killed ? m.menu_photo_slow() : m.menu_photo_broken()));
      else resolve(output);
    });
    // Tesseract may exit before it has read the whole picture, which breaks the pipe.
    child.stdin?.on('error', () => null);
    child.stdin?.end(picture);
  });
}

/** The lowest confidence of a printed word, in percent. Dot leaders that are read as letters have less. */
const minConfidence = 50;

/** Parses Tesseract's TSV: level 5 is a word, and columns 7 to 12 are its position, confidence and text. */
function parseWords(tsv: string): PhotoWord[] {
  return tsv.split('\n').flatMap((line) => {
    const [level, , , , , , x, y, width, height, confidence, text = ''] = line.split('\t');
    if (level !== '5' || text.trim() === '' || Number(confidence) < minConfidence) return [];
    return [{ text, x: Number(x), y: Number(y), width: Number(width), height: Number(height) }];
  });
}
