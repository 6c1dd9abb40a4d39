import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';
import type { FileStore } from '#platform/server/file-store.ts';

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

/** The size in bytes of the file at such an address; null when there is no such file. */
export async function sizeOfStored(files: FileStore, url: string): Promise<number | null> {
  const name = url.slice('/uploads/'.length);
  return typeOf(name) ? files.sizeOf(name) : null;
}

/**
 * Serves stored files. A name is the hash of the content, so answers may be cached for ever. A missing file is
 * answered by the first of `insteadOf` that exists.
 */
export function serveStoredFiles(app: FastifyInstance, files: FileStore, insteadOf: (name: string) => string[]): void {
  app.get<{ Params: { file: string } }>('/uploads/:file', async (request, reply) => {
    const name = request.params.file;
    const type = typeOf(name);
    let file = type ? await files.open(name) : null;
    for (const other of file ? [] : insteadOf(name)) file ??= await files.open(other);
    if (!file) throw new AppError('not_found', m.platform_not_found());
    reply.headers({
      'content-type': type,
      'content-length': file.size,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    return reply.send(file.body);
  });
}
