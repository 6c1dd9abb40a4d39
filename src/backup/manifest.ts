import { z } from 'zod';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A relative path without `..`, so that no path in a manifest leads out of the backup's folder. */
const Path = z.string().regex(/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*$/);

/** A file of a backup. `size` in bytes. */
const StoredFile = z.strictObject({ path: Path, size: z.int().min(0), sha256: Sha256 });
export type StoredFile = z.infer<typeof StoredFile>;

/** The rows of a table in the text format of PostgreSQL's COPY. */
const StoredTable = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  /** The hash of the uncompressed text. */
  text_sha256: Sha256,
  file: StoredFile,
});
export type StoredTable = z.infer<typeof StoredTable>;

export const Manifest = z.strictObject({
  format: z.literal(1),
  shop_id: z.uuid(),
  number: z.int().min(1),
  /** The previous backup in the same folder; null: this backup is the first. */
  before: z.strictObject({ number: z.int().min(1), manifest_sha256: Sha256 }).nullable(),
  made_at: z.iso.datetime(),
  hatch: z.string(),
  postgres: z.string(),
  migrations: z.array(z.string()).min(1),
  tables: z.array(StoredTable),
  sequences: z.array(z.strictObject({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
  /** The queued jobs; null: the shop was never started. */
  jobs: z.strictObject({ queues: z.array(z.string()), table: StoredTable }).nullable(),
  keys: z.array(StoredFile),
  /** The uploaded pictures. All backups in a folder share the files of the pictures. */
  uploads: z.array(StoredFile),
  /** The fingerprint of the key that encrypts the secrets in the database; null: there is no such key. */
  key_mark: z.string().nullable(),
  /**
   * Whether SECRETS_KEY encrypts the secrets in the database. A plain backup does not contain SECRETS_KEY, an encrypted
   * one does.
   */
  needs_secrets_key: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;
export type StoredRowsManifest = Pick<Manifest, 'postgres' | 'migrations' | 'tables' | 'sequences' | 'jobs'>;

export const CopiesIndex = z.strictObject({
  format: z.literal(1),
  shop_id: z.uuid(),
  newest: z.strictObject({ number: z.int().min(1), manifest_sha256: Sha256 }).nullable(),
  /** The number of entries and the hash of the erasure list; missing: nothing was erased yet. */
  erasures: z.strictObject({ count: z.int().min(0), sha256: Sha256 }).optional(),
});
export type CopiesIndex = z.infer<typeof CopiesIndex>;

/** The name of a backup's folder inside `copies`: `000012`. */
export function folderNameOfCopy(number: number): string {
  return String(number).padStart(6, '0');
}

/** The number in a backup's folder name; null for any other name. */
export function copyNumberOf(name: string): number | null {
  return /^\d{6,9}$/.test(name) ? Number(name) : null;
}

export interface FoundCopy {
  number: number;
  /** The manifest; null: it is missing or damaged. */
  manifest: Manifest | null;
  manifestSha256: string;
}

/** Damage to a backup; `number` null: damage to the folder of backups as a whole. */
export interface CopyDamage {
  number: number | null;
  /** The path of the damaged file; null: the damage is not to a single file. */
  path: string | null;
  words: string;
}

/** Finds backups that were swapped, are missing, or belong to another shop than `shopId` (null: any shop). */
export function findFaultsInBackupChain(
  index: CopiesIndex | null,
  copies: readonly FoundCopy[],
  shopId: string | null,
): CopyDamage[] {
  const owner = shopId ?? index?.shop_id ?? copies.find(({ manifest }) => manifest)?.manifest?.shop_id ?? null;
  return [
    ...indexFaults(index, owner),
    ...copies.flatMap((copy) => numberFaults(copy, copies, owner)),
    ...newestFaults(index, copies),
  ];
}

const damage = (number: number | null, words: string): CopyDamage => ({ number, path: null, words });

function indexFaults(index: CopiesIndex | null, owner: string | null): CopyDamage[] {
  if (index === null) return [damage(null, 'The folder’s own file hatch-backups.json is missing or unreadable.')];
  return owner !== null && index.shop_id !== owner ? [damage(null, 'The folder has the copies of another shop.')] : [];
}

function numberFaults(
  { number, manifest }: FoundCopy,
  copies: readonly FoundCopy[],
  owner: string | null,
): CopyDamage[] {
  if (manifest === null) return [];
  const faults: CopyDamage[] = [];
  if (manifest.shop_id !== owner) faults.push(damage(number, 'It is a copy of another shop.'));
  if (manifest.number !== number)
    faults.push(damage(number, `It is copy ${manifest.number}, and stands in the place of this one.`));
  const before = copies.find((copy) => copy.number === manifest.before?.number);
  if (before && before.manifestSha256 !== manifest.before?.manifest_sha256)
    faults.push(damage(before.number, `It is not the one that was there when copy ${number} was made.`));
  return faults;
}

function newestFaults(index: CopiesIndex | null, copies: readonly FoundCopy[]): CopyDamage[] {
  const newest = index?.newest;
  if (!newest) return [];
  const found = copies.find(({ number }) => number === newest.number);
  if (!found) return [{ number: newest.number, path: null, words: 'The newest copy is missing.' }];
  if (found.manifestSha256 === newest.manifest_sha256) return [];
  return [{ number: newest.number, path: null, words: 'Its list of contents is not the one that was written.' }];
}

/**
 * Returns the newest backup that was made at the time `until` or earlier; null: there is none. If `until` is null,
 * returns the newest of all.
 */
export function chooseCopy(copies: readonly FoundCopy[], until: Date | null): FoundCopy | null {
  const fitting = copies.filter(
    ({ manifest }) => until === null || (manifest !== null && new Date(manifest.made_at) <= until),
  );
  return fitting.toSorted((a, b) => b.number - a.number)[0] ?? null;
}
