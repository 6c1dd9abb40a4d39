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
  /** Bytes; null when there is no such file. */
  sizeOf(name: string): Promise<number | null>;
  open(name: string): Promise<OpenFile | null>;
  /** Logs anything that would make the next upload fail. */
  check(): Promise<void>;
}
