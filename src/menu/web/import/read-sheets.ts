import { m } from '#messages';
import { type Encoding, candidateDecodings, samplesOfReadings, unescapeFormula } from '#menu/web/import/decode-text.ts';
import { interpretSheets, type InterpretedSheets } from '#menu/import/interpret-sheets.ts';
import { UnreadableFileError, type FileSheet } from '#menu/import/table.ts';

/** A reading of a file. A CSV has a reading for each plausible encoding; for other files `encoding` is null. */
export interface FileReading extends InterpretedSheets {
  encoding: Encoding | null;
  /** Texts in which the readings differ. For a single reading: texts that depend on its guessed encoding. */
  samples: string[];
  sheets: FileSheet[];
  hidden: string[];
}
export type FileReadings = [FileReading, ...FileReading[]];

/**
 * Reads a CSV (comma, semicolon or tab) or a workbook. Returns several readings, the likeliest first, if only a person
 * can tell the encoding. Throws UnreadableFileError with a message.
 */
export async function readSheets(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  currency = 'GBP',
): Promise<FileReadings> {
  refuseOtherFormats(bytes, name);
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip && /\.xlsx$/i.test(name)) throw new UnreadableFileError(m.menu_import_no_workbook());
  if (isZip) {
    const { sheets, hidden } = await readWorkbook(bytes);
    return [{ encoding: null, samples: [], sheets, hidden, ...interpretSheets(sheets, hidden, currency) }];
  }
  const [first, ...others] = candidateDecodings(bytes);
  if (first.text.includes('\0')) throw new UnreadableFileError(m.menu_import_no_table());
  const isSure = first.encoding.startsWith('utf-');
  const samples = isSure ? [] : samplesOfReadings([first, ...others]);
  const read = async ({ encoding, text }: typeof first, index: number): Promise<FileReading> => {
    const sheets = [await readCsv(text)];
    return { encoding, samples: samples[index] ?? [], sheets, hidden: [], ...interpretSheets(sheets, [], currency) };
  };
  return [await read(first, 0), ...(await Promise.all(others.map((one, index) => read(one, index + 1))))];
}

/** Refuses files of other office programs with a message that says how to save them. Throws UnreadableFileError. */
function refuseOtherFormats(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 8 * 1024 * 1024));
  const has = (part: string) => text.includes(part);
  // The names in a compound file, the format of Office before 2007, are in UTF-16.
  const hasStream = (part: string) => has([...part].join('\0'));
  if (text.startsWith('\u00D0\u00CF\u0011\u00E0')) {
    if (hasStream('EncryptedPackage')) throw new UnreadableFileError(m.menu_import_locked());
    throw new UnreadableFileError(hasStream('WordDocument') ? m.menu_import_is_document() : m.menu_import_xls());
  }
  if (text.startsWith('{\\rtf')) throw new UnreadableFileError(m.menu_import_is_document());
  // A workbook may embed a text document. It is accepted, although the checks below would find the document's files.
  if (!text.startsWith('PK') || has('xl/workbook')) return;
  const isSheet = has('opendocument.spreadsheet') || (has('.iwa') && /\.numbers$/i.test(name));
  if (isSheet) throw new UnreadableFileError(m.menu_import_other_sheet());
  if (has('.iwa') || has('opendocument.') || has('word/document') || has('ppt/presentation'))
    throw new UnreadableFileError(m.menu_import_is_document());
}

async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<{ sheets: FileSheet[]; hidden: string[] }> {
  const { hidden } = await refuseZipBombs(bytes);
  const { default: readXlsxFile } = await import('read-excel-file/universal');
  const read = async () => {
    try {
      // Numbers stay texts, because parsed numbers would lose the zeros of 007 and 6.50.
      return await readXlsxFile<string>(bytes.buffer, { parseNumber: (text) => text });
    } catch {
      throw new UnreadableFileError(m.menu_import_no_table());
    }
  };
  const sheets = (await read()).map(({ sheet, data }) => ({
    name: sheet,
    cells: data.map((line) => line.map(toText)),
  }));
  const seen = sheets.filter((_, index) => !hidden.has(index));
  return { sheets: seen, hidden: sheets.filter((sheet) => !seen.includes(sheet)).map(({ name }) => name) };
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' ? unescapeFormula(cell) : String(cell);
}

/** The maximum number of cells of a CSV: 5,000 dishes with 80 columns. */
const maxCells = 400_000;
/**
 * The maximum number of rows with unmatched quotation marks. After each such row the rest of the file is parsed again,
 * which takes time.
 */
const maxFaultyRows = 100;

/** Matches a first line that only names the separator for Excel: `sep=;`. */
const separatorLine = /^\uFEFF?"?sep=(.)"?[^\S\n]*(?:\r?\n|$)/i;

