import { conditionOf, type Condition, unknownCondition } from '#printing/protocols/condition.ts';
import type { Dialogue } from '#printing/protocols/dialogue.ts';

/** `DLE EOT n`: the printer's state, why it is offline, its errors, its paper. */
const questions = [1, 2, 3, 4].map((n) => Uint8Array.of(0x10, 0x04, n));

/**
 * ESC/POS. The printer answers `DLE EOT` at once, and `GS r 1` when it has come so far. Automatic status back tells of paper
 * and cover while a job still flows, when nothing may be asked: the question would stand amidst a picture's bytes.
 */
export function createEscPosDialogue(): Dialogue {
  /** The last answers to the questions 1 to 4. */
  const state = [0, 0, 0, 0];
  let asked = 0;
  let answers = 0;
  let asb: number[] = [];
  let condition: Condition = unknownCondition;
  let isPrinted = false;

  const take = (byte: number) => {
    if (asb.length > 0) {
      asb.push(byte);
      if (asb.length === 4) {
        condition = conditionOfAsb(asb);
        asb = [];
      }
    } else if ((byte & 0x93) === 0x12) {
      state[asked] = byte;
      answers += 1;
      if (asked === questions.length - 1) condition = conditionOfAnswers(state);
    } else if ((byte & 0x93) === 0x10) asb = [byte];
    else if ((byte & 0x90) === 0) {
      isPrinted = true;
      if (condition.paper !== 'out') condition = { ...condition, paper: byte & 0x03 ? 'low' : 'ok' };
    }
  };
  return {
    hear(bytes) {
      for (const byte of bytes) take(byte);
    },
    questions,
    asks: (index) => void (asked = index),
    get answers() {
      return answers;
    },
    get condition() {
      return condition;
    },
    // The state of the line, errors and paper, whenever they change.
    opening: Uint8Array.of(0x1d, 0x61, 0x0e),
    fence: Uint8Array.of(0x1d, 0x72, 0x01),
    closing: Uint8Array.of(0x1d, 0x61, 0x00),
    begin: () => void (isPrinted = false),
    get isPrinted() {
      return isPrinted;
    },
  };
}

function conditionOfAnswers([printer = 0, offline = 0, error = 0, paper = 0]: readonly number[]): Condition {
  return conditionOf({
    isOffline: (printer & 0x08) !== 0,
    isCoverOpen: (offline & 0x04) !== 0,
    isPaperOut: (offline & 0x20) !== 0 || (paper & 0x60) !== 0,
    isPaperLow: (paper & 0x0c) !== 0,
    cutter: (error & 0x08) !== 0,
    overheated: (error & 0x40) !== 0,
    broken: (error & 0x24) !== 0,
  });
}

function conditionOfAsb([first = 0, second = 0, third = 0]: readonly number[]): Condition {
  return conditionOf({
    isOffline: (first & 0x08) !== 0,
    isCoverOpen: (first & 0x20) !== 0,
    isPaperOut: (third & 0x0c) !== 0,
    isPaperLow: (third & 0x03) !== 0,
    cutter: (second & 0x08) !== 0,
    overheated: (second & 0x40) !== 0,
    broken: (second & 0x24) !== 0,
  });
}
