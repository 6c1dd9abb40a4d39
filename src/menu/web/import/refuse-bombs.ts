import { m } from '#messages';
import { FileRefused } from '#menu/import/table.ts';

/** A menu of 5,000 dishes has a tenth of each of these. */
const most = { entries: 500, bytes: 48 * 1024 * 1024, cells: 400_000, rows: 20_000, columns: 200 };

/** Where the parts of a ZIP archive are (APPNOTE 4.3). */
interface Entry {
  name: string;
  method: number;
  packed: number;
  headerAt: number;
}

/**
 * Refuses a workbook that would be too large once it is unpacked, before it is read: a few kilobytes may become gigabytes, and a
 * single cell in the last row and column makes a table of 17 billion. The parts are unpacked and counted, because what the
 * archive says of their sizes may be wrong. Tells which sheets are hidden, counted from 0. Throws FileRefused.
 */
export async function refuseBombs(bytes: Uint8Array<ArrayBuffer>): Promise<{ hidden: ReadonlySet<number> }> {
  const entries = entriesOf(bytes);
  if (entries.length > most.entries) throw new FileRefused(m.menu_import_bomb());
  const seen = { bytes: 0, cells: 0 };
  for (const entry of entries) await count(bytes, entry, seen);
  const workbook = entries.find(({ name }) => /^xl\/workbook\.xml$/i.test(name));
  return { hidden: workbook ? await hiddenSheets(bytes, workbook) : new Set() };
}

async function hiddenSheets(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Promise<Set<number>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of unpacked(bytes, entry)) chunks.push(chunk);
  const text = await new Blob(chunks).text();
  const tags = text.matchAll(/<(?:\w+:)?sheet(?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))+/g);
  const sheets = [...tags].filter(([tag]) => /\sname\s*=/.test(tag));
  return new Set(sheets.flatMap(([tag], index) => (/\sstate\s*=\s*["'](?:veryH|h)idden/.test(tag) ? index : [])));
}

function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new FileRefused(m.menu_import_no_table());
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50)
      throw new FileRefused(m.menu_import_no_table());
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      headerAt: view.getUint32(at + 42, true),
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}

async function count(
  bytes: Uint8Array<ArrayBuffer>,
  entry: Entry,
  seen: { bytes: number; cells: number },
): Promise<void> {
  const isSheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(entry.name);
  const decoder = new TextDecoder();
  // What a chunk ends within is read again with the next one.
  let rest = '';
  for await (const chunk of unpacked(bytes, entry)) {
    seen.bytes += chunk.length;
    if (seen.bytes > most.bytes) throw new FileRefused(m.menu_import_bomb());
    if (!isSheet) continue;
    const text = rest + decoder.decode(chunk, { stream: true });
    const whole = text.lastIndexOf('<');
    seen.cells += refuseWide(text.slice(0, whole));
    rest = text.slice(Math.max(whole, 0)).slice(0, 4096);
    if (seen.cells > most.cells) throw new FileRefused(m.menu_import_many_cells());
  }
  refuseWide(rest);
}

/** How many cells begin in this text; throws where one of them, or what the sheet says of its size, lies too far out. */
function refuseWide(text: string): number {
  let cells = 0;
  for (const [, tag, attributes = ''] of text.matchAll(/<(?:\w+:)?(c|row|dimension)\s([^>]*)/g)) {
    if (tag === 'c') cells += 1;
    const place = /\br(?:ef)?="(?:[A-Z]+\d+:)?([A-Z]*)(\d+)"/.exec(attributes);
    if (!place) continue;
    const [, letters = '', row = ''] = place;
    if (Number(row) > most.rows || columnOf(letters) > most.columns) throw new FileRefused(m.menu_import_many_cells());
  }
  return cells;
}

function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

async function* unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  { method, packed, headerAt }: Entry,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (headerAt + 30 > bytes.length) throw new FileRefused(m.menu_import_no_table());
  const dataAt = headerAt + 30 + view.getUint16(headerAt + 26, true) + view.getUint16(headerAt + 28, true);
  const own = bytes.subarray(dataAt, dataAt + packed);
  if (method === 0) return yield own;
  const reader = new Blob([own]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    throw new FileRefused(m.menu_import_no_table());
  } finally {
    await reader.cancel().catch(() => null);
  }
}
