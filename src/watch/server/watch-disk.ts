import { hostname } from 'node:os';
import { join } from 'node:path';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { m } from '#messages';
import { inTransaction } from '#database/transaction.ts';
import { isLow, type Disk } from '#database/disk.ts';
import { startSweep, type Sweep } from '#platform/server/sweep.ts';
import { type Alert, alertOwner } from '#alerts/server/alert-owner.ts';
import type { WatchServices } from '#watch/server/services.ts';

const every = 60_000;
/** This much more than the limit must be free before the owner is told another time. */
const margin = 1.2;

/**
 * Tells the owner once that the disk of the data folder is nearly full, and again only after space was freed. That the owner
 * was told is stored on that disk, because each instance has its own.
 */
export async function watchDisk(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'mail' | 'now'>,
  disk: Pick<Disk, 'room'>,
): Promise<void> {
  const { config, db } = services;
  const room = await disk.room();
  const note = join(config.dataDir, 'disk-low');
  const isTold = await readFile(note).then(
    () => true,
    () => false,
  );
  if (isTold && !isLow(room, margin)) return rm(note, { force: true });
  if (isTold || !isLow(room)) return;
  await inTransaction(db, (tx) => alertOwner(tx, services, () => diskAlert(room, config.dataDir)));
  await writeFile(note, `${services.now().toISOString()}\n`);
}

/** `room` is in bytes. */
export function diskAlert(room: { free: number; all: number }, folder: string): Alert {
  const host = hostname();
  const sizes = { free: Math.floor(room.free / 1e6), all: Math.round(room.all / 1e9) };
  return {
    kind: 'disk_low',
    store: null,
    subject: m.watch_disk_subject({ host }),
    text: m.watch_disk({ host, ...sizes, folder }),
  };
}

export function startWatchingDisk(
  services: Pick<WatchServices, 'admins' | 'config' | 'db' | 'jobs' | 'log' | 'mail' | 'now'>,
  disk: Pick<Disk, 'room'>,
): Sweep {
  return startSweep({ name: 'disk', every, log: services.log }, () => watchDisk(services, disk));
}
