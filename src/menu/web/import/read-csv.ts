import { m } from '#messages';
import { unguardFormula } from '#menu/web/import/formula-guard.ts';
import { FileRefused, type Sheet } from '#menu/import/table.ts';

/** A menu of 5,000 dishes has a tenth of it. */
const mostCells = 400_000;
/** Rows whose quotation marks do not match; each makes the rest of the file be read again. */
const mostFaults = 100;

/** A first line that tells Excel the separator; Excel does not count it as a row. */
const separatorLine = /^\uFEFF?"?sep=(.)"?[^\S\n]*(?:\r?\n|$)/i;

/**
 * Reads a CSV with commas, semicolons or tabs. A quotation mark that is never closed spoils its own row: the next line is the
 * next row. Throws FileRefused with a message.
 */
export async function readCsv(text: string): Promise<Sheet> {
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
        const isWhole = isRecovered(own, data.length, cells[0]?.length);
        isSpoilt = errors.some(({ code }) => code === 'MissingQuotes' || (code === 'InvalidQuotes' && !isWhole));
        if (isSpoilt) return parser.abort();
        read = meta.cursor;
        size += data.length;
        if (size > mostCells) parser.abort();
        else cells.push(data.map(unguardFormula));
      },
    });
    if (size > mostCells) throw new FileRefused(m.menu_import_many_cells());
    if (!isSpoilt) break;
    if (faults.size === mostFaults) throw new FileRefused(m.menu_import_many_quotes());
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
  return { name: '', cells, faults };
}

/** Whether a row is whole although a quotation mark in it should be doubled, as in `"12" pizza",9.50`. */
function isRecovered(own: string, cells: number, heads: number | undefined): boolean {
  return !/[\r\n]/.test(own.trim()) && cells === heads;
}
