import { execFileSync } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { makeCopy, type CopySource } from '#backup/server/make-copy.ts';
import { verifyCopies } from '#backup/server/verify-copies.ts';

/**
 * The input of a damage action: the folder to damage, and other data that damages use. `draw` returns a random number
 * from 0 to 1.
 */
export interface DamageTarget {
  /** An intact folder of the shop's backups, which the action damages. */
  folder: string;
  /** A folder with backups of another shop. */
  others: string;
  /** An earlier version of the erasure list. */
  older: string;
  /** The source from which another backup of the shop is made. */
  source: CopySource;
  draw(): number;
}

/** Damages a folder. Resolves to a description of the damage; null: the folder has nothing to damage in this way. */
export type DamageAction<World> = (world: World) => Promise<string | null>;

/** Kinds of damage to a single file, which can happen in any folder of backups. */
export const fileDamages: Record<string, DamageAction<Pick<DamageTarget, 'folder' | 'draw'>>> = {
  'bit flip': onFile(async (path, draw) => flip(path, draw)),
  'eight bytes of zero': onFile(async (path, draw) => {
    const { size } = await stat(path);
    const before = await readFile(path);
    const at = Math.floor(draw() * Math.max(1, size - 8));
    const after = Buffer.from(before).fill(0, at, at + 8);
    if (after.equals(before)) return false;
    await writeFile(path, after);
    return true;
  }),
  truncation: onFile(async (path, draw) => {
    const { size } = await stat(path);
    if (size === 0) return false;
    await truncate(path, Math.floor(draw() * size));
    return true;
  }),
  'added bytes': onFile(async (path) => {
    await appendFile(path, 'more');
    return true;
  }),
  'missing file': onFile(async (path) => {
    await rm(path);
    return true;
  }),
};

export const damageKinds: Record<string, DamageAction<DamageTarget>> = {
  ...fileDamages,
  'missing copy': async ({ folder, draw }) => {
    // Only the loss of the newest backup is damage, because retention may have removed any other backup.
    const [, ...copies] = (await readdir(join(folder, 'copies'))).toSorted();
    const gone = drawOne(copies, draw);
    await rm(join(folder, 'copies', gone), { recursive: true });
    return copies.at(-1) === gone ? gone : null;
  },
  'file swapped with an older one': async ({ folder, draw }) => {
    const [older = '', newer = ''] = drawTwo((await readdir(join(folder, 'copies'))).toSorted(), draw);
    const path = drawOne(await listFilesIn(join(folder, 'copies', newer)), draw);
    return overwriteFile(join(folder, 'copies', older, path), join(folder, 'copies', newer, path));
  },
  'copy swapped with an older one': async ({ folder, draw }) => {
    const [older = '', newer = ''] = drawTwo((await readdir(join(folder, 'copies'))).toSorted(), draw);
    await rm(join(folder, 'copies', newer), { recursive: true });
    await cp(join(folder, 'copies', older), join(folder, 'copies', newer), { recursive: true });
    return `${newer} is ${older}`;
  },
  'two copies in each other’s place': async ({ folder, draw }) => {
    const [one = '', two = ''] = drawTwo((await readdir(join(folder, 'copies'))).toSorted(), draw);
    const place = (name: string) => join(folder, 'copies', name);
    await rename(place(one), place('.moved'));
    await rename(place(two), place(one));
    await rename(place('.moved'), place(two));
    return `${one} and ${two}`;
  },
  'file of another shop': async ({ folder, others, draw }) => {
    const copy = drawOne((await readdir(join(folder, 'copies'))).toSorted(), draw);
    const path = drawOne(await listFilesIn(join(folder, 'copies', copy)), draw);
    return overwriteFile(join(others, 'copies', copy, path), join(folder, 'copies', copy, path));
  },
  'copy of another shop': async ({ folder, others, draw }) => {
    const copy = drawOne((await readdir(join(folder, 'copies'))).toSorted(), draw);
    await rm(join(folder, 'copies', copy), { recursive: true });
    await cp(join(others, 'copies', copy), join(folder, 'copies', copy), { recursive: true });
    return copy;
  },
  'folder of another shop': async ({ folder, others }) => {
    await rm(folder, { recursive: true });
    await cp(others, folder, { recursive: true });
    return 'all of it';
  },
  'index of another shop': async ({ folder, others }) =>
    overwriteFile(join(others, 'hatch-backups.json'), join(folder, 'hatch-backups.json')),
  'erasures of another shop': async ({ folder, others }) =>
    overwriteFile(join(others, 'erasures.json'), join(folder, 'erasures.json')),
  'older erasures': async ({ folder, older }) => {
    await writeFile(join(folder, 'erasures.json'), older);
    return 'the first of two';
  },
  'missing erasures': async ({ folder }) => {
    await rm(join(folder, 'erasures.json'));
    return 'all of them';
  },
  'unknown file in a copy': async ({ folder, draw }) => {
    const copy = drawOne((await readdir(join(folder, 'copies'))).toSorted(), draw);
    await writeFile(join(folder, 'copies', copy, 'tables', 'more.copy.gz'), '');
    return copy;
  },
};

