import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CopiesIndex, folderNameOfCopy, copyNumberOf, type FoundCopy, Manifest } from '#backup/manifest.ts';
import { syncFolder } from '#database/embedded/cluster.ts';
import { systemErrorCode } from '#database/embedded/process.ts';
import { writePrivateFile } from '#platform/server/secrets/installation-keys.ts';

export const indexFile = 'hatch-backups.json';
export const manifestFile = 'manifest.json';
/** The file with the manifest's hash, in the format of sha256sum. */
export const manifestSumFile = 'manifest.json.sha256';
/** The prefix of the names of backups and files that are being written or removed. */
export const draftPrefix = '.hatch-draft-';

export const copiesFolderIn = (folder: string): string => join(folder, 'copies');
export const folderOfCopy = (folder: string, number: number): string =>
  join(copiesFolderIn(folder), folderNameOfCopy(number));
export const uploadsFolderIn = (folder: string): string => join(folder, 'uploads');

/** Creates a stream that counts and hashes its bytes. */
export function createByteMeter() {
  const hash = createHash('sha256');
  const found = { size: 0, lines: 0, sha256: '' };
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      found.size += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) found.lines += 1;
      done(null, chunk);
    },
    flush(done) {
      found.sha256 = hash.digest('hex');
      done();
    },
  });
  return { stream, found };
}

/** Writes a private file and syncs it to the disk. Returns its size and hash. */
export async function writeStreamDurably(path: string, source: Readable, ...through: Transform[]) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { stream, found } = createByteMeter();
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline([source, ...through, stream, target]);
  return { size: found.size, sha256: found.sha256 };
}

/** Returns the size and hash of a file; null: it does not exist. */
export async function readFileSizeAndHash(path: string): Promise<{ size: number; sha256: string } | null> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return null;
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

export function sha256OfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Lists the names in a folder; a missing folder has none. */
export async function fileNamesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
}

export async function readIndex(folder: string): Promise<CopiesIndex | null> {
  const text = await readFile(join(folder, indexFile), 'utf8').catch(() => 'null');
  return parse((value) => CopiesIndex.parse(value), text);
}

export async function writeIndex(folder: string, index: CopiesIndex): Promise<void> {
  await writePrivateFile(join(folder, indexFile), `${JSON.stringify(index)}\n`);
  await syncFolder(folder);
}

/** Lists the backups in a folder, oldest first: damaged ones as well, but no drafts. */
export async function listCopies(folder: string): Promise<FoundCopy[]> {
  const numbers = (await fileNamesIn(copiesFolderIn(folder))).flatMap((name) => copyNumberOf(name) ?? []);
  return Promise.all(numbers.toSorted((a, b) => a - b).map((number) => readCopy(folder, number)));
}

async function readCopy(folder: string, number: number): Promise<FoundCopy> {
  const own = folderOfCopy(folder, number);
  const text = await readFile(join(own, manifestFile), 'utf8').catch(() => '');
  const sum = await readFile(join(own, manifestSumFile), 'utf8').catch(() => '');
  const manifestSha256 = sha256OfText(text);
  const isWhole = sum === `${manifestSha256}  ${manifestFile}\n`;
  return { number, manifest: isWhole ? parse((value) => Manifest.parse(value), text) : null, manifestSha256 };
}

function parse<T>(read: (value: unknown) => T, text: string): T | null {
  try {
    return read(JSON.parse(text));
  } catch {
    return null;
  }
}
