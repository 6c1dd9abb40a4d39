import { m } from '#messages';
import type { ExportSheet } from '#menu/import/export-menu.ts';
import { sheetNames, typeHeader } from '#menu/import/table.ts';
import { escapeApostrophe, escapeFormula } from '#menu/web/import/decode-text.ts';

/** Matches characters that XML forbids, and texts that look like a workbook's escape of a character: `_x0000_`. */
const unwritable = /(?![\t\n\r])\p{Cc}|[\uFFFD-\uFFFF]|_(?=x[\da-f]{4}_)/giu;

/** Writes one table for dishes and options, in UTF-8 with the byte order mark for Excel. */
export async function writeCsv(sheets: readonly ExportSheet[]): Promise<Blob> {
  const { default: Papa } = await import('papaparse');
  const heads = [...new Set(sheets.flatMap((sheet) => sheet.heads))];
  const lines = sheets.flatMap(({ kind, heads: own, lines: rows }) =>
    rows.map((row) => [kind, ...heads.map((head) => row[own.indexOf(head)] ?? '')].map(escapeFormula)),
  );
  const text = Papa.unparse([[typeHeader, ...heads], ...lines], { newline: '\r\n' });
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' });
}

/** Writes a sheet for dishes, one for options and one for help. All cells are text, so that no zero is lost. */
export async function writeWorkbook(sheets: readonly ExportSheet[]): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal');
  const text = (value: string) => (value === '' ? null : { value: cellText(value), type: String });
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

function cellText(text: string): string {
  return escapeApostrophe(text).replaceAll(
    unwritable,
    (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}
