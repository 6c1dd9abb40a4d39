import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CopiesIndex, CopyDamage, StoredFile } from '#backup/manifest.ts';
import { formatKeyMark, type SealedListing, findFaultsInSealedChain, type SealedObject } from '#backup/sealed.ts';
import {
  folderOfCopy,
  manifestFile,
  manifestSumFile,
  sha256OfText,
  writeStreamDurably,
  uploadsFolderIn,
  writeIndex,
} from '#backup/server/copy-layout.ts';
import { erasureListFaults, recordErasures } from '#backup/server/erasure-list.ts';
import { ownFilesOfCopy } from '#backup/server/make-copy.ts';
import type { SecondPlace } from '#backup/server/places/place.ts';
import {
  hashStream,
  decryptKeyPair,
  type PrivateKeyPart,
  wrongPassphraseError,
} from '#backup/server/sealing/key-pair.ts';
import {
  ownSealedCopies,
  decryptContents,
  decryptObject,
  type SecondPlaceState,
  readSecondPlaceState,
} from '#backup/server/sealing/read-place.ts';
import type { VerifiedCopies } from '#backup/server/verify-copies.ts';
import { ConfigError } from '#platform/errors.ts';
import { writePrivateFile } from '#platform/server/secrets/installation-keys.ts';

interface UnlockedPlace {
  place: SecondPlace;
  state: SecondPlaceState;
  /** The age private key. */
  identity: string;
}

/**
 * Asks once for the passphrase, and opens the backup location with it. Throws ConfigError if the passphrase is wrong,
 * the folder is missing, or no listing can be read.
 */
export async function unlockSecondPlace(
  place: SecondPlace,
  askPassphrase: () => Promise<string>,
): Promise<UnlockedPlace> {
  const opened: { part: PrivateKeyPart | null } = { part: null };
  const state = await readSecondPlaceState(place, async (newestFirst) => {
    const keys = new Set(newestFirst.map(({ key }) => key));
    if (keys.size === 0) throw new ConfigError(`${place.name} has no sealed copy of a shop that can be read.`);
    const passphrase = await askPassphrase();
    // The location may also have listings of another shop, whose key pair another passphrase opens.
    for (const key of keys) opened.part ??= await decryptKeyPair(key, passphrase);
    if (opened.part === null) throw wrongPassphraseError();
    return opened.part.secret;
  });
  if (state === null) throw new ConfigError(`There is no folder ${place.name}. Is its disk connected?`);
  if (opened.part === null) throw wrongPassphraseError();
  return { place, state, identity: opened.part.identity };
}

/**
 * Decrypts and checks every object of the shop's backups in a location. `shopId`: the expected shop; null: any shop.
 */
export async function verifySecondPlace(opened: UnlockedPlace, shopId: string | null = null): Promise<VerifiedCopies> {
  const { place, state } = opened;
  const ours = ownSealedCopies(state);
  const damages = [
    ...findFaultsInSealedChain(state.index, state.listings, shopId),
    ...erasureListFaults(state.erasures, state.index),
  ];
  const read = new Map<string, DecryptedFile>();
  for (const { listing } of ours) damages.push(...(await faultsOf(opened, listing, read)));
  return {
    folder: place.name,
    shop_id: ours.at(-1)?.listing.shop_id ?? null,
    key_mark: keyMarkOf(ours),
    copies: ours.map(({ listing }) => ({
      number: listing.number,
      made_at: listing.made_at,
      bytes: listing.objects.reduce((sum, { size }) => sum + size, listing.contents.size),
      is_whole: damages.every(({ number }) => number !== listing.number),
      is_proven: listing.is_proven ?? true,
    })),
    damages,
  };
}

function keyMarkOf(ours: ReturnType<typeof ownSealedCopies>): string | null {
  const recipient = ours.at(-1)?.listing.recipient;
  return recipient === undefined ? null : formatKeyMark(recipient);
}

interface DecryptedFile {
  size: number;
  sha256: string;
  /** The object's damage; null: none. */
  fault: string | null;
}

/**
 * Finds the damage of a backup. The map `read` caches the results of decrypted objects, so that an object in several
 * backups is decrypted only once.
 */
async function faultsOf(
  opened: UnlockedPlace,
  listing: SealedListing,
  read: Map<string, DecryptedFile>,
): Promise<CopyDamage[]> {
  const { place, identity } = opened;
  const { number } = listing;
  const contents = await decryptContents(place, listing, identity);
  if (contents === null) return [{ number, path: manifestFile, words: 'Its list of contents is damaged or missing.' }];
  const damages: CopyDamage[] = [];
  for (const { path, file } of filesIn(contents.manifest)) {
    const object = objectOf(listing, contents.objects[file.sha256]);
    if (object && !read.has(object.name)) read.set(object.name, await measureObject(opened, object));
    const found = object && read.get(object.name);
    const words = found ? (found.fault ?? differenceOf(file, found)) : 'It is missing.';
    if (words !== null) damages.push({ number, path, words });
  }
  return damages;
}

