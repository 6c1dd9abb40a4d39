import type { Readable } from 'node:stream';

export interface OpenedFile {
  size: number;
  body: Readable;
}

/**
 * The store of uploaded files. A file's name contains the hash of the uploaded content, so a stored file never changes.
 */
export interface FileStore {
  keep(name: string, type: string, bytes: Uint8Array): Promise<void>;
  /** Stores a local file under a name, atomically; the local file may be moved. */
  keepFile(name: string, type: string, path: string): Promise<void>;
  /** The folder of files that are being received. */
  incoming: string;
  /** The size in bytes; null if the file does not exist. */
  sizeOf(name: string): Promise<number | null>;
  /** Opens a file, or a range of it; null if the file does not exist. `size` is always the whole file's. */
  open(name: string, range?: ByteRange): Promise<OpenedFile | null>;
  /** Logs problems that would make the next upload fail, and deletes abandoned partial files. */
  check(): Promise<void>;
}

/** A byte range of a file; the positions `start` and `end` are both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header (RFC 9110, 14.2). null: the whole file is sent, as for several ranges, other units and
 * unreadable headers. `outside`: the range contains no byte of the file.
 */
export function parseRangeHeader(header: string | undefined, size: number): ByteRange | 'outside' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'outside' : { start, end };
}
