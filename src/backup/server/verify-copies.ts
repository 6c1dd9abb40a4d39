import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findFaultsInBackupChain, type CopyDamage, type FoundCopy, type StoredFile } from '#backup/manifest.ts';
import {
  folderOfCopy,
  listCopies,
  manifestFile,
  manifestSumFile,
  readFileSizeAndHash,
  readIndex,
  uploadsFolderIn,
} from '#backup/server/copy-layout.ts';
import { verifyErasureList } from '#backup/server/erasure-list.ts';
import { ownFilesOfCopy } from '#backup/server/make-copy.ts';
import { ConfigError } from '#platform/errors.ts';
import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';

export interface VerifiedCopies {
  folder: string;
  shop_id: string | null;
  /**
   * The short form of the public key, as on the recovery sheet; null: the backups are not encrypted, or none can be
   * read.
   */
  key_mark: string | null;
  /** `is_whole`: no damage was found. `is_proven`: the trial restore succeeded; missing for unencrypted backups. */
  copies: { number: number; made_at: string | null; bytes: number; is_whole: boolean; is_proven?: boolean }[];
  damages: CopyDamage[];
}

/**
 * Checks every byte of a folder of backups. `shopId`: the expected shop; null: any shop. Throws ConfigError if the
 * folder is missing, or has neither backups nor an index. An index without backups is reported as damage.
 */
export async function verifyCopies(folder: string, shopId: string | null = null): Promise<VerifiedCopies> {
  await requireFolder(folder);
  const index = await readIndex(folder);
  const copies = await listCopies(folder);
  if (copies.length === 0 && index === null) throw new ConfigError(`${folder} has no copies of a shop.`);
  const damages = [...findFaultsInBackupChain(index, copies, shopId), ...(await verifyErasureList(folder, index))];
  if (copies.length === 0) damages.push({ number: null, path: null, words: 'There is no copy in the folder.' });
  const uploads = new Map<string, Awaited<ReturnType<typeof readFileSizeAndHash>>>();
  const found = [];
  for (const copy of copies) {
    damages.push(...(await faultsOfCopy(folder, copy, uploads)));
    const bytes = copy.manifest ? ownFilesOfCopy(copy.manifest).reduce((sum, { size }) => sum + size, 0) : 0;
    found.push({ number: copy.number, made_at: copy.manifest?.made_at ?? null, bytes });
  }
  return {
    folder,
    shop_id: index?.shop_id ?? null,
    key_mark: null,
    copies: found.map((copy) => ({ ...copy, is_whole: damages.every(({ number }) => number !== copy.number) })),
    damages,
  };
}

export async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new ConfigError(`There is no folder ${folder}. Is its disk connected?`);
}

type Measured = Map<string, Awaited<ReturnType<typeof readFileSizeAndHash>>>;

/** Finds the damage of a backup. `uploads` caches the measured pictures, because backups share pictures. */
export async function faultsOfCopy(
  folder: string,
  copy: FoundCopy,
  uploads: Measured = new Map(),
): Promise<CopyDamage[]> {
  const { number, manifest } = copy;
  if (manifest === null) return [{ number, path: manifestFile, words: 'Its list of contents is damaged or missing.' }];
  const damages: CopyDamage[] = [];
  const own = folderOfCopy(folder, number);
  const add = (path: string, words: string | null) => words !== null && damages.push({ number, path, words });
  const wanted = ownFilesOfCopy(manifest);
  for (const file of wanted) add(file.path, faultOf(file, await readFileSizeAndHash(join(own, file.path))));
  for (const file of manifest.uploads) {
    const known = uploads.has(file.path);
    const measured = known
      ? (uploads.get(file.path) ?? null)
      : await readFileSizeAndHash(join(uploadsFolderIn(folder), file.path));
    if (!known) uploads.set(file.path, measured);
    add(`uploads/${file.path}`, faultOf(file, measured));
  }
  const listed = new Set([manifestFile, manifestSumFile, ...wanted.map(({ path }) => path)]);
  for (const path of await pathsIn(own)) {
    if (!listed.has(path)) add(path, 'It does not belong to the copy.');
  }
  return damages;
}

async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    );
}

function faultOf(wanted: StoredFile, found: { size: number; sha256: string } | null): string | null {
  if (found === null) return 'It is missing.';
  if (found.size !== wanted.size) return `It has ${found.size} bytes instead of ${wanted.size}.`;
  return found.sha256 === wanted.sha256 ? null : 'Its contents have changed.';
}

export function copyDamageWords({ number, path, words }: CopyDamage): string {
  return (
    [number === null ? '' : `Copy ${number}`, path ?? ''].filter(Boolean).join(', ') +
    (number || path ? ': ' : '') +
    words
  );
}
