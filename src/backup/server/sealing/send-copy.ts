import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Manifest, type StoredFile } from '#backup/manifest.ts';
import { chooseCopyNumbersToRetain } from '#backup/retention.ts';
import type { SealedListing, SealedContents, SealedIndex, SealedObject } from '#backup/sealed.ts';
import {
  folderOfCopy,
  draftPrefix,
  manifestFile,
  fileNamesIn,
  writeStreamDurably,
  uploadsFolderIn,
} from '#backup/server/copy-layout.ts';
import { erasureListSummary, erasureFile, type ErasureList, mergeErasures } from '#backup/server/erasure-list.ts';
import { ownFilesOfCopy } from '#backup/server/make-copy.ts';
import { type SecondPlace, putAndReadBack } from '#backup/server/places/place.ts';
import { hashStream, seal, type SealingKeys, appendSignature } from '#backup/server/sealing/key-pair.ts';
import {
  isSealedCopyComplete,
  listingsFolder,
  objectsFolder,
  ownSealedCopies,
  type SecondPlaceState,
  readSecondPlaceState,
  sealedIndexFile,
} from '#backup/server/sealing/read-place.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import type { Erasure } from '#database/erasures.ts';
import type { TradingDaySettings } from '#store/opening-hours.ts';
import { ConfigError } from '#platform/errors.ts';

export interface CopyToSend {
  folder: string;
  number: number;
  place: SecondPlace;
  keys: SealingKeys;
  /**
   * The location's objects by the hash of the unencrypted file. The shop stores this map, because it cannot decrypt the
   * objects to compare them.
   */
  known: ReadonlyMap<string, SealedObject>;
  remember(sha256: string, object: SealedObject): Promise<void>;
  secretsKey: string | undefined;
  store: TradingDaySettings;
  /**
   * The number of the newest backup that the shop has sent to this location; null: unknown. If the number is known, an
   * empty location is refused, because its backups are lost.
   */
  lastNumber: number | null;
  /** Whether the backup's trial restore succeeded. */
  isProven: boolean;
  erasures(): Promise<readonly Erasure[]>;
  lost?: AbortSignal;
}

export interface SentCopy {
  number: number;
  made_at: string;
  /** The number of encrypted bytes that this sending stored. */
  bytes: number;
  copies: number;
  /** The names of the objects that the retained backups need. */
  objects: ReadonlySet<string>;
  /** The numbers of earlier backups that lack an object, or that are lost entirely. */
  damaged: number[];
}

/**
 * Encrypts a backup into a second backup location, reads each stored file back, and then removes the location's old
 * backups. Throws ConfigError.
 */
