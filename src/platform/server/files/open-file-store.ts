import type { FastifyBaseLogger } from 'fastify';
import { type BucketSettings, openBucket } from '#platform/server/files/file-bucket.ts';
import { openFolder } from '#platform/server/files/file-folder.ts';
import type { FileStore } from '#platform/server/files/file-store.ts';

/** The folder `uploads` of the data folder, or the configured bucket; files already in the folder are still served. */
export function openFileStore(
  config: { dataDir: string; bucket: BucketSettings | null },
  log: FastifyBaseLogger,
): FileStore {
  const folder = openFolder(config.dataDir);
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
