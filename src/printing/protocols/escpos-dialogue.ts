import {
  type ReportedCondition,
  conditionFromSignals,
  type PrinterDialogue,
  unknownCondition,
} from '#printing/protocols/dialogue.ts';

/** The commands `DLE EOT n`, which request the printer's status, offline cause, errors and paper. */
const questions = [1, 2, 3, 4].map((n) => Uint8Array.of(0x10, 0x04, n));
const asbOff = Uint8Array.of(0x1d, 0x61, 0x00);
/** The command `GS r 1` requests the paper status. The printer answers it after it has processed all earlier bytes. */
const paperQuestion = Uint8Array.of(0x1d, 0x72, 0x01);
/** An unnamed job is confirmed only by this number of answers, because a single answer may be a stray byte. */
const rounds = 2;

/** The first two bytes of the answer to `GS ( H`; the name and a zero follow. */
const [nameHeader, nameKind] = [0x37, 0x22];
export const jobNameReplyLength = 7;

/**
 * An ESC/POS dialogue. While a job is being sent, only the printer's automatic status messages report paper and cover.
 * A status request could fall inside a picture's data. The fence of a named job is `GS ( H`, whose answer repeats four
 * letters. The fence of an unnamed job is two paper status requests, which a printer answers even if it lost the job.
 * They confirm the job only if exactly two answers arrive, without other bytes or faults.
 */
export function createEscPosDialogue(name: string | null = null): PrinterDialogue {
  const talk: Talk = {
    name,
    state: [0, 0, 0, 0],
    asked: 0,
    open: 0,
    answers: 0,
    asb: [],
    named: [],
    condition: unknownCondition,
    trouble: null,
    isNamed: false,
    isDoubtful: false,
    asks: 0,
    replies: 0,
  };
  return {
    hear(bytes) {
      for (const byte of bytes) take(talk, byte);
    },
    questions,
    asks(index) {
      talk.asked = index;
      talk.open += 1;
    },
    get answers() {
      return talk.answers;
    },
    get condition() {
      return talk.condition;
    },
    get trouble() {
      return talk.trouble;
    },
    // `GS a` turns on automatic status messages about offline, errors and paper. The fence of an unnamed job turns them
    // off, because such a message looks like an answer to the fence.
    opening: Uint8Array.of(0x1d, 0x61, 0x0e),
    fence: name === null ? Uint8Array.of(...asbOff, ...paperQuestion) : nameQuestion(name),
    closing: asbOff,
    begin: () => void Object.assign(talk, { trouble: null, isNamed: false, asks: 0, replies: 0 }),
    written() {
      if (name === null) talk.asks = 1;
    },
    get isAwaited() {
      return talk.asks === 0 ? !talk.isNamed : talk.replies < talk.asks;
    },
    next(isLate) {
      const { isNamed, isDoubtful, asks, replies } = talk;
      const isTime = asks === 0 ? name !== null && isLate : replies === asks && asks < rounds;
      if (!isTime || isNamed || isDoubtful) return null;
      talk.asks += 1;
      return paperQuestion;
    },
    get isDoubtful() {
      return talk.isDoubtful && (name === null || talk.asks > 0);
    },
    get isPrinted() {
      return talk.isNamed || (talk.replies === rounds && !talk.isDoubtful && !talk.trouble);
    },
    get isCertain() {
      return talk.isNamed;
    },
  };
}

interface Talk {
  name: string | null;
  /** The last answers to the status requests 1 to 4. */
  state: number[];
  /** The index of the last status request. */
  asked: number;
  /** The number of unanswered status requests. */
  open: number;
  answers: number;
  /** The received bytes of an incomplete automatic status. */
  asb: number[];
  /** The received bytes of an incomplete answer with a name. */
  named: number[];
  condition: ReportedCondition;
  trouble: ReportedCondition | null;
  isNamed: boolean;
  isDoubtful: boolean;
  /** The number of paper status requests after the job. */
  asks: number;
  /** The number of answers to the paper status requests. */
  replies: number;
}

function take(talk: Talk, byte: number): void {
  if (talk.asb.length > 0) takeAsb(talk, byte);
  else if (talk.named.length > 0) takeName(talk, byte);
  else if ((byte & 0x93) === 0x12) takeAnswer(talk, byte);
  else if ((byte & 0x93) === 0x10) talk.asb = [byte];
  else if (byte === nameHeader && talk.name !== null) talk.named = [byte];
  else if ((byte & 0x90) === 0 && talk.replies < talk.asks) takeReply(talk, byte);
  else talk.isDoubtful = true;
}

function takeAsb(talk: Talk, byte: number): void {
  talk.asb.push(byte);
  if ((byte & 0x90) !== 0) talk.isDoubtful = true;
  if (talk.asb.length < 4) return;
  learn(talk, conditionOfAsb(talk.asb));
  talk.asb = [];
}

function takeName(talk: Talk, byte: number): void {
  talk.named.push(byte);
  if (byte !== 0 && talk.named.length < jobNameReplyLength) return;
  const answer = String.fromCharCode(nameHeader, nameKind) + talk.name + '\0';
  if (String.fromCharCode(...talk.named) === answer) talk.isNamed = true;
  else talk.isDoubtful = true;
  talk.named = [];
}

function takeAnswer(talk: Talk, byte: number): void {
  if (talk.open === 0) talk.isDoubtful = true;
  talk.open = Math.max(0, talk.open - 1);
  talk.state[talk.asked] = byte;
  talk.answers += 1;
  if (talk.asked === questions.length - 1) learn(talk, conditionOfAnswers(talk.state));
}

function learn(talk: Talk, condition: ReportedCondition): void {
  talk.condition = condition;
  if (condition.fault !== null) talk.trouble = condition;
}

function takeReply(talk: Talk, byte: number): void {
  talk.replies += 1;
  const { condition } = talk;
  if (condition.paper !== 'out') talk.condition = { ...condition, paper: byte & 0x03 ? 'low' : 'ok' };
}

/** The command `GS ( H`, function 48. The printer returns the name once it has printed all earlier bytes. */
function nameQuestion(name: string): Uint8Array {
  return Uint8Array.of(0x1d, 0x28, 0x48, 6, 0, 48, 48, ...Array.from(name, (letter) => letter.charCodeAt(0)));
}

/** Makes a job's name: four letters that the printer returns once it has printed the job. */
export function newJobName(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => letters[byte & 63]).join('');
}

function conditionOfAnswers([printer = 0, offline = 0, error = 0, paper = 0]: readonly number[]): ReportedCondition {
  return conditionFromSignals({
    isOffline: (printer & 0x08) !== 0,
    isCoverOpen: (offline & 0x04) !== 0,
    isPaperOut: (offline & 0x20) !== 0 || (paper & 0x60) !== 0,
    isPaperLow: (paper & 0x0c) !== 0,
    cutter: (error & 0x08) !== 0,
    overheated: (error & 0x40) !== 0,
    broken: (error & 0x24) !== 0,
  });
}

function conditionOfAsb([first = 0, second = 0, third = 0]: readonly number[]): ReportedCondition {
  return conditionFromSignals({
    isOffline: (first & 0x08) !== 0,
    isCoverOpen: (first & 0x20) !== 0,
    isPaperOut: (third & 0x0c) !== 0,
    isPaperLow: (third & 0x03) !== 0,
    cutter: (second & 0x08) !== 0,
    overheated: (second & 0x40) !== 0,
    broken: (second & 0x24) !== 0,
  });
}
