import { m } from '#messages';
import { type Encoding, readingsOf, samplesOf } from '#menu/web/import/decode-text.ts';
import { unguardFormula } from '#menu/web/import/formula-guard.ts';
import { readCsv } from '#menu/web/import/read-csv.ts';
import { refuseBombs } from '#menu/web/import/refuse-bombs.ts';
import { FileRefused, readTable, type FileTable } from '#menu/import/table.ts';

/** A file by one of its plausible encodings; null for a workbook, which has no other. */
export interface FileReading {
  encoding: Encoding | null;
  /** Where the readings differ; of a single one, what only a guess of the encoding tells. */
  samples: string[];
  table: FileTable;
}
export type FileReadings = [FileReading, ...FileReading[]];

/**
 * Reads a CSV (comma, semicolon or tab) or a workbook. There are several readings, the likeliest first, if only a person can
 * tell which encoding the file has. Throws FileRefused with a message.
 */
export async function readSheets(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<FileReadings> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip && /\.xlsx$/i.test(name)) throw new FileRefused(m.menu_import_no_workbook());
  if (isZip) return [{ encoding: null, samples: [], table: await readWorkbook(bytes) }];
  const [first, ...others] = readingsOf(bytes);
  if (first.text.includes('\0')) throw new FileRefused(m.menu_import_no_table());
  const isSure = first.encoding.startsWith('utf-');
  const samples = isSure ? [] : samplesOf([first, ...others]);
  const read = async ({ encoding, text }: typeof first, index: number): Promise<FileReading> => ({
    encoding,
    samples: samples[index] ?? [],
    table: readTable([await readCsv(text)]),
  });
  return [await read(first, 0), ...(await Promise.all(others.map((one, index) => read(one, index + 1))))];
}

async function readWorkbook(bytes: Uint8Array<ArrayBuffer>): Promise<FileTable> {
  const { hidden } = await refuseBombs(bytes);
  const { default: readXlsxFile } = await import('read-excel-file/universal');
  const read = async () => {
    try {
      // Numbers stay as they are written: 007 and 6.50 are texts in a menu. Formulas are not calculated: their last result counts.
      return await readXlsxFile<string>(bytes.buffer, { parseNumber: (text) => text });
    } catch {
      throw new FileRefused(m.menu_import_no_table());
    }
  };
  const sheets = (await read()).map(({ sheet, data }) => ({
    name: sheet,
    cells: data.map((line) => line.map(toText)),
  }));
  const seen = sheets.filter((_, index) => !hidden.has(index));
  return readTable(
    seen,
    sheets.filter((sheet) => !seen.includes(sheet)).map(({ name }) => name),
  );
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' ? unguardFormula(cell) : String(cell);
}
