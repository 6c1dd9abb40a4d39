import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listCopies } from '#backup/server/copy-layout.ts';
import { ownFilesOfCopy } from '#backup/server/make-copy.ts';
import { openFolderPlace } from '#backup/server/places/folder-place.ts';
import type { SecondPlace } from '#backup/server/places/place.ts';
import { openS3Place } from '#backup/server/places/s3-place.ts';
import type { SealedObject } from '#backup/sealed.ts';
import { makeSealingKeys, type SealingKeys } from '#backup/server/sealing/key-pair.ts';
import { unlockSecondPlace, verifySecondPlace } from '#backup/server/sealing/open-place.ts';
import { sendCopy } from '#backup/server/sealing/send-copy.ts';
import { startTestBucket, type TestBucket } from '#platform/testing/bucket.ts';
import {
  type DamageAction,
  drawTwo,
  fileDamages,
  failsWithDiskFull,
  drawOne,
  onSmallDisk,
  overwriteFile,
} from './damages.ts';

const passphrase = 'seven cold chips on a plate';
/** The low scrypt cost saves time, because the test tries a thousand passphrases. */
const workFactor = 4;
const store = { timezone: 'Europe/London', day_starts_at: '05:00' };

/** A shop's backup folder, its sealing keys, and the objects that it has stored in each second backup location. */
export interface Sealer {
  /** The shop's folder of backups. */
  copies: string;
  keys: SealingKeys;
  /** The objects of each backup location, as in the shop's database. */
  known: Map<string, Map<string, SealedObject>>;
}

export async function openSealer(copies: string): Promise<Sealer> {
  return { copies, keys: await makeSealingKeys(passphrase, workFactor), known: new Map() };
}

export async function sendSealedCopy({ copies: folder, keys, known: all }: Sealer, place: SecondPlace, number: number) {
  const known = all.get(place.name) ?? new Map<string, SealedObject>();
  all.set(place.name, known);
  const remember = async (sha256: string, object: SealedObject) => void known.set(sha256, object);
  return sendCopy({
    folder,
    number,
    place,
    keys,
    known,
    remember,
    secretsKey: undefined,
    store,
    lastNumber: null,
    isProven: true,
    erasures: async () => [],
  });
}

export async function sendThreeSealedCopies(sealer: Sealer, folder: string): Promise<void> {
  await mkdir(folder);
  for (const number of [1, 2, 3]) await sendSealedCopy(sealer, openFolderPlace(folder), number);
}

export interface SealedWorld {
  /** An intact second backup location of the shop, which the action damages. */
  folder: string;
  /** The second backup location of another shop with the same passphrase. */
  others: string;
  /** The passphrase as the person types it. */
  typed: string;
  draw(): number;
}

const draw = async (folder: string, from: () => number) => drawOne((await readdir(folder)).toSorted(), from);

export const sealedKinds: Record<string, DamageAction<SealedWorld>> = {
  ...fileDamages,
  'lost list of a copy': async ({ folder, draw: from }) => {
    const name = await draw(join(folder, 'copies'), from);
    await rm(join(folder, 'copies', name));
    return name;
  },
  'file swapped with another one': async ({ folder, draw: from }) => {
    const part = join(folder, from() < 0.8 ? 'objects' : 'copies');
    const [older = '', newer = ''] = drawTwo((await readdir(part)).toSorted(), from);
    return overwriteFile(join(part, older), join(part, newer));
  },
  'file of another shop': async ({ folder, others, draw: from }) => {
    const part = from() < 0.8 ? 'objects' : 'copies';
    const theirs = join(others, part, await draw(join(others, part), from));
    return overwriteFile(theirs, join(folder, part, await draw(join(folder, part), from)));
  },
  'index of another shop': async ({ folder, others }) =>
    overwriteFile(join(others, 'hatch-sealed.json'), join(folder, 'hatch-sealed.json')),
  'place of another shop': async (world) => {
    world.folder = world.others;
    return 'all of it';
  },
  'wrong passphrase': async (world) => {
    const at = Math.floor(world.draw() * passphrase.length);
    world.typed = passphrase.slice(0, at) + passphrase.slice(at + 1);
    return world.typed;
  },
};