/** Whether verification with the shop's id finds the damage. */
export async function isDamageFound({ folder, source }: DamageTarget): Promise<boolean> {
  return verifyCopies(folder, source.shop_id).then(
    ({ damages }) => damages.length > 0,
    () => true,
  );
}

/**
 * Makes a backup on a disk that becomes full. Returns whether the backup failed and the earlier backups stayed intact.
 */
export async function fillWhileCopying({ folder, source, draw }: DamageTarget): Promise<boolean> {
  const [copy = ''] = await readdir(join(folder, 'copies'));
  const room = Math.floor(draw() * 0.9 * (await pagesOf(join(folder, 'copies', copy))));
  return onSmallDisk(folder, room, async (disk) => {
    const before = (await readdir(join(disk, 'copies'))).filter((name) => !name.startsWith('.'));
    const wasRefused = await failsWithDiskFull(makeCopy(source, disk));
    const after = (await readdir(join(disk, 'copies'))).filter((name) => !name.startsWith('.'));
    const { damages } = await verifyCopies(disk, source.shop_id);
    return wasRefused && damages.length === 0 && after.join() === before.join();
  });
}

export const failsWithDiskFull = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => String(error).includes('is full'),
  );

/** Copies a folder to a RAM disk on which `room` pages of 4 KB stay free. Only root can create the disk. */
export async function onSmallDisk<T>(folder: string, room: number, work: (disk: string) => Promise<T>): Promise<T> {
  const disk = `${folder}-disk`;
  await mkdir(disk);
  const size = (await pagesOf(folder)) + room;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size * 4}k`, 'hatch-soak', disk]);
  try {
    await cp(folder, disk, { recursive: true });
    return await work(disk);
  } finally {
    execFileSync('umount', ['--lazy', disk]);
    await rm(disk, { recursive: true, force: true });
  }
}

/** The number of 4 KB pages that the files occupy on a RAM disk. */
async function pagesOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await listFilesIn(folder)).map((path) => stat(join(folder, path))));
  return sizes.reduce((sum, { size }) => sum + Math.ceil(size / 4096), 0);
}

function onFile(
  change: (path: string, draw: () => number) => Promise<boolean>,
): DamageAction<Pick<DamageTarget, 'folder' | 'draw'>> {
  return async ({ folder, draw }) => {
    const path = drawOne(await listFilesIn(folder), draw);
    return (await change(join(folder, path), draw)) ? path : null;
  };
}

async function flip(path: string, draw: () => number): Promise<boolean> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    if (size === 0) return false;
    const at = Math.floor(draw() * size);
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, at);
    await file.write(Buffer.of((byte[0] ?? 0) ^ (1 << Math.floor(draw() * 8))), 0, 1, at);
    return true;
  } finally {
    await file.close();
  }
}

/** Overwrites the file `target` with the file `from`, and returns `target`; null: both are equal, or one is missing. */
export async function overwriteFile(from: string, target: string): Promise<string | null> {
  const [one, two] = await Promise.all([from, target].map((path) => readFile(path).catch(() => null)));
  if (!one || !two || one.equals(two)) return null;
  await writeFile(target, one);
  return target;
}

export async function listFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

export function drawOne<T>(all: readonly T[], draw: () => number): T {
  const found = all[Math.floor(draw() * all.length)];
  if (found === undefined) throw new Error('there is nothing to choose from');
  return found;
}

/** Draws two entries, in their original order. */
export function drawTwo<T>(all: readonly T[], draw: () => number): T[] {
  const first = Math.floor(draw() * (all.length - 1));
  const second = first + 1 + Math.floor(draw() * (all.length - first - 1));
  return [all[first], all[second]].filter((each): each is T => each !== undefined);
}
