import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FileStore } from '#platform/server/files/file-store.ts';

export interface PictureSources {
  files: Pick<FileStore, 'open'>;
  /** The SVG of a picture that the program draws; null: unknown name. */
  drawPicture(name: string): string | null;
}

/**
 * Reads a picture that was uploaded to the shop or that the program draws. Null: it does not exist, cannot be read, or
 * is at another host, from which nothing is fetched.
 */
export async function readShopPicture(
  url: string | null,
  { files, drawPicture }: PictureSources,
): Promise<Buffer | null> {
  if (url?.startsWith('/uploads/')) {
    const file = await files.open(basename(url)).catch(() => null);
    return file && buffer(file.body);
  }
  if (!url?.startsWith('/pictures/')) return null;
  const svg = drawPicture(basename(url).split('.', 1)[0] ?? '');
  return svg === null ? null : Buffer.from(svg);
}
