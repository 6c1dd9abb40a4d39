import { type Table, upperHalves } from './tables.ts';

/** What came out of a printer. */
export interface Sheet {
  rows: SheetRow[];
  cuts: number;
  /** Pulses of the drawer. */
  drawer: number;
  /** Times the buzzer was told to sound. */
  buzzer: number;
  /** How often each command was sent, by its name in the manual. */
  commands: Record<string, number>;
}

export type SheetRow =
  | { kind: 'text'; spans: Span[]; height: number }
  /** `ink` has a byte for each dot, row by row: 1 for black. */
  | { kind: 'picture'; width: number; height: number; ink: Uint8Array };

/** Letters of one look. */
export interface Span extends SpanLook {
  /** Dots from the left. */
  x: number;
  text: string;
}

export interface SpanLook {
  bold: boolean;
  underlined: boolean;
  inverted: boolean;
  across: number;
  down: number;
}

export const cellWidth = 12;
export const cellHeight = 24;

/** Reads bytes one after the other; the end of the bytes inside a command is an error. */
export class Bytes {
  #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  next(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new Error(`The bytes end inside a command (${this.at}).`);
    this.at += 1;
    return byte;
  }

  /** Two bytes, the lower first. */
  word(): number {
    return this.next() + this.next() * 256;
  }

  take(count: number): Uint8Array {
    const end = this.at + count;
    if (end > this.#bytes.length) throw new Error(`${count} bytes were announced at ${this.at} and are not there.`);
    this.at = end;
    return this.#bytes.subarray(end - count, end);
  }

  /** Throws when the next byte is not one of these. */
  oneOf(command: string, allowed: readonly number[]): number {
    const byte = this.next();
    if (!allowed.includes(byte)) throw new Error(`${command} ${byte} at ${this.at - 1} is not allowed`);
    return byte;
  }
}

/** A paper of `dots` across that is being printed. Letters beyond its edge are an error. */
export class Press {
  readonly #sheet: Sheet = { rows: [], cuts: 0, drawer: 0, buzzer: 0, commands: {} };
  look: SpanLook = { bold: false, underlined: false, inverted: false, across: 1, down: 1 };
  table: Table | 'ascii' | null = null;
  x = 0;
  /** Dots that a line feed moves at least. */
  spacing = 30;
  #spans: Span[] = [];
  /** Bands of the picture that is being printed, each as wide as the first. */
  #bands: { width: number; ink: Uint8Array }[] = [];
  #dots: number;
  /** Prints what a test page has on purpose: tables that the printer lacks, and places that a table leaves free. */
  #isForgiving: boolean;

  constructor(dots: number, isForgiving = false) {
    this.#dots = dots;
    this.#isForgiving = isForgiving;
  }

  /** A table by its number, of those that the printer has. */
  choose(tables: Record<number, Table>, number: number): void {
    const table = tables[number] ?? (this.#isForgiving ? 'ascii' : null);
    if (table === null) throw new Error(`The table ${number} is not in the printer's manual.`);
    this.table = table;
  }

  /** What has been printed; letters that no line feed followed are an error. */
  get sheet(): Sheet {
    if (this.#spans.length > 0) throw new Error('The last row was not printed.');
    this.#endPicture();
    return this.#sheet;
  }

  count(command: string): void {
    this.#sheet.commands[command] = (this.#sheet.commands[command] ?? 0) + 1;
  }

  openDrawer(): void {
    this.#sheet.drawer += 1;
  }

  sound(): void {
    this.#sheet.buzzer += 1;
  }

  letter(byte: number): void {
    const text = byte < 128 ? String.fromCharCode(byte) : this.#upper(byte);
    if (this.x + cellWidth * this.look.across > this.#dots) throw new Error(`"${text}" is beyond the paper's edge`);
    const last = this.#spans.at(-1);
    const end = last ? last.x + last.text.length * cellWidth * last.across : -1;
    if (last && end === this.x && isSameLook(last, this.look)) last.text += text;
    else this.#spans.push({ ...this.look, x: this.x, text });
    this.x += cellWidth * this.look.across;
  }

  lineFeed(): void {
    const height = Math.max(this.spacing, ...this.#spans.map(({ down }) => down * cellHeight));
    this.#endPicture();
    this.#sheet.rows.push({ kind: 'text', spans: this.#spans, height });
    this.#spans = [];
    this.x = 0;
  }

  /** A picture below the row, which must be empty. */
  picture(bits: Uint8Array, bytesAcross: number, height: number): void {
    if (this.#spans.length > 0) throw new Error('A picture begins in a row that has letters.');
    if (bytesAcross * 8 > this.#dots + 7) throw new Error(`A picture of ${bytesAcross} bytes is wider than the paper.`);
    const width = bytesAcross * 8;
    const ink = Uint8Array.from({ length: width * height }, (_, dot) => {
      const x = dot % width;
      const byte = bits[Math.floor(dot / width) * bytesAcross + Math.floor(x / 8)] ?? 0;
      return (byte >> (7 - (x % 8))) & 1;
    });
    if (this.#bands[0] && this.#bands[0].width !== width) this.#endPicture();
    this.#bands.push({ width, ink });
  }

  cut(): void {
    this.#endPicture();
    this.#sheet.cuts += 1;
  }

  #endPicture(): void {
    const [first] = this.#bands;
    if (!first) return;
    const ink = Uint8Array.from(Buffer.concat(this.#bands.map((each) => each.ink)));
    this.#sheet.rows.push({ kind: 'picture', width: first.width, height: ink.length / first.width, ink });
    this.#bands = [];
  }

  #upper(byte: number): string {
    if (this.table === null) throw new Error(`The byte ${byte} comes before a table was chosen.`);
    const text = this.table === 'ascii' ? '?' : (upperHalves[this.table][byte - 128] ?? '\ufffd');
    if (text === '\ufffd' && this.#isForgiving) return '?';
    if (text === '\ufffd') throw new Error(`The byte ${byte} is free in ${this.table}.`);
    return text;
  }
}

function isSameLook(one: SpanLook, other: SpanLook): boolean {
  return (
    one.bold === other.bold &&
    one.underlined === other.underlined &&
    one.inverted === other.inverted &&
    one.across === other.across &&
    one.down === other.down
  );
}