const filesIn = (manifest: Parameters<typeof ownFilesOfCopy>[0] & { uploads: StoredFile[] }) => [
  ...ownFilesOfCopy(manifest).map((file) => ({ path: file.path, file })),
  ...manifest.uploads.map((file) => ({ path: `uploads/${file.path}`, file })),
];

const objectOf = ({ objects }: SealedListing, name: string | undefined) => objects.find((each) => each.name === name);

async function measureObject({ place, identity }: UnlockedPlace, object: SealedObject): Promise<DecryptedFile> {
  const found = { size: 0, sha256: '' };
  const { fault } = await decryptObject(place, object, identity, (bytes) =>
    pipeline(
      Readable.from(hashStream(bytes as AsyncIterable<Buffer>, found), { objectMode: false }),
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    ),
  );
  return { ...found, fault };
}

function differenceOf(wanted: StoredFile, found: DecryptedFile): string | null {
  return found.size === wanted.size && found.sha256 === wanted.sha256 ? null : 'Its contents have changed.';
}

export interface FetchedCopy {
  /** A folder of backups that contains only the fetched backup. */
  folder: string;
  /** The SECRETS_KEY that the backup needs; null: none. */
  secretsKey: string | null;
  /** Whether all erasures are known: the location's erasure list is undamaged, or nothing was erased. */
  hasErasures: boolean;
}

/**
 * Decrypts the newest backup from `until` or earlier into an empty folder of backups; `until` null: the newest of all.
 * Throws ConfigError if the backup is damaged or missing, and leaves no files.
 */
export async function fetchCopy(opened: UnlockedPlace, until: Date | null, folder: string): Promise<FetchedCopy> {
  const { place, state, identity } = opened;
  const fitting = ownSealedCopies(state).filter(({ listing }) => until === null || new Date(listing.made_at) <= until);
  const chosen = fitting.at(-1)?.listing;
  refuseLostNewest(state, chosen, until);
  if (!chosen) throw new ConfigError(`${place.name} has no copy${until ? ' from before that time' : ' of a shop'}.`);
  const damaged = (path: string) =>
    new ConfigError(
      `Copy ${chosen.number}, ${path} is damaged or missing. Nothing was restored. An earlier copy: --to-time, with a time before ${chosen.made_at}.`,
    );
  const contents = await decryptContents(place, chosen, identity);
  if (contents === null) throw damaged(manifestFile);
  const { manifest, text } = contents;
  try {
    const own = folderOfCopy(folder, manifest.number);
    await mkdir(own, { recursive: true, mode: 0o700 });
    for (const { path, file } of filesIn(manifest)) {
      const target = path === file.path ? join(own, path) : join(uploadsFolderIn(folder), file.path);
      const object = objectOf(chosen, contents.objects[file.sha256]);
      if (!object) throw damaged(path);
      const read = await decryptObject(place, object, identity, (bytes) => writeStreamDurably(target, bytes));
      if (read.fault !== null || read.read.sha256 !== file.sha256) throw damaged(path);
    }
    const manifestSha256 = sha256OfText(text);
    await writePrivateFile(join(own, manifestFile), text);
    await writePrivateFile(join(own, manifestSumFile), `${manifestSha256}  ${manifestFile}\n`);
    const newest = { number: manifest.number, manifest_sha256: manifestSha256 };
    const index: CopiesIndex = { format: 1, shop_id: manifest.shop_id, newest };
    await writeIndex(folder, index);
    // Even an incomplete erasure list is used, because the data of each readable entry must be erased again.
    await recordErasures(folder, index, state.erasures?.erasures ?? []);
    const hasErasures =
      state.index?.erasures !== undefined && erasureListFaults(state.erasures, state.index).length === 0;
    return { folder, secretsKey: contents.secrets_key, hasErasures };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Throws ConfigError if the newest backup is lost and the caller has not named a time: an older one must not be
 * restored unnoticed.
 */
function refuseLostNewest({ index }: SecondPlaceState, chosen: SealedListing | undefined, until: Date | null): void {
  const newest = index?.copies.at(-1)?.number;
  if (until === null && newest !== undefined && (chosen?.number ?? 0) < newest)
    throw new ConfigError(
      `Copy ${newest}, the newest, is damaged or missing. Nothing was restored. An earlier copy: --to-time.`,
    );
}