/** Reads a CSV. An unclosed quotation mark spoils only its own row. Throws UnreadableFileError with a message. */
async function readCsv(text: string): Promise<FileSheet> {
  const { default: Papa } = await import('papaparse');
  const [line = '', separator] = separatorLine.exec(text) ?? [];
  const cells: string[][] = [];
  const faults = new Set<number>();
  let delimiter = separator;
  let size = 0;
  for (let from = line.length; from < text.length;) {
    const rest = text.slice(from);
    let read = 0;
    let isSpoilt = false;
    Papa.parse<string[]>(rest, {
      skipEmptyLines: false,
      ...(delimiter !== undefined && { delimiter }),
      step({ data, errors, meta }, parser) {
        delimiter ??= meta.delimiter;
        const own = rest.slice(read, meta.cursor);
        const isWhole = isCompleteRow(own, data.length, cells[0]?.length);
        isSpoilt = errors.some(({ code }) => code === 'MissingQuotes' || (code === 'InvalidQuotes' && !isWhole));
        if (isSpoilt) return parser.abort();
        read = meta.cursor;
        size += data.length;
        if (size > maxCells) parser.abort();
        else cells.push(data.map(unescapeFormula));
      },
    });
    if (size > maxCells) throw new UnreadableFileError(m.menu_import_many_cells());
    if (!isSpoilt) break;
    if (faults.size === maxFaultyRows) throw new UnreadableFileError(m.menu_import_many_quotes());
    const end = rest.indexOf('\n', read);
    const spoilt = rest.slice(read, end < 0 ? undefined : end);
    faults.add(cells.length);
    cells.push(
      spoilt
        .replaceAll('"', '')
        .replace(/\r$/, '')
        .split(delimiter ?? ','),
    );
    if (end < 0) break;
    from += end + 1;
  }
  return { name: '', cells, faults: [...faults] };
}

/** Whether a row is complete in spite of an undoubled quotation mark, as in `"12" pizza",9.50`. */
function isCompleteRow(own: string, cells: number, heads: number | undefined): boolean {
  return !/[\r\n]/.test(own.trim()) && cells === heads;
}

/** Limits of a workbook, each several times as large as 5,000 dishes need. */
const workbookLimits = { entries: 500, bytes: 48 * 1024 * 1024, cells: 400_000, rows: 20_000, columns: 200 };

/** An entry of a ZIP archive (APPNOTE 4.3). */
interface Entry {
  name: string;
  method: number;
  packed: number;
  headerAt: number;
}

/**
 * Refuses zip bombs, and workbooks with a cell so far out that the table would fill the memory. Each entry is unpacked
 * and counted, because an archive can lie about its sizes. Returns the indexes of hidden sheets. Throws
 * UnreadableFileError.
 */
async function refuseZipBombs(bytes: Uint8Array<ArrayBuffer>): Promise<{ hidden: ReadonlySet<number> }> {
  const entries = entriesOf(bytes);
  if (entries.length > workbookLimits.entries) throw new UnreadableFileError(m.menu_import_bomb());
  const seen = { bytes: 0, cells: 0 };
  for (const entry of entries) await count(bytes, entry, seen);
  const workbook = entries.find(({ name }) => /^xl\/workbook\.xml$/i.test(name));
  return { hidden: workbook ? await hiddenSheets(bytes, workbook) : new Set() };
}

async function hiddenSheets(bytes: Uint8Array<ArrayBuffer>, entry: Entry): Promise<Set<number>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of unpackEntry(bytes, entry)) chunks.push(chunk);
  const text = await new Blob(chunks).text();
  const tags = text.matchAll(/<(?:\w+:)?sheet(?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))+/g);
  const sheets = [...tags].filter(([tag]) => /\sname\s*=/.test(tag));
  return new Set(sheets.flatMap(([tag], index) => (/\sstate\s*=\s*["'](?:veryH|h)idden/.test(tag) ? index : [])));
}

function entriesOf(bytes: Uint8Array<ArrayBuffer>): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new UnreadableFileError(m.menu_import_no_table());
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50)
      throw new UnreadableFileError(m.menu_import_no_table());
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
  // The end of the last chunk, which may have cut a tag.
  let rest = '';
  for await (const chunk of unpackEntry(bytes, entry)) {
    seen.bytes += chunk.length;
    if (seen.bytes > workbookLimits.bytes) throw new UnreadableFileError(m.menu_import_bomb());
    if (!isSheet) continue;
    const text = rest + decoder.decode(chunk, { stream: true });
    const whole = text.lastIndexOf('<');
    seen.cells += countCells(text.slice(0, whole));
    rest = text.slice(Math.max(whole, 0)).slice(0, 4096);
    if (seen.cells > workbookLimits.cells) throw new UnreadableFileError(m.menu_import_many_cells());
  }
  countCells(rest);
}

/** Counts the cells that begin in the text. Throws UnreadableFileError if a cell or the stated size is too far out. */
function countCells(text: string): number {
  let cells = 0;
  for (const [, tag, attributes = ''] of text.matchAll(/<(?:\w+:)?(c|row|dimension)\s([^>]*)/g)) {
    if (tag === 'c') cells += 1;
    const place = /\br(?:ef)?="(?:[A-Z]+\d+:)?([A-Z]*)(\d+)"/.exec(attributes);
    if (!place) continue;
    const [, letters = '', row = ''] = place;
    if (Number(row) > workbookLimits.rows || columnOf(letters) > workbookLimits.columns)
      throw new UnreadableFileError(m.menu_import_many_cells());
  }
  return cells;
}

function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

async function* unpackEntry(
  bytes: Uint8Array<ArrayBuffer>,
  { method, packed, headerAt }: Entry,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (headerAt + 30 > bytes.length) throw new UnreadableFileError(m.menu_import_no_table());
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
    throw new UnreadableFileError(m.menu_import_no_table());
  } finally {
    await reader.cancel().catch(() => null);
  }
}
