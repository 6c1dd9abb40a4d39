import type { CodePage, CodePageName, PrinterProfile } from '#printing/paper/printer-profile.ts';

export type Model = Omit<PrinterProfile, 'width_mm' | 'dots' | 'columns'> & {
  /** Dots by the width of the paper in mm. */
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
/** The numbers on which Xprinter, Rongta, Munbyn and the nameless agree. */
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

export const models: readonly Model[] = [
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
  // The keys are those of the record above.
  return Object.entries(numbers).map(([name, number]) => ({ name: name as CodePageName, number }));
}

function numbersOf(known: readonly CodePage[]): Partial<Record<CodePageName, number>> {
  return Object.fromEntries(known.map(({ name, number }) => [name, number]));
}
