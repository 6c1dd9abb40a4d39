import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { m } from '#messages';
import { AppError } from '#platform/errors.ts';

const types: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  apk: 'application/vnd.android.package-archive',
};
const fileName = /^[0-9a-f]{64}(?:-\d{2,4})?\.(avif|webp|apk)$/;

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Keeps a file under its own name in `uploads` of the data folder; the answer is the address it is served at. */
export async function storeFile(dataDir: string, name: string, bytes: Uint8Array): Promise<string> {
  const folder = join(dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  // Renamed into place, so that nobody is served half a file.
  const draft = join(folder, `.${randomUUID()}.part`);
  await writeFile(draft, bytes);
  await rename(draft, join(folder, name));
  return `/uploads/${name}`;
}

/** The size in bytes of the file at such an address; null when there is none. */
export async function sizeOfStored(dataDir: string, url: string): Promise<number | null> {
  const name = url.slice('/uploads/'.length);
  if (!fileName.test(name)) return null;
  const found = await stat(join(dataDir, 'uploads', name)).catch(() => null);
  return found?.isFile() ? found.size : null;
}

/** Serves what is stored. A name is the hash of what is in it, so that it may be kept for ever. */
export function serveStoredFiles(app: FastifyInstance, dataDir: string): void {
  app.get<{ Params: { file: string } }>('/uploads/:file', async (request, reply) => {
    const name = request.params.file;
    const size = await sizeOfStored(dataDir, `/uploads/${name}`);
    const type = types[fileName.exec(name)?.[1] ?? ''];
    if (size === null || !type) throw new AppError('not_found', m.platform_not_found());
    reply.headers({
      'content-type': type,
      'content-length': size,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    return reply.send(createReadStream(join(dataDir, 'uploads', name)));
  });
}
