import { m } from '#messages';
import { type PrinterProfile, tableSigns, testedTables } from '#printing/paper/profiles.ts';
import { banner, blank, centred, fromLeft, rule } from '#printing/receipt/layout.ts';
import { codePage, type Letters, type PreparedRow } from '#printing/server/encode/prepare.ts';
import { type Encoded, type EncodeOptions, encodePaper } from '#printing/server/encode/encode-receipt.ts';
import { readPaper } from '#printing/server/encode/read-paper.ts';

/**
 * A page that shows a printer's abilities: its width, its letters and pictures. For a printer with tables it has £, é
 * and ł in each of them, so that an owner finds the right ones by looking. `name` is the owner's name for the printer.
 */
export async function encodeTestPage(
  name: string,
  profile: PrinterProfile,
  options: EncodeOptions = {},
): Promise<Encoded> {
  const { columns } = profile;
  const digits = Array.from({ length: columns }, (_, index) => String((index + 1) % 10)).join('');
  const source = [
    ...banner(m.printing_test_page(), columns, ['triple', 'double']),
    blank,
    ...centred(name, columns, { size: 'tall', bold: true }),
    ...centred(m.printing_test_page_profile({ profile: `${profile.brand} ${profile.models}` }), columns),
    blank,
    ...fromLeft(m.printing_test_page_width(), columns),
    ...fromLeft(digits, columns),
    rule,
    ...fromLeft(m.printing_test_page_letters(), columns),
    ...fromLeft('£9.50 €5 crème jalapeño Łódź', columns, { size: 'tall', bold: true }),
    ...fromLeft('Ελλάδα Київ 陳大文 محمد', columns, { size: 'tall' }),
    rule,
    ...fromLeft(m.printing_test_page_tables(), columns),
  ].join('\n');
  return encodePaper(readPaper(source, columns), profile, options, tables());
}

/** One row for each table: its number and letter, and the signs as they would be in a table of that kind. */
function tables(): PreparedRow[] {
  const rows: PreparedRow[] = [];
  for (let number = testedTables.from; number <= testedTables.to; number += 1) {
    const pieces = tableSigns.flatMap(({ letter, table, text }, index): Letters[] => {
      const bytes = Array.from(text, (sign) => codePage(table).get(sign) ?? sign.charCodeAt(0));
      const column = index * 8;
      return [
        letters(column, [{ page: null, bytes: [...Buffer.from(`${number}${letter}`)] }], true),
        letters(column + 4, [{ page: number, bytes }], false),
      ];
    });
    rows.push({ kind: 'letters', pieces, height: 1 });
  }
  return rows;
}

function letters(column: number, parts: Letters['parts'], bold: boolean): Letters {
  return { at: column * 12, look: { bold, underlined: false, inverted: false, across: 1, down: 1 }, parts };
}
