import { z } from 'zod';
import { CopiesIndex, type CopyDamage } from '#backup/manifest.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * An encrypted file in the second backup location. `name`: the hash of the encrypted bytes. `size`: the number of these
 * bytes.
 */
const SealedObject = z.strictObject({ name: Sha256, size: z.int().min(1) });
export type SealedObject = z.infer<typeof SealedObject>;

/**
 * The listing of an encrypted backup. The listing itself is not encrypted, but reveals nothing of the files except
 * their sizes and hashes.
 */
export const SealedListing = z.strictObject({
  format: z.literal(1),
  shop_id: z.uuid(),
  number: z.int().min(1),
  /** The previous backup in the location; null: this backup is the first. */
  before: z.strictObject({ number: z.int().min(1), name: Sha256 }).nullable(),
  made_at: z.iso.datetime(),
  /** The age public key to which the files are encrypted. */
  recipient: z.string().startsWith('age1'),
  /**
   * The private key, encrypted with the passphrase. Every listing contains it, so that the loss of one file cannot make
   * all backups unreadable.
   */
  key: z.string(),
  contents: SealedObject,
  objects: z.array(SealedObject),
  /** Whether the trial restore succeeded; missing: it did, because older versions of Hatch sent proven backups only. */
  is_proven: z.boolean().optional(),
});
export type SealedListing = z.infer<typeof SealedListing>;

/** The encrypted contents of a backup. Without them, its objects cannot be matched to its files. */
export const SealedContents = z.strictObject({
  format: z.literal(1),
  /** The text of `manifest.json`, byte for byte. */
  manifest: z.string(),
  /** Maps the hash of each unencrypted file to the name of its object. */
  objects: z.record(Sha256, Sha256),
  /** The SECRETS_KEY that the backup needs; null: none. */
  secrets_key: z.string().nullable(),
});
export type SealedContents = z.infer<typeof SealedContents>;

export const SealedIndex = z.strictObject({
  format: z.literal(1),
  shop_id: z.uuid(),
  recipient: z.string().startsWith('age1'),
  copies: z.array(z.strictObject({ number: z.int().min(1), name: Sha256 })),
  /** The number of entries and the hash of the erasure list; missing: an earlier version of Hatch wrote no list. */
  erasures: CopiesIndex.shape.erasures,
});
export type SealedIndex = z.infer<typeof SealedIndex>;

export interface FoundSealedListing {
  name: string;
  /** The listing; null: it is damaged. */
  listing: SealedListing | null;
  /** Whether the listing is signed with the shop's secret. */
  isOurs: boolean;
}

/**
 * Finds encrypted backups that were swapped, are missing, or belong to another shop. `index`: null if it is missing,
 * damaged, or signed with another secret.
 */
export function findFaultsInSealedChain(
  index: SealedIndex | null,
  found: readonly FoundSealedListing[],
  shopId: string | null,
): CopyDamage[] {
  const damages: CopyDamage[] = [];
  const add = (number: number | null, path: string | null, words: string) => damages.push({ number, path, words });
  if (index === null) add(null, null, 'The place’s own file hatch-sealed.json is missing, damaged or another shop’s.');
  const numberOf = (name: string) => index?.copies.find((copy) => copy.name === name)?.number ?? null;
  for (const { name, listing, isOurs } of found) {
    if (listing === null || !isOurs)
      add(
        numberOf(name),
        `copies/${name}`,
        listing === null ? 'The list of a copy is damaged.' : 'It is the copy of another shop, or forged.',
      );
  }
  const ours = found.flatMap(({ name, listing, isOurs }) => (listing && isOurs ? [{ name, ...listing }] : []));
  const isForeign = ({ shop_id }: SealedListing) => shopId !== null && shop_id !== shopId;
  for (const { number } of ours.filter(isForeign)) add(number, null, 'It is a copy of another shop.');
  for (const { number, before } of ours) {
    const earlier = ours.find((each) => each.number === before?.number);
    if (earlier && earlier.name !== before?.name)
      add(earlier.number, null, `It is not the one that was there when copy ${number} was made.`);
  }
  for (const { number, name } of index?.copies ?? []) {
    if (!found.some((each) => each.name === name)) add(number, `copies/${name}`, 'The list of a copy is missing.');
  }
  return damages;
}

/** Formats a short form of the public key for people: `k3v9 qm2x`. */
export function formatKeyMark(recipient: string): string {
  return recipient.slice(-8).replace(/^(.{4})/, '$1 ');
}
