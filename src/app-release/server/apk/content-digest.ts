import { createHash } from 'node:crypto';
import type { ApkFile } from '#app-release/server/apk/apk-file.ts';
import type { SigningBlock } from '#app-release/server/apk/signing-block.ts';
import type { ZipArchive } from '#app-release/server/apk/zip-archive.ts';

const chunkSize = 1024 * 1024;

/**
 * The digest of everything but the signing block, in chunks of 1 MiB ("APK Signature Scheme v2", integrity-protected
 * contents). The end of the archive counts as if the directory began where the signing block does.
 */
export async function digestContents(
  file: ApkFile,
  { directory, end }: ZipArchive,
  { blockAt }: SigningBlock,
  hash: 'sha256' | 'sha512',
): Promise<Buffer> {
  const moved = Buffer.from(end);
  moved.writeUInt32LE(blockAt, 16);
  const digests: Buffer[] = [];
  const add = (chunk: Buffer) =>
    digests.push(createHash(hash).update(numbered(0xa5, chunk.length)).update(chunk).digest());
  for (let at = 0; at < blockAt; at += chunkSize) add(await file.read(at, Math.min(chunkSize, blockAt - at)));
  for (const part of [directory, moved]) {
    for (let at = 0; at < part.length; at += chunkSize) add(part.subarray(at, at + chunkSize));
  }
  const whole = createHash(hash).update(numbered(0x5a, digests.length));
  for (const digest of digests) whole.update(digest);
  return whole.digest();
}

function numbered(mark: number, count: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(mark);
  bytes.writeUInt32LE(count, 1);
  return bytes;
}
