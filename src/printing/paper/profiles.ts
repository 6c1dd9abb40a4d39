import { models } from '#printing/paper/models.ts';
import type { CodePage, CodePageName, PrinterProfile } from '#printing/paper/printer-profile.ts';

export const profileIds = models.map(({ id }) => id);

/** Every profile, once for each width of paper that the model takes. */
export const profiles: readonly PrinterProfile[] = models.flatMap(({ dots, ...model }) =>
  ([80, 58] as const).flatMap((width) => {
    const across = dots[width];
    return across === undefined ? [] : [{ ...model, width_mm: width, dots: across, columns: Math.floor(across / 12) }];
  }),
);

/**
 * The signs by which an owner finds a table: the test page prints them in every table, as they are in these ones, under a
 * name such as `16B`.
 */
export const tableSigns = [
  { letter: 'A', table: 'dos', text: '£ é' },
  { letter: 'B', table: 'latin', text: '£ é' },
  { letter: 'C', table: 'cp852', text: 'ł' },
  { letter: 'D', table: 'cp1250', text: 'ł' },
] as const satisfies readonly { letter: string; table: CodePageName; text: string }[];
/** The numbers of tables on the test page. */
export const testedTables = { from: 0, to: 53 };

/**
 * The profile of a model for paper of this width, else for the model's own; null for an unknown id. An id may go on with
 * the tables that its owner chose by looking, instead of the model's: `other:16B,18C`.
 */
export function profileOf(id: string, widthMm: number): PrinterProfile | null {
  const [model, choices] = id.split(':', 2);
  const own = profiles.filter((profile) => profile.id === model);
  const found = own.find((profile) => profile.width_mm === widthMm) ?? own[0];
  if (!found || choices === undefined) return found ?? null;
  const chosen = choices.split(',').map(chosenTable);
  const known = chosen.filter((page) => page !== null);
  return known.length === chosen.length ? { ...found, id, code_pages: known } : null;
}

/** The table of a name on the test page; null if none has it. */
function chosenTable(choice: string): CodePage | null {
  const [, digits = '', letter = ''] = /^(\d{1,2})([A-D])$/.exec(choice) ?? [];
  const number = Number(digits);
  const sign = tableSigns.find((each) => each.letter === letter);
  const isTested = digits !== '' && number >= testedTables.from && number <= testedTables.to;
  return sign && isTested ? { name: sign.table, number } : null;
}
