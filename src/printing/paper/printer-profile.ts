/** The forms in which a receipt can be sent. */
export const paperFormats = [
  'escpos',
  'starprnt',
  'star_line',
  'star_raster',
  'epos_xml',
  'webprnt_xml',
  'png',
  'text',
] as const;
export type PaperFormat = (typeof paperFormats)[number];

/** A table of 256 characters that a printer has, by its usual name. */
export type CodePageName =
  /**
   * The common part of cp437, cp850 and cp858, and that of cp1252 and its relatives: enough for a table chosen by
   * looking.
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
  /** The printer's name for it: n of `ESC t n` or `ESC GS t n`. */
  number: number;
}

/** The properties of the printers of a model, for paper of one width. */
export interface PrinterProfile {
  id: string;
  brand: string;
  /** As an owner reads them on the printer. */
  models: string;
  /** The formats that the printer reads; the first is the default. */
  formats: readonly [PaperFormat, ...PaperFormat[]];
  width_mm: 58 | 80;
  /** Printed dots across the paper. */
  dots: number;
  /** Characters of 12 dots in a row. */
  columns: number;
  /** The tables to choose from, the preferred first. Letters in none of them are drawn. */
  code_pages: readonly CodePage[];
  /** It may be in Kanji mode, in which two bytes are one character; every job leaves it. */
  leaves_kanji: boolean;
  cut: 'full' | 'partial' | 'none';
  /** How it beeps: Epson's `ESC ( A`, the `ESC B` of most others, or Star's external device. */
  buzzer: 'epson' | 'generic' | 'star' | 'none';
  drawer: boolean;
  /** It answers when asked for its state, so `printed` can be known. */
  status_back: boolean;
  /** It repeats a job's name once the job is printed (`GS ( H`); others would print the command. */
  names_jobs: boolean;
}
