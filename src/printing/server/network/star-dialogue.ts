import {
  type ReportedCondition,
  conditionFromSignals,
  type PrinterDialogue,
  unknownCondition,
} from '#printing/protocols/dialogue.ts';

const [esc, gs, etx] = [0x1b, 0x1d, 0x03];
const echoLength = 8;

/**
 * A dialogue with a Star printer by TCP: StarPRNT, Line Mode or raster mode. `ESC ACK SOH` requests the status. The
 * fence is the print-end counter, whose answer repeats two bytes that we chose. The `ETB` counter is not used, because
 * the printer would send it to every connected host.
 */
export function createStarDialogue([first, second]: readonly [number, number]): PrinterDialogue {
  const heard: number[] = [];
  let answers = 0;
  let condition: ReportedCondition = unknownCondition;
  let trouble: ReportedCondition | null = null;
  let isPrinted = false;

  /**
   * Removes one complete message, or one byte that starts no message, from the received bytes. Returns false while the
   * message is incomplete.
   */
  const takeOne = (): boolean => {
    const [header] = heard;
    if (header === undefined) return false;
    if (header === esc) {
      if (heard.length < echoLength) return false;
      const echo = heard.splice(0, echoLength);
      if (echo[1] === gs && echo[2] === etx && echo[3] === 1 && echo[4] === first && echo[5] === second)
        isPrinted = true;
      return true;
    }
    const length = statusLength(header);
    if (length === null) {
      heard.shift();
      return true;
    }
    if (heard.length < length) return false;
    condition = conditionOfStatus(heard.splice(0, length));
    if (condition.fault !== null) trouble = condition;
    answers += 1;
    return true;
  };
  return {
    hear(bytes) {
      heard.push(...bytes);
      while (takeOne());
    },
    questions: [Buffer.from([esc, 0x06, 0x01])],
    asks() {},
    get answers() {
      return answers;
    },
    get condition() {
      return condition;
    },
    get trouble() {
      return trouble;
    },
    // Turns on automatic status messages, as `GS a` does in ESC/POS.
    opening: Buffer.from([esc, 0x1e, 0x61, 0x01]),
    fence: Buffer.from([esc, gs, etx, 1, first, second]),
    closing: Buffer.alloc(0),
    begin() {
      isPrinted = false;
      trouble = null;
    },
    written() {},
    get isAwaited() {
      return !isPrinted;
    },
    next: () => null,
    isDoubtful: false,
    isCertain: true,
    get isPrinted() {
      return isPrinted;
    },
  };
}

/** The length of an automatic status in bytes, by its first byte; null if the byte begins no status. */
function statusLength(header: number): number | null {
  if ((header & 0xd1) !== 0x01) return null;
  const length = ((header >> 5) & 1) * 8 + ((header >> 1) & 7);
  return length >= 7 ? length : null;
}

function conditionOfStatus([, , printer = 0, error = 0, , paper = 0]: readonly number[]): ReportedCondition {
  return conditionFromSignals({
    isOffline: (printer & 0x08) !== 0,
    isCoverOpen: (printer & 0x20) !== 0,
    isPaperOut: (paper & 0x08) !== 0,
    isPaperLow: (paper & 0x06) !== 0,
    cutter: (error & 0x08) !== 0,
    overheated: (error & 0x40) !== 0,
    broken: (error & 0x24) !== 0,
  });
}
