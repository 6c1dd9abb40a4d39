import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import { type FileStore, readRange } from '#platform/server/files/file-store.ts';

const types: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  apk: 'application/vnd.android.package-archive',
};
const fileName = /^[0-9a-f]{64}(?:-\d{1,4})?\.(avif|webp|apk)$/;
const typeOf = (name: string) => types[fileName.exec(name)?.[1] ?? ''];

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Stores a file under its own name; returns the address it is served at. */
export async function storeFile(files: FileStore, name: string, bytes: Uint8Array): Promise<string> {
  const type = typeOf(name);
  if (!type) throw new Error(`${name} is no name of a stored file`);
  await files.keep(name, type, bytes);
  return `/uploads/${name}`;
}

/** The same of a file on this machine, which may be moved away. */
export async function storeReceived(files: FileStore, name: string, path: string): Promise<string> {
  const type = typeOf(name);
  if (!type) throw new Error(`${name} is no name of a stored file`);
  await files.keepFile(name, type, path);
  return `/uploads/${name}`;
}

/** The hook of a kind of files before one is sent: it may throw. It returns further headers of the answer. */
export type BeforeSending = (name: string, request: FastifyRequest) => Promise<Record<string, string>>;

/**
 * Serves stored files. A name is the hash of the content, so answers may be cached for ever, and a part may be asked for. A
 * missing file is answered by the first of `insteadOf` that exists.
 */
export function serveStoredFiles(
  app: FastifyInstance,
  files: FileStore,
  { insteadOf, beforeSending }: { insteadOf: (name: string) => string[]; beforeSending: BeforeSending },
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
    const range = isSame ? readRange(request.headers.range, size) : null;
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
  /** Bytes of the whole file. */
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

/** How long a file is, before a part of it is opened. */
async function findFirst(files: FileStore, names: string[]): Promise<Found | null> {
  for (const name of names) {
    const size = await files.sizeOf(name);
    if (size !== null) return { name, size };
  }
  return null;
}
