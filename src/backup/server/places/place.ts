import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConfigError } from '#platform/errors.ts';
import type { LocalFile } from '#platform/server/files/s3.ts';

/** A folder or a bucket for encrypted backups. Every method throws ConfigError. */
export interface SecondPlace {
  /** A folder's path, or `s3://bucket/prefix`. */
  name: string;
  /**
   * Stores a whole file or nothing. The disk or bucket may lose even an acknowledged file, so callers use
   * `putAndReadBack`.
   */
  put(name: string, file: LocalFile): Promise<void>;
  /** Opens a file; null if it does not exist. */
  open(name: string, size: number): Promise<Readable | null>;
  /** Returns the sizes of all files by name; null: the folder is missing. */
  list(): Promise<Map<string, number> | null>;
  remove(name: string): Promise<void>;
}

/** Stores a file and reads it back, because a disk or bucket may lose even an acknowledged file. */
export async function putAndReadBack(place: SecondPlace, name: string, file: LocalFile): Promise<void> {
  await place.put(name, file);
  const hash = createHash('sha256');
  const body = await place.open(name, file.size);
  if (body !== null) for await (const chunk of body as AsyncIterable<Buffer>) hash.update(chunk);
  if (body === null || hash.digest('hex') !== file.sha256)
    throw new ConfigError(`${place.name} did not store what it was given (${name}). This copy does not count.`);
}