export async function sendCopy(order: CopyToSend): Promise<SentCopy> {
  const { folder, number, place, keys } = order;
  const text = await readFile(join(folderOfCopy(folder, number), manifestFile), 'utf8');
  const manifest = Manifest.parse(JSON.parse(text));
  const state = await readOwnPlace(order, manifest.shop_id);
  // A killed program may have left its scratch files.
  for (const name of (await fileNamesIn(folder)).filter((each) => each.startsWith(draftPrefix)))
    await rm(join(folder, name), { recursive: true, force: true });
  const scratch = join(folder, `${draftPrefix}${randomUUID()}`);
  await mkdir(scratch, { mode: 0o700 });
  try {
    const sender = createSender(order, state, scratch);
    const { contents, objects } = await sendFiles(order, sender, { text, manifest });
    const ours = ownSealedCopies(state);
    const last = ours.at(-1);
    const listing: SealedListing = {
      format: 1,
      shop_id: manifest.shop_id,
      number: Math.max((last?.listing.number ?? 0) + 1, (order.lastNumber ?? 0) + 1, number),
      before: last ? { number: last.listing.number, name: last.name } : null,
      made_at: manifest.made_at,
      recipient: keys.recipient,
      key: keys.key,
      contents,
      objects,
      is_proven: order.isProven,
    };
    order.lost?.throwIfAborted();
    const name = await sender.listing(listing);
    const damaged = ours
      .filter((each) => !isSealedCopyComplete(state, each.listing))
      .map((each) => each.listing.number);
    const rest = applyRetention([...ours, { name, listing }], damaged, order.store);
    const erasures = await sender.erasures(manifest.shop_id, await order.erasures());
    await sender.index(manifest.shop_id, rest, erasures);
    order.lost?.throwIfAborted();
    await removeUnneeded(place, state, rest);
    return {
      number: listing.number,
      made_at: manifest.made_at,
      bytes: sender.bytes(),
      copies: rest.length,
      objects: objectsOf(rest),
      damaged: [...damaged, ...lostNewest(order, ours)],
    };
  } catch (error) {
    if (systemErrorCode(error) === 'ENOSPC' || systemErrorCode(error) === 'EDQUOT')
      throw new ConfigError(`The disk of ${folder} is full: the copy was not sent.`, { cause: error });
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function sendFiles(
  { folder, number, secretsKey }: CopyToSend,
  sender: Sender,
  { text, manifest }: { text: string; manifest: Manifest },
): Promise<Pick<SealedListing, 'contents' | 'objects'>> {
  const sent = new Map<string, SealedObject>();
  for (const { file, path } of [
    ...ownFilesOfCopy(manifest).map((file) => ({ file, path: join(folderOfCopy(folder, number), file.path) })),
    ...manifest.uploads.map((file) => ({ file, path: join(uploadsFolderIn(folder), file.path) })),
  ]) {
    if (!sent.has(file.sha256)) sent.set(file.sha256, await sender.file(file, path));
  }
  const contents = await sender.contents({
    format: 1,
    manifest: text,
    objects: Object.fromEntries([...sent].map(([sha256, { name }]) => [sha256, name])),
    secrets_key: manifest.needs_secrets_key ? (secretsKey ?? null) : null,
  });
  return { contents, objects: [...new Map([...sent.values()].map((object) => [object.name, object])).values()] };
}

/** Returns the number of the newest sent backup if the location no longer has it; otherwise an empty list. */
function lostNewest({ lastNumber }: CopyToSend, ours: readonly OwnCopy[]): number[] {
  return lastNumber === null || ours.some(({ listing }) => listing.number === lastNumber) ? [] : [lastNumber];
}

type OwnPlace = Pick<CopyToSend, 'place' | 'keys'> & { shopId: string };

/**
 * Tests a backup location by writing a file and reading it back. If the location has no index yet, the file is the
 * index; otherwise it is a temporary file. Throws ConfigError.
 */
export async function testSecondPlace(order: OwnPlace): Promise<void> {
  await withSender(order, async (sender, state) => {
    if (state.index === null)
      return void (await sender.index(order.shopId, ownSealedCopies(state), state.erasures ?? null));
    const { name } = await sender.contents({ format: 1, manifest: '', objects: {}, secrets_key: null });
    await order.place.remove(objectsFolder + name);
  });
}

export async function sendErasures(order: OwnPlace, erasures: readonly Erasure[]): Promise<void> {
  await withSender(order, async (sender, state) => {
    if (state.index === null && state.listings.length === 0)
      throw new ConfigError(`${order.place.name} has no copies now.`);
    const list = await sender.erasures(order.shopId, erasures);
    // A lost index file is not written here, because the next backup writes it again.
    if (state.index !== null) await sender.index(order.shopId, state.index.copies, list);
  });
}

async function withSender(
  order: OwnPlace,
  work: (sender: Sender, state: SecondPlaceState) => Promise<void>,
): Promise<void> {
  const state = await readOwnPlace({ ...order, lastNumber: null }, order.shopId);
  const scratch = await mkdtemp(join(tmpdir(), 'hatch-place-'));
  try {
    const nothing = { known: new Map(), remember: async () => undefined, number: 0 };
    await work(createSender({ ...order, ...nothing }, state, scratch), state);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Reads the state of the location. Throws ConfigError if the location is missing, refused by `refuseForeignPlace`, or
 * unexpectedly empty.
 */
async function readOwnPlace(
  { place, keys, lastNumber }: Pick<CopyToSend, 'place' | 'keys' | 'lastNumber'>,
  shopId: string,
): Promise<SecondPlaceState> {
  const state = await readSecondPlaceState(place, async () => keys.secret);
  if (state === null) throw new ConfigError(`There is no folder ${place.name}. Is its disk connected?`);
  refuseForeignPlace(state, place, { shopId, recipient: keys.recipient });
  if (lastNumber !== null && state.sizes.size === 0)
    throw new ConfigError(`${place.name} is empty, but had copies. Is it another disk or bucket?`);
  return state;
}

type Sender = ReturnType<typeof createSender>;
type OwnCopy = ReturnType<typeof ownSealedCopies>[number];

function createSender(
  order: Pick<CopyToSend, 'place' | 'keys' | 'known' | 'remember' | 'number'>,
  { sizes, erasures: listed }: SecondPlaceState,
  scratch: string,
) {
  const { place, keys, known, remember, number } = order;
  let bytes = 0;
  const put = async (nameOf: (sha256: string) => string, source: Readable): Promise<SealedObject> => {
    const path = join(scratch, randomUUID());
    try {
      const stored = await writeStreamDurably(path, source);
      await putAndReadBack(place, nameOf(stored.sha256), { path, ...stored });
      bytes += stored.size;
      return { name: stored.sha256, size: stored.size };
    } finally {
      await rm(path, { force: true });
    }
  };
  const putSealed = async (source: AsyncIterable<Uint8Array>) =>
    put((sha256) => objectsFolder + sha256, Readable.from(await seal(keys.recipient, source), { objectMode: false }));
  const putSigned = async (text: string, nameOf: (sha256: string) => string) =>
    put(nameOf, Readable.from([Buffer.from(appendSignature(text, keys.secret))]));
  return {
    bytes: () => bytes,
    /** Encrypts and stores a file, unless the location already has the file. */
    async file({ path: name, sha256, size }: StoredFile, path: string): Promise<SealedObject> {
      const before = known.get(sha256);
      if (before && sizes.get(objectsFolder + before.name) === before.size) return before;
      const found = { size: 0, sha256: '' };
      const object = await putSealed(hashStream(createReadStream(path), found));
      if (found.sha256 !== sha256 || found.size !== size)
        throw new ConfigError(`${name} of copy ${number} is damaged on this machine: it was not sent.`);
      await remember(sha256, object);
      return object;
    },
    contents: (contents: SealedContents) => putSealed(Readable.from([Buffer.from(JSON.stringify(contents))])),
    listing: async (listing: SealedListing) =>
      (await putSigned(JSON.stringify(listing), (sha256) => listingsFolder + sha256)).name,
    async erasures(shopId: string, found: readonly Erasure[]): Promise<ErasureList> {
      const list = mergeErasures(shopId, listed?.erasures ?? [], found);
      const isThere = listed ? listed.sha256 === list.sha256 : list.erasures.length === 0;
      if (!isThere) await putSigned(JSON.stringify(list), () => erasureFile);
      return list;
    },
    index: (shopId: string, copies: readonly (OwnCopy | SealedIndex['copies'][number])[], list: ErasureList | null) =>
      putSigned(
        JSON.stringify({
          format: 1,
          shop_id: shopId,
          recipient: keys.recipient,
          copies: copies.map((copy) => ({
            number: 'listing' in copy ? copy.listing.number : copy.number,
            name: copy.name,
          })),
          erasures: erasureListSummary(list ?? mergeErasures(shopId)),
        } satisfies SealedIndex),
        () => sealedIndexFile,
      ),
  };
}

/**
 * Applies the retention three times: to all backups, to the undamaged ones and to the proven ones. A backup stays if
 * one of the three retains it, so that a worse backup never replaces a better one.
 */
function applyRetention(copies: readonly OwnCopy[], damaged: readonly number[], store: TradingDaySettings): OwnCopy[] {
  const dated = copies.map(({ listing }) => listing);
  const whole = dated.filter(({ number }) => !damaged.includes(number));
  const proven = whole.filter((listing) => listing.is_proven !== false);
  const kept = new Set([dated, whole, proven].flatMap((some) => [...chooseCopyNumbersToRetain(some, store)]));
  return copies.filter(({ listing }) => kept.has(listing.number));
}

function objectsOf(copies: readonly OwnCopy[]): ReadonlySet<string> {
  return new Set(copies.flatMap(({ listing }) => [listing.contents, ...listing.objects]).map(({ name }) => name));
}

/** Removes the listings of old backups, then the objects that no retained backup needs. */
async function removeUnneeded(place: SecondPlace, state: SecondPlaceState, rest: readonly OwnCopy[]): Promise<void> {
  for (const { name } of ownSealedCopies(state)) {
    if (!rest.some((each) => each.name === name)) await place.remove(listingsFolder + name);
  }
  // An unreadable listing may need any object, so none is removed.
  if (state.listings.some(({ listing, isOurs }) => listing === null || !isOurs)) return;
  const needed = objectsOf(rest);
  for (const file of state.sizes.keys()) {
    if (file.startsWith(objectsFolder) && !needed.has(file.slice(objectsFolder.length))) await place.remove(file);
  }
}

/**
 * Throws ConfigError if a backup location has other files, another shop's backups, or backups that an earlier
 * passphrase opens.
 */
export function refuseForeignPlace(
  { sizes, listings, index }: SecondPlaceState,
  { name }: SecondPlace,
  { shopId, recipient }: { shopId: string; recipient: string },
): void {
  const isOther = listings.find(({ listing }) => listing && listing.shop_id !== shopId);
  if (isOther) throw new ConfigError(`${name} has the copies of another shop: name another place.`);
  if (listings.some(({ listing }) => listing && listing.recipient !== recipient))
    throw new ConfigError(`${name} has copies of an earlier passphrase: name another place.`);
  const own = (file: string) =>
    [sealedIndexFile, erasureFile].includes(file) ||
    [listingsFolder, objectsFolder].some((folder) => file.startsWith(folder));
  if (index === null && listings.length === 0 && [...sizes.keys()].some((file) => !own(file) && !file.startsWith('.')))
    throw new ConfigError(`${name} has other things in it: name an empty folder or another prefix.`);
}
