import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { draftPrefix, writeStreamDurably } from '#backup/server/copy-layout.ts';
import type { SecondPlace } from '#backup/server/places/place.ts';
import { syncFolder } from '#database/embedded/cluster.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { ConfigError } from '#platform/errors.ts';

const reasons: Record<string, string> = {
  EACCES: 'Hatch may not write there',
  EPERM: 'Hatch may not write there',
  // Hatch's systemd unit makes all folders read-only, except its data folder, /mnt and /media.
  EROFS: 'Hatch may not write there, only below /mnt and /media',
  ENOTDIR: 'a part of this path is a file',
  EEXIST: 'there is a file of this name',
  ENOENT: 'it is not there',
  EIO: 'its disk has a fault',
};

export function folderErrorWords(error: unknown): string {
  const code = systemErrorCode(error) ?? String(error);
  return reasons[code] ?? code;
}

export function folderErrorAdvice(error: unknown, folder: string): string {
  const isForbidden = ['EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '');
  return isForbidden ? `Give it the folder: sudo install -d -o hatch ${folder}` : 'Is its disk connected?';
}

/**
 * Opens a folder as a second backup location. A missing folder is not created, because it may be on a disk that is not
 * connected.
 */
export function openFolderPlace(folder: string): SecondPlace {
  const toConfigError = (error: unknown): unknown => {
    const reason = systemErrorCode(error);
    if (reason === undefined) return error;
    if (reason === 'ENOSPC' || reason === 'EDQUOT')
      return new ConfigError(`The disk of ${folder} is full: the copy was not sent whole. Make room there.`, {
        cause: error,
      });
    return new ConfigError(
      `The folder ${folder} cannot be used: ${folderErrorWords(error)}. ${folderErrorAdvice(error, folder)}`,
      {
        cause: error,
      },
    );
  };
  const withConfigErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toConfigError(error);
    }
  };
  return {
    name: folder,
    put: (name, { path }) =>
      withConfigErrors(async () => {
        const target = join(folder, name);
        await stat(folder);
        const draft = join(dirname(target), `${draftPrefix}${randomUUID()}`);
        try {
          await writeStreamDurably(draft, createReadStream(path));
          await rename(draft, target);
        } catch (error) {
          await rm(draft, { force: true });
          throw error;
        }
        await syncFolder(dirname(target));
      }),
    open: (name) =>
      withConfigErrors(async () => {
        const file = await open(join(folder, name)).catch((error: unknown) => {
          if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return null;
          throw error;
        });
        return file?.createReadStream() ?? null;
      }),
    list: () =>
      withConfigErrors(async () => {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
          if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return null;
          throw error;
        });
        if (entries === null) return null;
        const sizes = new Map<string, number>();
        for (const entry of entries) {
          if (!entry.isFile()) continue;
          const path = join(entry.parentPath, entry.name);
          const found = await stat(path).catch(() => null);
          if (found) sizes.set(relative(folder, path).split(sep).join('/'), found.size);
        }
        return sizes;
      }),
    remove: (name) => withConfigErrors(() => rm(join(folder, name), { force: true })),
  };
}
