export type PrinterModel = Omit<PrinterProfile, 'width_mm' | 'dots' | 'columns'> & {
  /** The number of printable dots across the paper, by the paper's width in mm. */
  dots: Partial<Record<58 | 80, number>>;
};

const epsonPages = pages({
  cp437: 0,
  cp1252: 16,
  cp858: 19,
  cp852: 18,
  cp866: 17,
  cp737: 14,
  cp857: 13,
  cp1250: 45,
  cp1251: 46,
  cp1253: 47,
});
const starPages = pages({
  cp437: 1,
  cp1252: 32,
  cp858: 4,
  cp852: 5,
  cp866: 10,
  cp737: 15,
  cp857: 12,
  cp1250: 33,
  cp1251: 34,
});
/** The character table numbers of Xprinter, Rongta, Munbyn and unbranded printers. */
const genericPages = pages({ cp437: 0, cp1252: 16, cp858: 19, cp852: 18, cp866: 17 });

const epson = {
  brand: 'Epson',
  formats: ['escpos', 'epos_xml'],
  code_pages: epsonPages,
  leaves_kanji: true,
  cut: 'partial',
  buzzer: 'epson',
  drawer: true,
  status_back: true,
  names_jobs: true,
} as const;
const star = {
  brand: 'Star',
  code_pages: starPages,
  leaves_kanji: false,
  cut: 'partial',
  buzzer: 'star',
  drawer: true,
  status_back: true,
  names_jobs: false,
} as const;
const generic = {
  formats: ['escpos'],
  code_pages: genericPages,
  leaves_kanji: true,
  buzzer: 'generic',
  drawer: true,
  status_back: true,
  names_jobs: false,
} as const;

export const printerModels: readonly PrinterModel[] = [
  { ...epson, id: 'epson-tm-m30', models: 'TM-m30, TM-m30II, TM-m30III, TM-m50', dots: { 80: 576, 58: 384 } },
  { ...epson, id: 'epson-tm-t20', models: 'TM-T20II, TM-T20III, TM-T20IV, TM-T82', dots: { 80: 576, 58: 384 } },
  { ...epson, id: 'epson-tm-t88', models: 'TM-T88IV to TM-T88VII, TM-T70II', dots: { 80: 512, 58: 360 } },
  { ...epson, id: 'epson-tm-m10', models: 'TM-m10, TM-P20', cut: 'none', dots: { 58: 384 } },
  {
    ...star,
    id: 'star-mc-print',
    models: 'mC-Print3, mC-Print2, mC-Label3, TSP143IV (TSP100IV)',
    formats: ['starprnt', 'webprnt_xml', 'png', 'text'],
    dots: { 80: 576, 58: 384 },
  },
  {
    ...star,
    id: 'star-tsp650',
    models: 'TSP654II (TSP650II), TSP700II, TSP800II',
    formats: ['star_line', 'webprnt_xml', 'png', 'text'],
    dots: { 80: 576, 58: 384 },
  },
  {
    ...star,
    id: 'star-tsp100',
    models: 'TSP143III (TSP100III), TSP143II, which print pictures only',
    formats: ['star_raster', 'png'],
    buzzer: 'none',
    dots: { 80: 576, 58: 384 },
  },
  {
    ...generic,
    id: 'citizen',
    brand: 'Citizen',
    models: 'CT-S310II, CT-S601II, CT-E351, CT-S4500',
    code_pages: pages({ cp437: 0, cp1252: 16, cp858: 2, cp852: 6, cp866: 7, cp857: 8 }),
    cut: 'partial',
    dots: { 80: 576, 58: 384 },
  },
  {
    ...generic,
    id: 'bixolon',
    brand: 'Bixolon',
    models: 'SRP-350III, SRP-350V, SRP-Q300, SRP-330II',
    code_pages: pages({ ...numbersOf(genericPages), cp737: 29, cp857: 37, cp1251: 28, cp1253: 24 }),
    cut: 'partial',
    dots: { 80: 512, 58: 384 },
  },
  {
    ...generic,
    id: 'xprinter-80',
    brand: 'Xprinter',
    models: 'XP-80, XP-N160II, XP-Q200, XP-Q800, POS-80',
    cut: 'partial',
    dots: { 80: 576 },
  },
  {
    ...generic,
    id: 'xprinter-58',
    brand: 'Xprinter',
    models: 'XP-58, POS-58, POS-5890',
    cut: 'none',
    dots: { 58: 384 },
  },
  {
    ...generic,
    id: 'rongta-80',
    brand: 'Rongta',
    models: 'RP80, RP326, RP332, RP850',
    cut: 'partial',
    dots: { 80: 576 },
  },
  { ...generic, id: 'munbyn-80', brand: 'Munbyn', models: 'ITPP047, ITPP068, P068', cut: 'partial', dots: { 80: 576 } },
  {
    ...generic,
    id: 'other',
    brand: 'Other printer',
    models: 'Any printer that understands ESC/POS',
    code_pages: pages({ cp437: 0 }),
    cut: 'partial',
    buzzer: 'none',
    status_back: false,
    dots: { 80: 576, 58: 384 },
  },
];

