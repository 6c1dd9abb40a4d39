import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { Manifest } from '#backup/manifest.ts';
import {
  type FoundSealedListing,
  SealedListing,
  SealedContents,
  SealedIndex,
  type SealedObject,
} from '#backup/sealed.ts';
import { indexFile, sha256OfText } from '#backup/server/copy-layout.ts';
import { erasureFile, ErasureList } from '#backup/server/erasure-list.ts';
import type { SecondPlace } from '#backup/server/places/place.ts';
import { hashStream, readSigned, unseal } from '#backup/server/sealing/key-pair.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { ConfigError } from '#platform/errors.ts';

export const sealedIndexFile = 'hatch-sealed.json';
export const listingsFolder = 'copies/';
export const objectsFolder = 'objects/';

/** Whether a folder has encrypted backups, even if their index file is lost. */
export function hasSealedCopies(folder: string): boolean {
  const has = (name: string) => existsSync(join(folder, name));
  return has(sealedIndexFile) || (has('objects') && !has(indexFile));
}

export interface SecondPlaceState {
  sizes: Map<string, number>;
  /** The index; null: it is missing, damaged, or signed with another secret. */
  index: SealedIndex | null;
  /** The listings, oldest first, with unreadable ones at the end. */
  listings: FoundSealedListing[];
  /** The erasure list; null: there is none; undefined: it is damaged, or signed with another secret. */
  erasures: ErasureList | null | undefined;
}

/**
 * Reads the index, the listings and the erasure list of a backup location. Checks the signatures of all three, and the
 * hashes of the listings. null: the location is missing.
 */
export async function readSecondPlaceState(
  place: SecondPlace,
  secretOf: (newestFirst: SealedListing[]) => Promise<string>,
): Promise<SecondPlaceState | null> {
  const sizes = await place.list();
  if (sizes === null) return null;
  const files: { name: string; file: string }[] = [];
  for (const path of sizes.keys()) {
    const name = path.slice(listingsFolder.length);
    if (path.startsWith(listingsFolder) && /^[0-9a-f]{64}$/.test(name))
      files.push({ name, file: await readFileOf(place, path, sizes) });
  }
  const parsed = files.map(({ name, file }) => ({
    name,
    file,
    listing: sha256OfText(file) === name ? listingOf(file) : null,
  }));
  const known = parsed.flatMap(({ listing }) => listing ?? []);
  const secret = await secretOf(known.toSorted((a, b) => b.number - a.number));
  const listings = parsed.map(({ name, file, listing }): FoundSealedListing => ({
    name,
    listing,
    isOurs: readSigned(file, secret)?.isOurs === true,
  }));
  const indexText = readSigned(await readFileOf(place, sealedIndexFile, sizes), secret);
  const index = indexText?.isOurs ? parse((value) => SealedIndex.parse(value), indexText.text) : null;
  const numberOf = ({ listing }: FoundSealedListing) => listing?.number ?? Infinity;
  const erasures = sizes.has(erasureFile)
    ? erasuresOf(readSigned(await readFileOf(place, erasureFile, sizes), secret))
    : null;
  return { sizes, index, listings: listings.toSorted((a, b) => numberOf(a) - numberOf(b)), erasures };
}

function erasuresOf(signed: ReturnType<typeof readSigned>): ErasureList | undefined {
  return (signed?.isOurs && parse((value) => ErasureList.parse(value), signed.text)) || undefined;
}

async function readFileOf(place: SecondPlace, path: string, sizes: Map<string, number>): Promise<string> {
  const size = sizes.get(path);
  const body = size === undefined ? null : await place.open(path, size);
  return body === null ? '' : readText(body);
}

function listingOf(file: string): SealedListing | null {
  return parse((value) => SealedListing.parse(value), file.split('\n').slice(0, -2).join('\n'));
}

function parse<T>(read: (value: unknown) => T, text: string): T | null {
  try {
    return read(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the readable listings that the shop signed. */
export function ownSealedCopies({ listings }: SecondPlaceState): { name: string; listing: SealedListing }[] {
  return listings.flatMap(({ name, listing, isOurs }) => (listing && isOurs ? [{ name, listing }] : []));
}

/** Whether every file of a backup exists with its expected size. */
export function isSealedCopyComplete({ sizes }: SecondPlaceState, { contents, objects }: SealedListing): boolean {
  return [contents, ...objects].every(({ name, size }) => sizes.get(objectsFolder + name) === size);
}

/** Decrypts an object and passes its bytes to `into`. `fault`: the object's damage; null: none. */
export async function decryptObject<T>(
  place: SecondPlace,
  { name, size }: SealedObject,
  identity: string,
  into: (bytes: Readable) => Promise<T>,
): Promise<{ fault: string } | { fault: null; read: T }> {
  const body = await place.open(objectsFolder + name, size);
  if (body === null) return { fault: 'It is missing.' };
  const found = { size: 0, sha256: '' };
  try {
    const bytes = await unseal(identity, hashStream(body as AsyncIterable<Buffer>, found));
    const read = await into(Readable.from(bytes, { objectMode: false }));
    return found.sha256 === name ? { fault: null, read } : { fault: 'Its contents have changed.' };
  } catch (error) {
    // A failure of the backup location or of the local disk does not prove that the object is damaged.
    if (error instanceof ConfigError || systemErrorCode(error) !== undefined) throw error;
    return { fault: 'Its contents have changed.' };
  } finally {
    body.destroy();
  }
}

/** Decrypts a backup's contents; null: they are damaged or missing. */
export async function decryptContents(place: SecondPlace, { contents }: SealedListing, identity: string) {
  const found = await decryptObject(place, contents, identity, readText);
  const parsed = found.fault === null ? parse((value) => SealedContents.parse(value), found.read) : null;
  const manifest = parsed && parse((value) => Manifest.parse(value), parsed.manifest);
  return parsed && manifest ? { ...parsed, text: parsed.manifest, manifest } : null;
}
