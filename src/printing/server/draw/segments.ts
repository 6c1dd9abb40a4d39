import bidiModule from 'bidi-js';
import { splitGraphemes } from '#platform/graphemes.ts';
import { graphemeWidth } from '#printing/receipt/text.ts';

// Its types describe a default export; Node is given the function itself.
const createBidi = bidiModule as unknown as typeof bidiModule.default;
const bidi = createBidi();
/** Scripts whose letters are as wide as they are, from left to right. */
const proportional = /\p{Script=Thai}/u;

/** A part of a row's text with its place: one character in its cells, or a phrase that is set as a whole. */
export interface Segment {
  text: string;
  /** Columns from the start of the text. */
  at: number;
  columns: number;
  /** A phrase in the order in which it is seen; null for a single character. */
  runs: Run[] | null;
}

/** Characters of a phrase that run one way. */
export interface Run {
  text: string;
  isRightToLeft: boolean;
}

interface Unit {
  text: string;
  from: number;
  columns: number;
  level: number;
}

/** Divides a text whose base direction is left to right. */
export function segmentsOf(text: string): Segment[] {
  const { levels } = bidi.getEmbeddingLevels(text, 'ltr');
  keepPunctuation(text, levels);
  let from = 0;
  const units = splitGraphemes(text).map((grapheme): Unit => {
    const unit = { text: grapheme, from, columns: graphemeWidth(grapheme), level: levels[from] ?? 0 };
    from += grapheme.length;
    return unit;
  });
  const segments: Segment[] = [];
  let at = 0;
  for (let index = 0; index < units.length;) {
    const phrase = phraseAt(units, index);
    const taken = phrase.length > 0 ? phrase : units.slice(index, index + 1);
    const columns = taken.reduce((sum, unit) => sum + unit.columns, 0);
    const own = taken.map((unit) => unit.text).join('');
    segments.push({ text: own, at, columns, runs: phrase.length > 0 ? runsOf(text, phrase, levels) : null });
    at += columns;
    index += taken.length;
  }
  return segments;
}

/** A comma or full stop at the end of right-to-left words belongs to them, also where the row ends there. */
function keepPunctuation(text: string, levels: Uint8Array): void {
  for (const { index, 0: signs } of text.matchAll(/[.,:;!?\u060c\u061b\u061f\u06d4]+(?= |$)/g)) {
    const level = levels[index - 1] ?? 0;
    if (level % 2 === 1) levels.fill(level, index, index + signs.length);
  }
}

/** The units from here that are set together; spaces only between them. */
function phraseAt(units: readonly Unit[], index: number): Unit[] {
  let end = index;
  let last = index;
  while (end < units.length) {
    const unit = units[end];
    if (!unit) break;
    const isPart = unit.level > 0 || proportional.test(unit.text);
    if (!isPart && unit.text !== ' ') break;
    end += 1;
    if (isPart && unit.text !== ' ') last = end;
  }
  const [first] = units.slice(index);
  return first?.text === ' ' ? [] : units.slice(index, last);
}

function runsOf(text: string, phrase: readonly Unit[], levels: Uint8Array): Run[] {
  const from = phrase[0]?.from ?? 0;
  const last = phrase.at(-1);
  const to = last ? last.from + last.text.length - 1 : from;
  // The levels of the whole text decide; the order is needed for the phrase only.
  const within = { levels: levels.slice(from, to + 1), paragraphs: [{ start: 0, end: to - from, level: 0 }] };
  const order = bidi.getReorderedIndices(text.slice(from, to + 1), within);
  const runs: { indices: number[]; level: number }[] = [];
  for (const index of order) {
    const level = within.levels[index] ?? 0;
    const run = runs.at(-1);
    if (run && run.level === level && Math.abs((run.indices.at(-1) ?? 0) - index) === 1) run.indices.push(index);
    else runs.push({ indices: [index], level });
  }
  return runs.map(({ indices, level }) => ({
    text: text.slice(from + Math.min(...indices), from + Math.max(...indices) + 1),
    isRightToLeft: level % 2 === 1,
  }));
}
