import { m } from '#messages';
import type { ReadAnswer } from '#menu/web/import/read-file.ts';
import { readSheets } from '#menu/web/import/read-sheets.ts';
import { FileRefused } from '#menu/import/table.ts';

addEventListener('message', ({ data }: MessageEvent<{ bytes: ArrayBuffer; name: string }>) => {
  void read(data.bytes, data.name).then((answer) => postMessage(answer));
});

async function read(bytes: ArrayBuffer, name: string): Promise<ReadAnswer> {
  try {
    return { readings: await readSheets(new Uint8Array(bytes), name) };
  } catch (error) {
    return { refusal: error instanceof FileRefused ? error.message : m.menu_import_no_table() };
  }
}
