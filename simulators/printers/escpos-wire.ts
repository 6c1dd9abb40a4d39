import type { PaperRoll } from './paper-roll.ts';
import { startTcpPrinter, type TcpOptions, type TcpPrinter, type Wire } from './tcp-printer.ts';

/** An ESC/POS printer at a port of its own, after Epson's command reference. `isOld`: from before `GS ( H`, which it skips. */
export function startEscPosPrinter(options: Partial<TcpOptions> & { isOld?: boolean } = {}): Promise<TcpPrinter> {
  const { isOld = false, ...rest } = options;
  const meaningOf: Wire['meaningOf'] = (command) => {
    const isName = command[0] === gs && command[1] === 0x28 && command[2] === 0x48;
    return isOld && isName ? 'nothing' : wire.meaningOf(command);
  };
  return startTcpPrinter({ ...wire, meaningOf }, { brand: 'Epson', dots: 576, ...rest });
}

const [dle, eot, enq, dc4, esc, fs, gs] = [0x10, 0x04, 0x05, 0x14, 0x1b, 0x1c, 0x1d];

/** The lengths of commands with parameters of a fixed number. */
const escLengths: Record<string, number> = {
  ...Object.fromEntries(Array.from('RMa{3tE-d!J S', (name) => [name, 3])),
  '@': 2,
  '2': 2,
  $: 4,
  '\\': 4,
  p: 5,
  B: 4,
};
const gsLengths: Record<string, number> = { '!': 3, B: 3, a: 3, r: 3, L: 4, W: 4 };
const fsLengths: Record<string, number> = { '.': 2, C: 3, '-': 3, S: 4 };

const wire: Wire = {
  format: 'escpos',
  lengthAt(bytes, at) {
    const length = neededAt(bytes, at);
    return length !== null && bytes.length - at >= length ? length : null;
  },
  meaningOf(command) {
    const [first, second, third] = command;
    if (first === dle) return 'nothing';
    if (first !== gs) return null;
    if (second === 0x56) return 'end of paper';
    if (second === 0x72) return 'fence';
    if (second === 0x28 && third === 0x48) return command[5] === 48 ? 'fence' : 'nothing';
    if (second === 0x61) return third === 0 ? 'nothing' : 'automatic status';
    return null;
  },
  findRequests(bytes) {
    const answers: ((roll: PaperRoll) => Buffer)[] = [];
    const accidents: string[] = [];
    let at = 0;
    for (; at + 2 < bytes.length; at += 1) {
      const [first, second, third = 0] = bytes.subarray(at, at + 3);
      if (first !== dle) continue;
      if (second === eot && third >= 1 && third <= 4) answers.push((roll) => Buffer.from([answerTo(third, roll)]));
      else if (second === enq && third <= 2) accidents.push(`DLE ENQ ${third}`);
      else if (second === dc4 && [1, 2, 3, 7, 8].includes(third)) accidents.push(`DLE DC4 ${third}`);
    }
    return { answers, accidents, rest: bytes.subarray(at) };
  },
  answerFence(command, { paper }) {
    if (command[1] === 0x72) return Buffer.from([paper === 'low' ? 0x03 : 0x00]);
    return Buffer.concat([Buffer.from([0x37, 0x22]), command.subarray(7, 11), Buffer.from([0])]);
  },
  status({ paper, cover, cutter, canPrint }) {
    const first = 0x10 | (canPrint ? 0 : 0x08) | (cover === 'open' ? 0x20 : 0);
    const third = paper === 'out' ? 0x0f : paper === 'low' ? 0x03 : 0;
    return Buffer.from([first, cutter === 'jammed' ? 0x08 : 0, third, 0x0f]);
  },
};

/** The length of the command at `at`, whether or not it is all there; null: its length is not known yet. */
function neededAt(bytes: Buffer, at: number): number | null {
  const [first, second, third] = bytes.subarray(at);
  if (first === undefined) return null;
  if (![dle, esc, fs, gs].includes(first)) return 1;
  if (second === undefined) return null;
  if (first === dle) return 3;
  const name = String.fromCharCode(second);
  if (first !== fs && name === '(') return bytes.length - at < 5 ? null : 5 + bytes.readUInt16LE(at + 3);
  if (first === esc) return escLengths[name] ?? 2;
  if (first === fs) return fsLengths[name] ?? 2;
  if (name === 'V') return third === undefined ? null : third >= 65 ? 4 : 3;
  if (name === 'v') return bytes.length - at < 8 ? null : 8 + bytes.readUInt16LE(at + 4) * bytes.readUInt16LE(at + 6);
  return gsLengths[name] ?? 2;
}

/** The byte that answers `DLE EOT n`. */
function answerTo(n: number, { paper, cover, cutter, canPrint }: PaperRoll): number {
  const fixed = 0x12;
  if (n === 1) return fixed | (canPrint ? 0 : 0x08);
  if (n === 2)
    return fixed | (cover === 'open' ? 0x04 : 0) | (paper === 'out' ? 0x20 : 0) | (cutter === 'jammed' ? 0x40 : 0);
  if (n === 3) return fixed | (cutter === 'jammed' ? 0x08 : 0);
  return fixed | (paper === 'out' ? 0x6c : paper === 'low' ? 0x0c : 0);
}
