import { m } from '#messages';
import type { ReadWorkerAnswer } from '#menu/web/import/read-file.ts';
import { readSheets } from '#menu/web/import/read-sheets.ts';
import { UnreadableFileError } from '#menu/import/table.ts';

addEventListener('message', ({ data }: MessageEvent<{ bytes: ArrayBuffer; name: string }>) => {
  void read(data.bytes, data.name).then((answer) => postMessage(answer));
});

async function read(bytes: ArrayBuffer, name: string): Promise<ReadWorkerAnswer> {
  try {
    return { readings: await readSheets(new Uint8Array(bytes), name) };
  } catch (error) {
    return { refusal: error instanceof UnreadableFileError ? error.message : m.menu_import_no_table() };
  }
}
