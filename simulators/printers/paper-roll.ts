import { decode, type PrintJobFormat, type PrinterKind } from './decode/decode.ts';
import type { Sheet } from './decode/sheet.ts';
import { drawPaper } from './draw-paper.ts';

/** What came out of a simulated printer, between two cuts. */
export interface Paper {
  at: Date;
  /** The printer's letters, a line for each row; `[picture]` for what was drawn. What cannot be read says why. */
  text: string;
  /** Whether it was printed to its end. */
  isWhole: boolean;
  /** Pulses of the drawer, and sounds of the buzzer. */
  drawer: number;
  buzzer: number;
  /** The paper as an SVG or a PNG; null if it cannot be read. */
  draw(): { type: 'image/svg+xml' | 'image/png'; bytes: Buffer } | null;
}

/** The roll, the cover and the blade of a simulated printer, as somebody in the kitchen handles them. */
export interface PaperRoll {
  papers: readonly Paper[];
  /** When the drawer opened without any paper. */
  openings: readonly Date[];
  paper: 'ok' | 'low' | 'out';
  cover: 'closed' | 'open';
  cutter: 'ok' | 'jammed';
  readonly canPrint: boolean;
  runOutOfPaper(): void;
  runLow(): void;
  refill(): void;
  openCover(): void;
  closeCover(): void;
  /**
   * Prints bytes of one form; a paper that is cut off in the middle is not whole. Bytes that print nothing make no
   * paper.
   */
  print(bytes: Buffer, format: PrintJobFormat, isWhole?: boolean): Promise<void>;
  /** Runs with each paper, and with each change of the roll or the cover. */
  onChange(listener: () => void): void;
}

export function createRoll({ brand, dots }: PrinterKind): PaperRoll {
  const papers: Paper[] = [];
  const openings: Date[] = [];
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const change = (part: Partial<Pick<PaperRoll, 'paper' | 'cover'>>) => {
    Object.assign(roll, part);
    tell();
  };
  const roll: PaperRoll = {
    papers,
    openings,
    paper: 'ok',
    cover: 'closed',
    cutter: 'ok',
    get canPrint() {
      return roll.paper !== 'out' && roll.cover === 'closed' && roll.cutter === 'ok';
    },
    runOutOfPaper: () => change({ paper: 'out' }),
    runLow: () => change({ paper: 'low' }),
    refill: () => change({ paper: 'ok' }),
    openCover: () => change({ cover: 'open' }),
    closeCover: () => change({ cover: 'closed' }),
    async print(bytes, format, isWhole = true) {
      const { isBlank, ...paper } = await readPaper(bytes, format, { brand, dots });
      if (!isBlank) papers.push({ ...paper, at: new Date(), isWhole });
      else if (paper.drawer > 0) openings.push(new Date());
      tell();
    },
    onChange: (listener) => void listeners.push(listener),
  };
  return roll;
}

async function readPaper(
  bytes: Buffer,
  format: PrintJobFormat,
  { brand, dots }: PrinterKind,
): Promise<Omit<Paper, 'at' | 'isWhole'> & { isBlank: boolean }> {
  const unread = { isBlank: false, drawer: 0, buzzer: 0, draw: () => null };
  if (format === 'text') return { ...unread, text: bytes.toString() };
  try {
    const sheet = await decode(bytes, format, { brand, dots }, true);
    return {
      text: textOf(sheet),
      isBlank: sheet.cuts === 0 && textOf(sheet).trim() === '',
      drawer: sheet.drawer,
      buzzer: sheet.buzzer,
      draw: () =>
        format === 'png' ? { type: 'image/png', bytes } : { type: 'image/svg+xml', bytes: drawPaper(sheet, dots) },
    };
  } catch (error) {
    return { ...unread, text: `This cannot be read: ${String(error)}` };
  }
}

function textOf({ rows }: Sheet): string {
  return rows
    .map((row) => (row.kind === 'picture' ? '[picture]' : row.spans.map(({ text }) => text).join(' ')))
    .join('\n');
}
