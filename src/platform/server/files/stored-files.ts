import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { type FileStore, parseRangeHeader } from '#platform/server/files/file-store.ts';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const types: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  apk: 'application/vnd.android.package-archive',
};
const fileName = /^[0-9a-f]{64}(?:-\d{1,4})?\.(avif|webp|apk)$/;
const typeOf = (name: string) => types[fileName.exec(name)?.[1] ?? ''];
export const isStoredFileName = (name: string): boolean => fileName.test(name);

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function saveUploadedFile(files: FileStore, name: string, bytes: Uint8Array): Promise<string> {
  const type = typeOf(name);
  if (!type) throw new Error(`${name} is no name of a stored file`);
  await files.keep(name, type, bytes);
  return `/uploads/${name}`;
}

/** Stores a local file, which may be moved, and returns its URL. */
export async function saveReceivedFile(files: FileStore, name: string, path: string): Promise<string> {
  const type = typeOf(name);
  if (!type) throw new Error(`${name} is no name of a stored file`);
  await files.keepFile(name, type, path);
  return `/uploads/${name}`;
}

/** A hook that runs before a file is sent. It returns additional headers, or throws a refusal. */
export type BeforeSendingFileHook = (name: string, request: FastifyRequest) => Promise<Record<string, string>>;

/**
 * Serves stored files and byte ranges. Browsers cache them for ever, because their names contain hashes. If a file is
 * missing, the first existing file of `insteadOf` is sent.
 */
export function serveStoredFiles(
  app: FastifyInstance,
  files: FileStore,
  { insteadOf, beforeSending }: { insteadOf: (name: string) => string[]; beforeSending: BeforeSendingFileHook },
): void {
  app.get<{ Params: { file: string } }>('/uploads/:file', async (request, reply) => {
    const { file: name } = request.params;
    const type = typeOf(name);
    if (!type) throw new AppError('not_found', m.platform_not_found());
    const more = await beforeSending(name, request);
    const names = [name, ...insteadOf(name)];
    const found = request.headers.range === undefined ? await openFirst(files, names) : await findFirst(files, names);
    if (!found) throw new AppError('not_found', m.platform_not_found());
    const etag = `"${found.name}"`;
    reply.headers({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      etag,
      ...more,
    });
    if (request.headers['if-none-match'] === etag) {
      found.body?.destroy();
      return reply.status(304).send();
    }
    const { size } = found;
    const isSame = [undefined, etag].includes(request.headers['if-range']?.toString());
    const range = isSame ? parseRangeHeader(request.headers.range, size) : null;
    if (range === 'outside') return reply.status(416).header('content-range', `bytes */${size}`).send();
    if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    reply.header('content-length', range ? range.end - range.start + 1 : size);
    const body = found.body ?? (await files.open(found.name, range ?? undefined))?.body;
    if (!body) throw new AppError('not_found', m.platform_not_found());
    return reply.send(body);
  });
}

interface Found {
  name: string;
  size: number;
  body?: Readable;
}

async function openFirst(files: FileStore, names: string[]): Promise<Found | null> {
  for (const name of names) {
    const opened = await files.open(name);
    if (opened) return { name, ...opened };
  }
  return null;
}

/** Finds the first existing file and its size, without opening it. */
async function findFirst(files: FileStore, names: string[]): Promise<Found | null> {
  for (const name of names) {
    const size = await files.sizeOf(name);
    if (size !== null) return { name, size };
  }
  return null;
}

/** A received file, which has a random name until it is stored. */
export interface ReceivedFile {
  path: string;
  size: number;
  sha256: string;
}

const abandonedAfter = 24 * 60 * 60_000;

/**
 * Writes a body of at most `limit` bytes into a file, passes the file to `work`, and deletes it unless `work` has moved
 * it. `announced`: the declared length in bytes. Throws 413 above the limit, 400 if the body is incomplete.
 */
export async function receiveFile<T>(
  body: Readable,
  { folder, limit, announced = 0 }: { folder: string; limit: number; announced?: number },
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (announced > limit) throw bodyTooLargeError(body);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.${randomUUID()}.part`);
  try {
    return await work({ path, ...(await write(body, path, limit)) });
  } finally {
    await rm(path, { force: true });
  }
}

/** The 413 error for a body that was not read to its end. The error closes the connection. */
export function bodyTooLargeError(body: Readable): AppError {
  body.resume();
  return new AppError('payload_too_large', m.platform_payload_too_large(), { headers: { connection: 'close' } });
}

async function write(body: Readable, path: string, limit: number): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx');
  try {
    // The stream stays open after the loop ends early, because the refusal is sent on the same connection.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw bodyTooLargeError(body);
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

/** Deletes partial files older than a day, because the process that wrote them has ended. */
export async function removeAbandonedPartFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => /^\.[0-9a-f-]{36}\.part$/.test(each))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && found.mtimeMs < Date.now() - abandonedAfter) await rm(join(folder, name), { force: true });
  }
}
