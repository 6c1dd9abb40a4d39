import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { type BucketSettings, openBucket } from '#platform/server/file-bucket.ts';
import { openFolder } from '#platform/server/file-folder.ts';

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

/** The folder `uploads` of the data folder, or the bucket of the settings; what a folder held before stays served. */
export function openFileStore(
  config: { dataDir: string; bucket: BucketSettings | null },
  log: FastifyBaseLogger,
): FileStore {
  const folder = openFolder(config.dataDir);
  if (!config.bucket) return folder;
  const bucket = openBucket(config.bucket, log);
  return {
    ...bucket,
    sizeOf: async (name) => (await folder.sizeOf(name)) ?? bucket.sizeOf(name),
    open: async (name) => (await folder.open(name)) ?? bucket.open(name),
  };
}