export const sealedWorld = (folder: string, others: string, from: () => number): SealedWorld => ({
  folder,
  others,
  typed: passphrase,
  draw: from,
});

/** Whether verification with the recovery sheet's key mark finds the damage. */
export async function isSealedDamageFound({ folder, typed }: SealedWorld, mark: string): Promise<boolean> {
  try {
    const opened = await unlockSecondPlace(openFolderPlace(folder), async () => typed);
    const { damages, key_mark: found } = await verifySecondPlace(opened);
    return damages.length > 0 || found !== mark;
  } catch {
    return true;
  }
}

/**
 * Encrypts a backup into a location whose disk becomes full. Returns whether the backup failed and the earlier backups
 * stayed intact.
 */
export async function fillDiskWhileSealing(sealer: Sealer, folder: string, draw: () => number): Promise<boolean> {
  const { manifest } = (await listCopies(sealer.copies)).find(({ number }) => number === 3) ?? {};
  // Files with equal content are sealed once.
  const files = manifest ? [...ownFilesOfCopy(manifest), ...manifest.uploads] : [];
  const pages = new Map(files.map(({ sha256, size }) => [sha256, Math.ceil(size / 4096)]));
  const room = Math.floor(draw() * 0.9 * [...pages.values()].reduce((sum, each) => sum + each, 0));
  return onSmallDisk(folder, room, async (disk) => {
    const place = openFolderPlace(disk);
    const numbers = async () => {
      const { copies, damages } = await verifySecondPlace(await unlockSecondPlace(place, async () => passphrase));
      return [...copies.map(({ number }) => number), ...damages.map(({ words }) => words)].join();
    };
    const before = await numbers();
    const wasRefused = await failsWithDiskFull(sendSealedCopy(sealer, place, 3));
    sealer.known.delete(disk);
    return wasRefused && (await numbers()) === before;
  });
}

/** Opens a bucket that contains two backups, and that later loses some acknowledged objects. */
export async function openLossyBucket(sealer: Sealer) {
  const bucket = await startTestBucket('copies');
  const place = openS3Place({
    endpoint: bucket.environment['S3_ENDPOINT'] ?? '',
    bucket: 'copies',
    prefix: 'kitchen',
    region: 'eu-west-2',
    accessKeyId: bucket.environment['S3_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: bucket.environment['S3_SECRET_ACCESS_KEY'] ?? '',
    timeoutMs: 30_000,
  });
  for (const number of [1, 2]) await sendSealedCopy(sealer, place, number);
  const before = { files: new Map(bucket.files), known: new Map(sealer.known.get(place.name)) };
  return {
    close: bucket.close,
    /** Sends the third backup. Resolves to the lost objects, and whether the loss was found; null: none was lost. */
    async lose(from: () => number): Promise<{ damage: string; isFound: boolean } | null> {
      refill(bucket, before.files);
      sealer.known.set(place.name, new Map(before.known));
      bucket.calls.length = 0;
      bucket.forgets = forgotten(from);
      bucket.mood = 'forgetful';
      const wasRefused = await sendSealedCopy(sealer, place, 3).then(
        () => false,
        (error: unknown) => String(error).includes('did not store what it was given'),
      );
      bucket.mood = 'fine';
      if (!bucket.calls.some((call) => call.startsWith('PUT') && call.includes(bucket.forgets))) return null;
      const { damages } = await verifySecondPlace(await unlockSecondPlace(place, async () => passphrase));
      return { damage: bucket.forgets, isFound: wasRefused && damages.length === 0 };
    },
  };
}

function refill(bucket: TestBucket, files: TestBucket['files']): void {
  bucket.files.clear();
  for (const [path, file] of files) bucket.files.set(path, file);
}

function forgotten(from: () => number): string {
  const kind = drawOne(['objects/', 'copies/', 'hatch-sealed.json'], from);
  return kind === 'objects/' ? kind + Math.floor(from() * 16).toString(16) : kind;
}
