import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file that only the shop's user may read. Put into place when it is on the disk, so that a power cut leaves the
 * whole old file or the whole new one. `isFirst`: throws EEXIST if there is one already.
 */
export async function writePrivately(path: string, text: string, { isFirst = false } = {}): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}.part`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!isFirst) return await rename(draft, path);
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
