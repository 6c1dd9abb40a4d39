import { open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';

/** A file that is read in parts, because a whole app may take more memory than an upload may use. */
export interface ApkFile {
  size: number;
  /** Reads bytes; throws `UnreadableApkError` if the file has fewer. */
  read(offset: number, length: number): Promise<Buffer>;
}

export async function withApkFile<T>(path: string, work: (file: ApkFile) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await work({
      size,
      async read(offset, length) {
        if (offset < 0 || length < 0 || offset + length > size)
          throw new UnreadableApkError(`${length} bytes at ${offset}`);
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await handle.read(bytes, 0, length, offset);
        if (bytesRead !== length) throw new UnreadableApkError(`${length} bytes at ${offset}`);
        return bytes;
      },
    });
  } finally {
    await handle.close();
  }
}

export function apkFileFromBytes(bytes: Buffer): ApkFile {
  return {
    size: bytes.length,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new UnreadableApkError(`${length} bytes`);
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** The error of malformed bytes, such as a wrong count or an offset beyond the end. */
export class UnreadableApkError extends Error {}

/** Reads untrusted little-endian numbers and byte ranges. A read beyond the bytes throws `UnreadableApkError`. */
export class ByteReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.take(1).readUInt8();
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /**
   * Reads a 64-bit number. Throws above 2^53, because JavaScript would round such a number, and no file is so large.
   */
  u64(): number {
    const value = this.take(8).readBigUInt64LE();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new UnreadableApkError('a number of 64 bits');
    return Number(value);
  }

  take(length: number): Buffer {
    if (length < 0 || length > this.left) throw new UnreadableApkError(`${length} bytes at ${this.at}`);
    const part = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return part;
  }

  skip(length: number): void {
    this.take(length);
  }

  /** Reads a block whose first 32 bits are its length. */
  sized(): ByteReader {
    return new ByteReader(this.take(this.u32()));
  }

  /** Reads all remaining blocks, each with its length. */
  parts(): ByteReader[] {
    const parts: ByteReader[] = [];
    while (this.left > 0) parts.push(this.sized());
    return parts;
  }
}

/** A ZIP archive's entries by name, and the positions of its records (APPNOTE 4.3). */
export interface ZipArchive {
  /** The central directory's offset from the file's start, in bytes. */
  directoryAt: number;
  directory: Buffer;
  /** The record "end of central directory", up to the file's end. */
  end: Buffer;
  entries: ReadonlyMap<string, ZipEntry>;
}

interface ZipEntry {
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  headerAt: number;
}

const endSize = 22;
const longestComment = 0xffff;
const maxDirectory = 16 * 1024 * 1024;

/**
 * Finds an archive's entries. Throws `UnreadableApkError` for files that Android refuses: no archive, ZIP64, several
 * disks, bytes after the end, a repeated name, an encrypted entry.
 */
export async function readZip(file: ApkFile): Promise<ZipArchive> {
  const end = await findEnd(file);
  const reader = new ByteReader(end, 4);
  const [disk, directoryDisk, here, total] = [reader.u16(), reader.u16(), reader.u16(), reader.u16()];
  const [size, directoryAt] = [reader.u32(), reader.u32()];
  if (disk !== 0 || directoryDisk !== 0 || here !== total) throw new UnreadableApkError('several disks');
  if (size > maxDirectory || directoryAt === 0xffffffff) throw new UnreadableApkError('a directory of this size');
  if (directoryAt + size !== file.size - end.length) throw new UnreadableApkError('a directory elsewhere');
  const directory = await file.read(directoryAt, size);
  return { directoryAt, directory, end, entries: readDirectory(directory, total, directoryAt) };
}

/** Reads and unpacks an entry of at most `most` bytes. Verifies its sizes and checksum. */
export async function readZipEntry(file: ApkFile, entry: ZipEntry, most: number): Promise<Buffer> {
  if (entry.packed > most || entry.unpacked > most) throw new UnreadableApkError('an entry of this size');
  const header = new ByteReader(await file.read(entry.headerAt, 30));
  if (header.u32() !== 0x04034b50) throw new UnreadableApkError('no entry there');
  header.skip(22);
  const dataAt = entry.headerAt + 30 + header.u16() + header.u16();
  const packed = await file.read(dataAt, entry.packed);
  const bytes = entry.method === 0 ? packed : inflate(packed, most);
  if (bytes.length !== entry.unpacked || crc32(bytes) !== entry.crc) throw new UnreadableApkError('a damaged entry');
  return bytes;
}

function inflate(packed: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch {
    throw new UnreadableApkError('an entry that cannot be unpacked');
  }
}

/**
 * Finds the record "end of central directory", which ends with a comment of variable length. The comment must reach
 * exactly to the file's end.
 */
async function findEnd(file: ApkFile): Promise<Buffer> {
  const length = Math.min(file.size, endSize + longestComment);
  const tail = await file.read(file.size - length, length);
  for (let at = tail.length - endSize; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    if (tail.readUInt16LE(at + 20) === tail.length - at - endSize) return tail.subarray(at);
  }
  throw new UnreadableApkError('no end of an archive');
}

function readDirectory(directory: Buffer, total: number, directoryAt: number): Map<string, ZipEntry> {
  const reader = new ByteReader(directory);
  const entries = new Map<string, ZipEntry>();
  for (let index = 0; index < total; index += 1) {
    if (reader.u32() !== 0x02014b50) throw new UnreadableApkError('no entry in the directory');
    reader.skip(4);
    const [flags, method] = [reader.u16(), reader.u16()];
    reader.skip(4);
    const [crc, packed, unpacked] = [reader.u32(), reader.u32(), reader.u32()];
    const [nameLength, extraLength, commentLength] = [reader.u16(), reader.u16(), reader.u16()];
    reader.skip(8);
    const headerAt = reader.u32();
    const name = reader.take(nameLength).toString('utf8');
    reader.skip(extraLength + commentLength);
    if (flags & 1) throw new UnreadableApkError('an encrypted entry');
    if (method !== 0 && method !== 8) throw new UnreadableApkError('an unknown compression');
    if (headerAt + 30 + packed > directoryAt) throw new UnreadableApkError('an entry outside');
    if (entries.has(name)) throw new UnreadableApkError('a name twice');
    entries.set(name, { method, crc, packed, unpacked, headerAt });
  }
  if (reader.left > 0) throw new UnreadableApkError('more in the directory');
  return entries;
}
