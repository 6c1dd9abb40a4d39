import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readCopySource } from '#backup/server/copy-source.ts';
import { withBackupLock } from '#backup/server/backup-lock.ts';
import { makeCopy } from '#backup/server/make-copy.ts';
import { measureShop, localCopiesFolder, removeOldCopies, diskSpaceFault } from '#backup/server/own-copies.ts';
import {
  isBucketAddress,
  openSecondPlace,
  type PlaceSettings,
  parsePlaceSettings,
  normalisePlaceAddress,
} from '#backup/server/places/place-settings.ts';
import { unlockSecondPlace, verifySecondPlace } from '#backup/server/sealing/open-place.ts';
import { hasSealedCopies } from '#backup/server/sealing/read-place.ts';
import { restoreSealedCopy } from '#backup/server/sealing/restore-sealed.ts';
import {
  syncAndReadSecondPlace,
  isOnSameDisk,
  createPlaceFolder,
  type SecondPlaceServices,
  readKeysRow,
} from '#backup/server/second-place.ts';
import { sendCopyToPlace } from '#backup/server/send-backup.ts';
import { indexFile } from '#backup/server/copy-layout.ts';
import { nearestExistingFolder, diskSpaceOf } from '#database/health.ts';
import type { Config } from '#config.ts';
import type { Invocation, CommandOutcome, Terminal } from '#hatch/command.ts';
import type { Machine } from '#hatch/machine.ts';
import { byteSizeWords } from '#hatch/shop-status.ts';
import { ConfigError } from '#platform/errors.ts';
import { hatchVersion } from '#versions.ts';

/** The sealed backup location that `--from` names; null: `--from` names a folder of unsealed backups. */
export function findSealedBackupSource(config: Config, from: string): PlaceSettings | null {
  if (isBucketAddress(from)) return parsePlaceSettings(config, from, '--from');
  const folder = resolve(from);
  return hasSealedCopies(folder) ? { address: folder, s3: null } : null;
}

/**
 * The sealed backup location that `--to` names; null: `--to` names a folder for unsealed backups. If the shop has a
 * passphrase, a folder that has no backups yet counts as sealed.
 */
export async function findSealedBackupTarget(machine: Machine, to: string): Promise<PlaceSettings | null> {
  const { config, db } = machine;
  if (isBucketAddress(to)) {
    // Without bucket keys in its environment, the command uses the keys that the office stored.
    const current = config.BACKUP_S3_ENDPOINT === undefined ? await syncAndReadSecondPlace(shopOf(machine)) : null;
    return current?.settings.address === normalisePlaceAddress(to)
      ? current.settings
      : parsePlaceSettings(config, to, '--to');
  }
  const address = resolve(to);
  const isOwnFolder = !relative(config.dataDir, address).startsWith('..');
  if (isOwnFolder || existsSync(join(address, indexFile))) return null;
  if (hasSealedCopies(address)) return { address, s3: null };
  const hasPassphrase = config.BACKUP_PASSPHRASE !== undefined || (await readKeysRow(db)) !== null;
  return hasPassphrase ? { address, s3: null } : null;
}

const shopOf = ({ config, db, now }: Machine): SecondPlaceServices => ({ config, db, now });

/** Throws ConfigError if a backup into the folder would take the disk space that orders need. */
export async function requireDiskSpace({ config: { dataDir }, db }: Machine, folder: string): Promise<void> {
  if (!(await isOnSameDisk(dataDir, await nearestExistingFolder(folder)))) return;
  const found = await stat(folder).catch(() => null);
  // If the path is not a folder, the command that makes the backup reports that.
  if (found && !found.isDirectory()) return;
  const { copy } = await measureShop(db, dataDir, folder);
  const fault = diskSpaceFault(copy, await diskSpaceOf(dataDir));
  if (fault !== null) throw new ConfigError(`${fault}: no copy was made. Free some space, or name another disk.`);
}

/** Makes a backup in the data folder, and sends it to a sealed backup location. */
export async function makeSealedBackup(machine: Machine, settings: PlaceSettings): Promise<CommandOutcome> {
  const { address } = settings;
  const folder = localCopiesFolder(machine.config.dataDir);
  await requireDiskSpace(machine, folder);
  if (!isBucketAddress(address)) await createPlaceFolder(address);
  const source = await readCopySource(machine, hatchVersion);
  const { number } = await makeCopy(source, folder);
  const shop = { ...shopOf(machine), database: source.database };
  const { objects, ...sent } = await sendCopyToPlace(shop, settings, { folder, number, isProven: false });
  // A running nightly backup holds the lock `night` and may need an old backup. The removal here is then skipped,
  // because the nightly backup removes old backups at its end.
  await withBackupLock(source.database, 'night', () => removeOldCopies(shop, folder));
  return {
    answer: { ...sent, place: address, files: objects.size },
    isBad: sent.damaged.length > 0,
    lines: [
      `Copy ${sent.number} is in ${address}, sealed, and was read back. It took ${byteSizeWords(sent.bytes)} more. There ${sent.copies === 1 ? 'is one copy' : `are ${sent.copies} copies`} now.`,
      ...sent.damaged.map((each) => `Copy ${each}, an earlier one, lacks files there.`),
    ],
  };
}

export async function verifySealedBackups(
  config: Config,
  settings: PlaceSettings,
  { terminal, shopId }: { terminal: Terminal; shopId: string | null },
) {
  return verifySecondPlace(
    await unlockSecondPlace(openSecondPlace(settings), () => askPassphrase(config, terminal)),
    shopId,
  );
}

export function restoreFromSealedBackup(
  config: Config,
  settings: PlaceSettings,
  order: Parameters<typeof restoreSealedCopy>[0],
  { terminal }: Pick<Invocation, 'terminal'>,
) {
  return restoreSealedCopy(order, openSecondPlace(settings), () => askPassphrase(config, terminal));
}

function askPassphrase({ BACKUP_PASSPHRASE: set }: Config, terminal: Terminal): Promise<string> {
  return set === undefined ? terminal.askSecretly('Passphrase of the backups: ') : Promise.resolve(set);
}
