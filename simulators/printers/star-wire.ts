import type { PrintJobFormat } from './decode/decode.ts';
import type { PaperRoll } from './paper-roll.ts';
import { startTcpPrinter, type TcpOptions, type TcpPrinter, type Wire } from './tcp-printer.ts';

/** A Star printer at a port of its own, after "StarPRNT Command Specifications" 2.25. */
export function startStarTcpPrinter(
  options: Partial<TcpOptions> & { format?: Extract<PrintJobFormat, 'starprnt' | 'star_line' | 'star_raster'> } = {},
): Promise<TcpPrinter> {
  const { format = 'starprnt', ...rest } = options;
  return startTcpPrinter({ ...wire(), format }, { brand: 'Star', dots: 576, ...rest });
}

const [ff, esc, gs, rs, ack, etx, em] = [0x0c, 0x1b, 0x1d, 0x1e, 0x06, 0x03, 0x19];
const name = (letter: string) => letter.charCodeAt(0);

const escLengths: Record<number, number> = {
  ...Object.fromEntries(Array.from('@0EF45', (letter) => [name(letter), 2])),
  ...Object.fromEntries(Array.from('R -adlQ', (letter) => [name(letter), 3])),
  [rs]: 4,
  [ack]: 3,
  [ff]: 3,
  [name('i')]: 4,
  [name('s')]: 4,
};
const gsLengths: Record<number, number> = {
  [etx]: 6,
  [em]: 7,
  [name('a')]: 4,
  [name('A')]: 5,
  [name('R')]: 5,
  [name('t')]: 4,
};

function wire(): Omit<Wire, 'format'> {
  let counter = 0;
  let isRaster = false;
  return {
    lengthAt(bytes, at) {
      const length = neededAt(bytes, at, isRaster);
      return length !== null && bytes.length - at >= length ? length : null;
    },
    meaningOf(command) {
      const [first, second, third, fourth] = command;
      if (first !== esc) return null;
      if (second === ack) return 'nothing';
      if (second === rs && third === name('a')) return fourth === 0 ? 'nothing' : 'automatic status';
      if (second === gs && third === etx) return 'fence';
      if (second === name('d')) return 'end of paper';
      if (second === name('*') && third === name('r')) {
        if (fourth === name('A')) isRaster = true;
        if (fourth === name('B')) {
          isRaster = false;
          return 'end of paper';
        }
      }
      return null;
    },
    findRequests(bytes) {
      const answers: ((roll: PaperRoll) => Buffer)[] = [];
      let at = 0;
      for (; at + 2 < bytes.length; at += 1) {
        if (bytes[at] === esc && bytes[at + 1] === ack && bytes[at + 2] === 1) answers.push(status);
      }
      return { answers, accidents: [], rest: bytes.subarray(at) };
    },
    answerFence(command) {
      counter = (counter + 1) & 255;
      return Buffer.concat([command, Buffer.from([counter, 0])]);
    },
    status,
  };
}

/** An automatic status of nine bytes. */
function status({ paper, cover, cutter, canPrint }: PaperRoll): Buffer {
  const printer = (canPrint ? 0 : 0x08) | (cover === 'open' ? 0x20 : 0);
  const sensor = paper === 'out' ? 0x0c : paper === 'low' ? 0x04 : 0;
  return Buffer.from([0x23, 0x06, printer, cutter === 'jammed' ? 0x08 : 0, 0, sensor, 0, 0, 0]);
}

function neededAt(bytes: Buffer, at: number, isRaster: boolean): number | null {
  const [first, second, third, fourth] = bytes.subarray(at);
  if (first === undefined) return null;
  const there = bytes.length - at;
  if (isRaster && first === name('b')) return there < 3 ? null : 3 + bytes.readUInt16LE(at + 1);
  if (first !== esc) return 1;
  if (second === undefined) return null;
  if (second === name('k')) return there < 4 ? null : 4 + bytes.readUInt16LE(at + 2) * 24;
  if (second === name('*')) return fourth === undefined ? null : rasterLength(bytes, at);
  if (second !== gs) return escLengths[second] ?? 2;
  if (third === undefined) return null;
  if (third === name('S')) return there < 9 ? null : 9 + bytes.readUInt16LE(at + 4) * bytes.readUInt16LE(at + 6);
  return gsLengths[third] ?? 3;
}

/** `ESC * r A`, or one with digits and a NUL. */
function rasterLength(bytes: Buffer, at: number): number | null {
  if (bytes[at + 3] === name('A') || bytes[at + 3] === name('B')) return 4;
  const end = bytes.indexOf(0, at + 4);
  return end < 0 ? null : end - at + 1;
}
