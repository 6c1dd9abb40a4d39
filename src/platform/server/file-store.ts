import type { Readable } from 'node:stream';

export interface OpenFile {
  /** Bytes. */
  size: number;
  body: Readable;
}

/** Where uploaded files lie. Each is named after what is in it, so that the same name never means anything else. */
export interface FileStore {
  /** Keeps a file under its name: whole, or not at all. */
  keep(name: string, type: string, bytes: Uint8Array): Promise<void>;
  /** Bytes; null when there is no such file. */
  sizeOf(name: string): Promise<number | null>;
  open(name: string): Promise<OpenFile | null>;
  /** Says in the log what would stand in the way of the next upload. */
  check(): Promise<void>;
}
