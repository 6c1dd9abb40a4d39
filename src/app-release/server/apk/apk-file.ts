import { open } from 'node:fs/promises';
import { Unreadable } from '#app-release/server/apk/byte-reader.ts';

/** A file that is read in parts: an app may be larger than the memory that one upload should take. */
export interface ApkFile {
  /** Bytes. */
  size: number;
  /** Throws `Unreadable` where the file has fewer. */
  read(offset: number, length: number): Promise<Buffer>;
}

export async function withApkFile<T>(path: string, work: (file: ApkFile) => Promise<T>): Promise<T> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await work({
      size,
      async read(offset, length) {
        if (offset < 0 || length < 0 || offset + length > size) throw new Unreadable(`${length} bytes at ${offset}`);
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await handle.read(bytes, 0, length, offset);
        if (bytesRead !== length) throw new Unreadable(`${length} bytes at ${offset}`);
        return bytes;
      },
    });
  } finally {
    await handle.close();
  }
}

export function apkInMemory(bytes: Buffer): ApkFile {
  return {
    size: bytes.length,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new Unreadable(`${length} bytes`);
      return bytes.subarray(offset, offset + length);
    },
  };
}
