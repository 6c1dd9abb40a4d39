import type { Readable } from 'node:stream';

export interface OpenFile {
  /** Bytes. */
  size: number;
  body: Readable;
}

/** The store of uploaded files. A name is its content's hash, and so immutable. */
export interface FileStore {
  /** Stores a file under its name, atomically. */
  keep(name: string, type: string, bytes: Uint8Array): Promise<void>;
  /** Stores a local file under a name, atomically; it may move the file. */
  keepFile(name: string, type: string, path: string): Promise<void>;
  /** The folder of files before they are stored. */
  incoming: string;
  /** Bytes; null when there is no such file. */
  sizeOf(name: string): Promise<number | null>;
  /** A part of it, if a range is given; `size` stays that of the whole file. */
  open(name: string, range?: ByteRange): Promise<OpenFile | null>;
  /** Logs problems that would fail the next upload. */
  check(): Promise<void>;
}

/** Bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The range of a `Range` header (RFC 9110, 14.2). null: the whole file, even for several ranges, other units and
 * unreadable headers. `outside`: none of it.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'outside' | null {
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
