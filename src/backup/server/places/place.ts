import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConfigError } from '#platform/errors.ts';
import type { LocalFile } from '#platform/server/files/s3.ts';

/** Where sealed copies are stored, besides the shop's own disk. Every method throws ConfigError with words. */
export interface Place {
  /** As people name it: a folder's path, or `s3://bucket/prefix`. */
  name: string;
  /** Stores a file under a name, whole or not at all. An acknowledged file may still be lost: read it back. */
  put(name: string, file: LocalFile): Promise<void>;
  /** null if there is no such file. */
  open(name: string, size: number): Promise<Readable | null>;
  /** The sizes of all files by their names; null if the place is not there. */
  list(): Promise<Map<string, number> | null>;
  remove(name: string): Promise<void>;
}

/** Stores a file and reads it back: a place that only says that it stored something is found at once. */
export async function putProvenly(place: Place, name: string, file: LocalFile): Promise<void> {
  await place.put(name, file);
  const hash = createHash('sha256');
  const body = await place.open(name, file.size);
  if (body !== null) for await (const chunk of body as AsyncIterable<Buffer>) hash.update(chunk);
  if (body === null || hash.digest('hex') !== file.sha256)
    throw new ConfigError(`${place.name} did not store what it was given (${name}). This copy does not count.`);
}
