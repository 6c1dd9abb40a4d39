import type { FastifyBaseLogger } from 'fastify';
import { type BucketSettings, openBucket } from '#platform/server/files/file-bucket.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { removeAbandonedPartFiles } from '#platform/server/files/stored-files.ts';

/**
 * Opens the data folder's `uploads`, or the configured bucket. With a bucket, files in the folder can still be read.
 */
export function openFileStore(
  config: { dataDir: string; bucket: BucketSettings | null },
  log: FastifyBaseLogger,
): FileStore {
  const folder = openFileFolder(config.dataDir);
  if (!config.bucket) return folder;
  const bucket = openBucket(config.bucket, log);
  return {
    ...bucket,
    incoming: folder.incoming,
    check: async () => void (await Promise.all([folder.check(), bucket.check()])),
    sizeOf: async (name) => (await folder.sizeOf(name)) ?? bucket.sizeOf(name),
    open: async (name, range) => (await folder.open(name, range)) ?? bucket.open(name, range),
  };
}

export function openFileFolder(dataDir: string): FileStore {
  const folder = join(dataDir, 'uploads');
  const sizeOf = async (name: string) => {
    const found = await stat(join(folder, name)).catch(() => null);
    return found?.isFile() ? found.size : null;
  };
  return {
    async keep(name, _type, bytes) {
      await mkdir(folder, { recursive: true });
      // The draft is synced before it is renamed, so that a power cut never leaves half a file.
      const draft = join(folder, `.${randomUUID()}.part`);
      try {
        const file = await open(draft, 'wx');
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, join(folder, name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async keepFile(name, _type, path) {
      await mkdir(folder, { recursive: true });
      await rename(path, join(folder, name));
    },
    incoming: folder,
    sizeOf,
    async open(name, range) {
      const size = await sizeOf(name);
      return size === null ? null : { size, body: createReadStream(join(folder, name), range) };
    },
    check: () => removeAbandonedPartFiles(folder),
  };
}
