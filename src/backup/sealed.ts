import { z } from 'zod';
import { CopiesIndex, type Damage } from '#backup/manifest.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** An encrypted file of a second place, named by the hash of its encrypted bytes. `size` of those. */
const SealedObject = z.strictObject({ name: Sha256, size: z.int().min(1) });
export type SealedObject = z.infer<typeof SealedObject>;

/** The list of a sealed copy's files. It is readable by anybody, and names only times, sizes and hashes. */
export const Listing = z.strictObject({
  format: z.literal(1),
  shop_id: z.uuid(),
  number: z.int().min(1),
  /** The newest copy of the place when this one was made; null: it is the first. */
  before: z.strictObject({ number: z.int().min(1), name: Sha256 }).nullable(),
  made_at: z.iso.datetime(),
  /** The public key to which the files are encrypted, as age writes it. */
  recipient: z.string().startsWith('age1'),
  /** The key pair, sealed by the passphrase. Each copy has it, so that no single lost file loses all copies. */
  key: z.string(),
  contents: SealedObject,
  objects: z.array(SealedObject),
  /** Whether it was restored for a trial; missing in lists of before, of which each was. */
  is_proven: z.boolean().optional(),
});
export type Listing = z.infer<typeof Listing>;

/** The encrypted list of contents: the only place that says which file an object is. */
export const SealedContents = z.strictObject({
  format: z.literal(1),
  /** The copy's manifest.json, byte for byte. */
  manifest: z.string(),
  /** The object of each file, by the hash of the file's own bytes. */
  objects: z.record(Sha256, Sha256),
  /** null: the shop had none, and its key is a file of the copy. */
  secrets_key: z.string().nullable(),
});
export type SealedContents = z.infer<typeof SealedContents>;

/** The place's own file: whose it is, and which copies it should have. */
export const SealedIndex = z.strictObject({
  format: z.literal(1),
  shop_id: z.uuid(),
  recipient: z.string().startsWith('age1'),
  copies: z.array(z.strictObject({ number: z.int().min(1), name: Sha256 })),
  /** The list of erasures beside the copies; missing: an earlier version of Hatch wrote none. */
  erasures: CopiesIndex.shape.erasures,
});
export type SealedIndex = z.infer<typeof SealedIndex>;

/** A list of a copy as it was found. `listing` is null where it is damaged, or somebody else's. */
export interface FoundListing {
  name: string;
  listing: Listing | null;
  isOurs: boolean;
}

/** Faults in how the copies of one place belong together. `index`: null where it is missing, damaged or not ours. */
export function sealedChainFaults(
  index: SealedIndex | null,
  found: readonly FoundListing[],
  shopId: string | null,
): Damage[] {
  const damages: Damage[] = [];
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
  const isForeign = ({ shop_id }: Listing) => shopId !== null && shop_id !== shopId;
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

/** A short form of the public key, by which people recognise it: `k3v9 qm2x`. */
export function keyMarkWords(recipient: string): string {
  return recipient.slice(-8).replace(/^(.{4})/, '$1 ');
}
