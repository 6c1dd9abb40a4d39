import type { ApkFile } from '#app-release/server/apk/apk-file.ts';
import { ByteReader, Unreadable } from '#app-release/server/apk/byte-reader.ts';
import type { ZipArchive } from '#app-release/server/apk/zip-archive.ts';

/** The block before the central directory that holds the signatures ("APK Signature Scheme v2"). */
export interface SigningBlock {
  /** Where it begins. */
  blockAt: number;
  /** The values of its pairs by their id. */
  values: ReadonlyMap<number, Buffer>;
}

const magic = 'APK Sig Block 42';
const mostBlock = 8 * 1024 * 1024;

/** null if the archive has none. Throws `Unreadable` if it is damaged. */
export async function readSigningBlock(file: ApkFile, { directoryAt }: ZipArchive): Promise<SigningBlock | null> {
  if (directoryAt < 32) return null;
  const tail = await file.read(directoryAt - 24, 24);
  if (tail.toString('latin1', 8) !== magic) return null;
  const size = new ByteReader(tail).u64();
  const blockAt = directoryAt - size - 8;
  if (size < 24 || size > mostBlock || blockAt < 0) throw new Unreadable('a signing block of this size');
  const block = new ByteReader(await file.read(blockAt, size + 8));
  if (block.u64() !== size) throw new Unreadable('two sizes of the signing block');
  const pairs = new ByteReader(block.take(size - 24));
  const values = new Map<number, Buffer>();
  while (pairs.left > 0) {
    const pair = new ByteReader(pairs.take(pairs.u64()));
    const id = pair.u32();
    if (values.has(id)) throw new Unreadable('a pair twice');
    values.set(id, pair.take(pair.left));
  }
  return { blockAt, values };
}
