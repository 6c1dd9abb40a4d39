import { m } from '#messages';
import { refuseBombs } from '#menu/web/import/refuse-bombs.ts';
import { FileRefused, readTable, type FileTable } from '#menu/import/table.ts';

/** A menu of 5,000 dishes has a tenth of it. */
const mostCells = 400_000;

/** Reads a CSV (comma, semicolon or tab; UTF-8 or Windows-1252) or a workbook. Throws FileRefused with a message. */
export async function readSheets(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<FileTable> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isZip && /\.xlsx$/i.test(name)) throw new FileRefused(m.menu_import_no_workbook());
  if (!isZip && bytes.includes(0)) throw new FileRefused(m.menu_import_no_table());
  return readTable(isZip ? await readWorkbook(bytes) : [{ name: '', cells: await readCsv(bytes) }]);
}

async function readWorkbook(bytes: Uint8Array<ArrayBuffer>) {
  await refuseBombs(bytes);
  const { default: readXlsxFile } = await import('read-excel-file/universal');
  try {
    // Numbers stay as they are written: 007 and 6.50 are texts in a menu. Formulas are not calculated: their last result counts.
    const sheets = await readXlsxFile<string>(bytes.buffer, { parseNumber: (text) => text });
    return sheets.map(({ sheet, data }) => ({ name: sheet, cells: data.map((line) => line.map(toText)) }));
  } catch {
    throw new FileRefused(m.menu_import_no_table());
  }
}

async function readCsv(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  const { default: Papa } = await import('papaparse');
  const lines: string[][] = [];
  let cells = 0;
  Papa.parse<string[]>(decode(bytes), {
    skipEmptyLines: false,
    step({ data }, parser) {
      cells += data.length;
      if (cells > mostCells) parser.abort();
      else lines.push(data.map(unguardFormula));
    },
  });
  if (cells > mostCells) throw new FileRefused(m.menu_import_many_cells());
  return lines;
}

/** UTF-8 or, if the bytes are not valid UTF-8, the encoding of spreadsheets on Windows. */
function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === 'string' ? unguardFormula(cell) : String(cell);
}

function unguardFormula(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
