import { execFile } from 'node:child_process';
import { m } from '#messages';
import type { PhotoWord } from '#menu/contract.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import { createTurnQueue } from '#platform/server/turns.ts';

/** Debian's `tesseract-ocr`, which the shop's machine may have. */
const program = 'tesseract';
/** Milliseconds for one picture; a full page takes about ten seconds. */
const longest = 60_000;

/** One picture is read at a time, by one thread, so that orders keep the processor. */
const turns = createTurnQueue({ maxWaiting: 3, pause: 0 });

export function canReadPhotos(command = program): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 5_000 }, (error) => resolve(error === null));
  });
}

/** Reads the words of a picture with their places, in pixels. Throws 422 for a picture that cannot be read. */
export async function readPhoto(picture: Buffer, command = program): Promise<PhotoWord[]> {
  if (!(await canReadPhotos(command))) throw new AppError('unavailable', m.menu_photo_unavailable());
  const table = await turns.take(() => recognise(picture, command));
  return wordsOf(table);
}

function recognise(picture: Buffer, command: string): Promise<string> {
  const args = ['stdin', 'stdout', '-l', 'eng', '--dpi', '200', '--psm', '11', 'tsv'];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', OMP_THREAD_LIMIT: '1' };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { timeout: longest, maxBuffer: 8 * 1024 * 1024, env }, (error, output) => {
      if (error) reject(invalidFieldError('body', error.killed ? m.menu_photo_slow() : m.menu_photo_broken()));
      else resolve(output);
    });
    // The program may end before it has read the whole picture.
    child.stdin?.on('error', () => null);
    child.stdin?.end(picture);
  });
}

/** The words of Tesseract's table: level 5 is a word, and columns 7 to 12 are its place, certainty and text. */
function wordsOf(table: string): PhotoWord[] {
  return table.split('\n').flatMap((line) => {
    const [level, , , , , , x, y, width, height, certainty, text = ''] = line.split('\t');
    if (level !== '5' || text.trim() === '' || Number(certainty) < 20) return [];
    return [{ text, x: Number(x), y: Number(y), width: Number(width), height: Number(height) }];
  });
}
