import type { Readable } from 'node:stream';
import type { ByteRange } from '#platform/server/files/byte-range.ts';

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
