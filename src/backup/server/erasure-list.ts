import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { erasureKinds } from '#database/column-values.ts';
import type { Erasure } from '#database/erasures.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import type { CopiesIndex, CopyDamage } from '#backup/manifest.ts';
import { readIndex, sha256OfText, writeIndex } from '#backup/server/copy-layout.ts';
import { syncFolder } from '#database/embedded/cluster.ts';
import { writePrivateFile } from '#platform/server/secrets/installation-keys.ts';

/**
 * The file beside the backups with the ids of erased data. After a restore from an older backup, the listed erasures
 * are applied again.
 */
export const erasureFile = 'erasures.json';

export const ErasureList = z.strictObject({
  shop_id: z.uuid(),
  erasures: z.array(z.strictObject({ kind: z.enum(erasureKinds), subject: z.uuid(), erased_at: z.iso.datetime() })),
  /** The hash of `erasures` as JSON, which reveals a damaged list. */
  sha256: z.string(),
});
export type ErasureList = z.infer<typeof ErasureList>;

/** Reads the list; null: there is none. Throws if the file is unreadable, or its hash is wrong. */
async function readList(folder: string): Promise<ErasureList | null> {
  const text = await readFile(join(folder, erasureFile), 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const list = ErasureList.parse(JSON.parse(text));
  if (text !== textOf({ ...list, sha256: hashOf(list.erasures) })) throw new Error('it is not as it was written');
  return list;
}

const hashOf = (erasures: readonly Erasure[]) => sha256OfText(JSON.stringify(erasures));
const textOf = (list: ErasureList) => `${JSON.stringify(list)}\n`;

export function mergeErasures(shop_id: string, ...all: (readonly Erasure[])[]): ErasureList {
  const each = all.flat().map(({ kind, subject, erased_at }) => ({ kind, subject, erased_at }));
  const erasures = [...new Map(each.map((erasure) => [`${erasure.kind} ${erasure.subject}`, erasure])).values()];
  return { shop_id, erasures, sha256: hashOf(erasures) };
}

export const erasureListSummary = ({ erasures, sha256 }: ErasureList) => ({ count: erasures.length, sha256 });

/** Adds erasures to the list of a folder of backups, and updates the folder's index. */
export async function recordErasures(folder: string, index: CopiesIndex, found: readonly Erasure[]): Promise<void> {
  const known = (await readList(folder).catch(() => null))?.erasures ?? [];
  const list = mergeErasures(index.shop_id, known, found);
  if (list.erasures.length === 0) return;
  await writePrivateFile(join(folder, erasureFile), textOf(list));
  await syncFolder(folder);
  await writeIndex(folder, { ...index, erasures: erasureListSummary(list) });
}

/**
 * Reads the erasures to apply after a restore; empty: nothing was erased; null: the list is damaged, or missing
 * although the index has erasures.
 */
export async function readErasures(folder: string): Promise<Erasure[] | null> {
  const [fault] = await verifyErasureList(folder, await readIndex(folder));
  if (fault) return null;
  return (await readList(folder))?.erasures ?? [];
}

export async function verifyErasureList(folder: string, index: CopiesIndex | null): Promise<CopyDamage[]> {
  return erasureListFaults(await readList(folder).catch(() => undefined), index);
}

/** Compares an erasure list with its entry in the index. `list`: null if it is missing, undefined if it is damaged. */
export function erasureListFaults(
  list: ErasureList | null | undefined,
  index: Pick<CopiesIndex, 'shop_id' | 'erasures'> | null,
): CopyDamage[] {
  const damage = (words: string): CopyDamage[] => [{ number: null, path: erasureFile, words }];
  if (list === undefined) return damage('Its contents have changed.');
  const wanted = index?.erasures;
  if (list === null) return wanted && wanted.count > 0 ? damage('It is missing.') : [];
  if (index && list.shop_id !== index.shop_id) return damage('It is of another shop.');
  if (!wanted) return [];
  if (list.erasures.length < wanted.count) return damage('It is an older one.');
  // If a program was killed after it wrote the list, and before it updated the index, the list has more entries than
  // the index says.
  return list.erasures.length > wanted.count || list.sha256 === wanted.sha256 ? [] : damage('It is another one.');
}

/**
 * Records that backups of this shop are in the folder, and that the folder's erasure list has all erasures up to number
 * `noted`.
 */
export async function recordCopyFolder(client: pg.ClientBase, folder: string, noted: string): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('copy_folders') is not null as is_there`,
  );
  if (!rows[0]?.is_there) return;
  await client.query(
    `insert into copy_folders as f (path, noted) values ($1, $2)
      on conflict (path) do update set noted = greatest(f.noted, excluded.noted)`,
    [folder, noted],
  );
}
