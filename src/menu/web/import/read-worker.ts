import { m } from '#messages';
import type { ReadWorkerAnswer } from '#menu/web/import/read-file.ts';
import { readMenuBytes } from '#menu/web/import/read-menu.ts';
import { UnreadableFileError } from '#menu/import/table.ts';

addEventListener('message', ({ data }: MessageEvent<{ bytes: ArrayBuffer; name: string; currency: string }>) => {
  void read(data.bytes, data.name, data.currency).then((answer) => postMessage(answer));
});

async function read(bytes: ArrayBuffer, name: string, currency: string): Promise<ReadWorkerAnswer> {
  try {
    return { readings: await readMenuBytes(new Uint8Array(bytes), name, currency) };
  } catch (error) {
    return { refusal: error instanceof UnreadableFileError ? error.message : m.menu_import_no_table() };
  }
}
