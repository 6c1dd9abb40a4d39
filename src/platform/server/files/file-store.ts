import type { Readable } from 'node:stream';

export interface OpenFile {
  /** Bytes. */
  size: number;
  body: Readable;
}

/** The store of uploaded files. A file's name is a hash of its content, so a name never means another content. */
export interface FileStore {
  /** Stores a file under its name: completely, or not at all. */
  keep(name: string, type: string, bytes: Uint8Array): Promise<void>;
  /** The same of a file on this machine, which it may move away. */
  keepFile(name: string, type: string, path: string): Promise<void>;
  /** Where files arrive before they are stored. */
  incoming: string;
  /** Bytes; null when there is no such file. */
  sizeOf(name: string): Promise<number | null>;
  /** A part of it, if a range is given; `size` stays that of the whole file. */
  open(name: string, range?: ByteRange): Promise<OpenFile | null>;
  /** Logs anything that would make the next upload fail. */
  check(): Promise<void>;
}

/** Bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110, 14.2). null: the whole file, also for several ranges,
 * other units and unreadable headers, which a server may ignore. `outside`: none of the file.
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