function pages(numbers: Partial<Record<CodePageName, number>>): CodePage[] {
  // `Object.entries` types the keys as `string`, so the cast restores their type.
  return Object.entries(numbers).map(([name, number]) => ({ name: name as CodePageName, number }));
}

function numbersOf(known: readonly CodePage[]): Partial<Record<CodePageName, number>> {
  return Object.fromEntries(known.map(({ name, number }) => [name, number]));
}

export const printerProfiles: readonly PrinterProfile[] = printerModels.flatMap(({ dots, ...model }) =>
  ([80, 58] as const).flatMap((width) => {
    const across = dots[width];
    return across === undefined ? [] : [{ ...model, width_mm: width, dots: across, columns: Math.floor(across / 12) }];
  }),
);

/**
 * The test page prints these characters in every table number and encoding, each beside a name such as `16B`. By that
 * name the owner tells which tables print them right.
 */
export const testPageCharacters = [
  { letter: 'A', table: 'dos', text: '£ é' },
  { letter: 'B', table: 'latin', text: '£ é' },
  { letter: 'C', table: 'cp852', text: 'ł' },
  { letter: 'D', table: 'cp1250', text: 'ł' },
] as const satisfies readonly { letter: string; table: CodePageName; text: string }[];
/** The range of character table numbers on the test page. */
export const testPageTableRange = { from: 0, to: 53 };

export function findPrinterProfile(id: string, widthMm: number): PrinterProfile | null {
  const [model, choices] = id.split(':', 2);
  const own = printerProfiles.filter((profile) => profile.id === model);
  const found = own.find((profile) => profile.width_mm === widthMm) ?? own[0];
  if (!found || choices === undefined) return found ?? null;
  const chosen = choices.split(',').map(chosenTable);
  const known = chosen.filter((page) => page !== null);
  return known.length === chosen.length ? { ...found, id, code_pages: known } : null;
}

/** Finds a character table by its name on the test page (`choice`), such as `16B`; null if no table has that name. */
function chosenTable(choice: string): CodePage | null {
  const [, digits = '', letter = ''] = /^(\d{1,2})([A-D])$/.exec(choice) ?? [];
  const number = Number(digits);
  const sign = testPageCharacters.find((each) => each.letter === letter);
  const isTested = digits !== '' && number >= testPageTableRange.from && number <= testPageTableRange.to;
  return sign && isTested ? { name: sign.table, number } : null;
}

export const printJobFormats = [
  'escpos',
  'starprnt',
  'star_line',
  'star_raster',
  'epos_xml',
  'webprnt_xml',
  'png',
  'text',
] as const;
export type PrintJobFormat = (typeof printJobFormats)[number];

export type CodePageName =
  /**
   * `dos`: the characters that cp437, cp850 and cp858 share. `latin`: the characters that cp1252 and its relatives
   * share. Both are for tables that the owner chose on the test page.
   */
  | 'dos'
  | 'latin'
  | 'cp437'
  | 'cp737'
  | 'cp850'
  | 'cp852'
  | 'cp857'
  | 'cp858'
  | 'cp866'
  | 'cp1250'
  | 'cp1251'
  | 'cp1252'
  | 'cp1253';

export interface CodePage {
  name: CodePageName;
  /** The printer's number for this table: n of `ESC t n` or `ESC GS t n`. */
  number: number;
}

export interface PrinterProfile {
  id: string;
  brand: string;
  models: string;
  /** The formats that the printer reads; the first is the default. */
  formats: readonly [PrintJobFormat, ...PrintJobFormat[]];
  width_mm: 58 | 80;
  dots: number;
  /** The number of characters in a row; a character is 12 dots wide. */
  columns: number;
  /** The character tables of the printer, the preferred one first. Characters in none of them are drawn. */
  code_pages: readonly CodePage[];
  /**
   * Whether the printer may start in Kanji mode, in which two bytes are one character; every job then leaves that mode.
   */
  leaves_kanji: boolean;
  cut: 'full' | 'partial' | 'none';
  /** The command for a beep: Epson's `ESC ( A`, the `ESC B` of most other brands, or Star's external buzzer. */
  buzzer: 'epson' | 'generic' | 'star' | 'none';
  drawer: boolean;
  /** Whether the printer answers status questions, so that `printed` can be confirmed. */
  status_back: boolean;
  /**
   * Whether the printer knows the command `GS ( H`, by which it returns a job's name once the job is printed. Other
   * printers would print the command as text.
   */
  names_jobs: boolean;
}
