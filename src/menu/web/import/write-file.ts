import { m } from '#messages';
import type { SheetOf } from '#menu/import/export-menu.ts';
import { sheetNames, typeHeader } from '#menu/import/columns.ts';

/** Text that a spreadsheet would read as a formula. An apostrophe before it means "text"; reading removes it. */
const formulaSign = /^[=+\-@\t\r]/;

/** One table, with a column for the kind of each row; UTF-8 with the byte order mark that spreadsheets look for. */
export async function writeCsv(sheets: readonly SheetOf[]): Promise<Blob> {
  const { default: Papa } = await import('papaparse');
  const heads = [...new Set(sheets.flatMap((sheet) => sheet.heads))];
  const lines = sheets.flatMap(({ kind, heads: own, lines: rows }) =>
    rows.map((row) => [kind, ...heads.map((head) => row[own.indexOf(head)] ?? '')].map(guardFormula)),
  );
  const text = Papa.unparse([[typeHeader, ...heads], ...lines], { newline: '\r\n' });
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' });
}

/** A sheet for each kind, and one with explanations. Every cell is text: nothing is calculated, and no zero is lost. */
export async function writeWorkbook(sheets: readonly SheetOf[]): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const text = (value: string) => (value === '' ? null : { value, type: String });
  const bold = (value: string) => ({ value, type: String, fontWeight: 'bold' as const });
  const help = m.menu_import_help().split('\n');
  const written = writeXlsxFile([
    ...sheets.map(({ kind, heads, lines }) => ({
      sheet: sheetNames[kind],
      data: [heads.map(bold), ...lines.map((line) => line.map(text))],
      columns: heads.map((head) => ({ width: head === 'Description' || head === 'ID' ? 40 : 18 })),
      stickyRowsCount: 1,
    })),
    { sheet: sheetNames.help, data: help.map((line) => [text(line)]), columns: [{ width: 100 }] },
  ]);
  return written.toBlob();
}

export function guardFormula(text: string): string {
  // A single minus empties a field, and is not a formula.
  return formulaSign.test(text) && text !== '-' ? `'${text}` : text;
}
