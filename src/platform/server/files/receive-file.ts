import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';

/** A file that arrived, under a name that nobody knows until it is stored. */
export interface ReceivedFile {
  path: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

const abandonedAfter = 24 * 60 * 60_000;

/**
 * Writes a body into a folder as it arrives, at most `limit` bytes, hands it to `work`, and removes it unless `work` has moved
 * it. `announced` is the length that the sender says it has. Throws 413 for a longer one, and 400 for one that breaks off.
 */
export async function receiveFile<T>(
  body: Readable,
  { folder, limit, announced = 0 }: { folder: string; limit: number; announced?: number },
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (announced > limit) throw tooLarge(body);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.${randomUUID()}.part`);
  try {
    return await work({ path, ...(await write(body, path, limit)) });
  } finally {
    await rm(path, { force: true });
  }
}

/** The refusal of a body of which the rest is not read: the connection ends with it. */
export function tooLarge(body: Readable): AppError {
  body.resume();
  return new AppError('payload_too_large', m.platform_payload_too_large(), { headers: { connection: 'close' } });
}

async function write(body: Readable, path: string, limit: number): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx');
  try {
    // Not destroyed when it is left early: the refusal goes through the same connection.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(body);
      hash.update(chunk);
      await file.write(chunk);
    }
    await file.sync();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') {
      throw new AppError('malformed_request', m.platform_malformed_request());
    }
    throw error;
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** Removes partial files of a process that died. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => /^\.[0-9a-f-]{36}\.part$/.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && found.mtimeMs < Date.now() - abandonedAfter) await rm(join(folder, name), { force: true });
  }
}
