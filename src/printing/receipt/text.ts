import { splitGraphemes } from '#platform/graphemes.ts';
import { trimTypedLines } from '#platform/typed-lines.ts';

const ascii = /^[\x20-\x7e]*$/;
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6])|\ufe0f/u;
const indic = /[\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Gujr}\p{scx=Guru}\p{scx=Mlym}]/u;
/** Matches a cluster of an Indian script that takes two columns: it has two or more letters or spacing vowel signs. */
const wideCluster = /(?:[\p{L}\p{Mc}][^\p{L}\p{Mc}]*){2}/u;
/**
 * Matches joiners without effect. A joiner has an effect only between emoji, and after Arabic and Indian letters, whose
 * shapes it chooses.
 */
const uselessJoiner =
  /(?<![\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Gujr}\p{scx=Guru}\p{scx=Mlym}])(?:\u200c|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic}))/gu;
const halfWidthKatakana = /^[\uff61-\uff9f]/;

/**
 * Makes a text printable: one NFC line without control or direction characters, with at most three combining marks a
 * letter. Unprintable characters become `?`.
 */
export function cleanReceiptText(text: string): string {
  return (
    text
      // U+2800 is a Braille pattern without dots, so it becomes a space.
      .replace(/[^\S\u00a0]+|[\u0085\u2800]/gu, ' ')
      .replace(/\p{Cc}/gu, '')
      .replace(/[\p{Cs}\p{Co}\p{Cn}\ufffc\ufffd]/gu, '?')
      .replace(/(?!\u200c|\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
      .replace(/(?<!\p{Emoji})\ufe0f/gu, '')
      .replace(uselessJoiner, '')
      .normalize()
      .replace(/(^|[ \u00a0])\p{M}+/gu, '$1')
      .replace(/(\p{M}{3})\p{M}+/gu, '$1')
      .replace(/[ \u00a0]{2,}/g, (run) => (run.includes(' ') ? ' ' : '\u00a0'))
      .trim()
  );
}

/**
 * Escapes user text for a receiptline source. `-` and `=` are escaped too, because a line of them is a rule or a cut.
 * The text is cleaned first, because NFC turns U+1FEF into a backtick.
 */
export function escapeReceiptText(text: string): string {
  return cleanReceiptText(text).replace(/[\\|{}~_"`^=-]/g, String.raw`\$&`);
}

export function hasNoPrintableCharacter(text: string): boolean {
  return cleanReceiptText(text) === '';
}

/** The number of printer columns of a text: East Asian characters, emoji and wide Indian clusters take two. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  return splitGraphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

export function graphemeWidth(grapheme: string): 1 | 2 {
  if (indic.test(grapheme)) return wideCluster.test(grapheme) ? 2 : 1;
  return wide.test(grapheme) && !halfWidthKatakana.test(grapheme) ? 2 : 1;
}

export function cleanTypedText(text: string): string {
  return trimTypedLines(trimTypedLines(text).map(cleanReceiptText).join('\n')).join('\n');
}

/** Wraps a typed text into rows, and keeps its line breaks; an empty text has no rows. */
export function wrapTypedText(text: string, width: number): string[] {
  const clean = cleanTypedText(text);
  if (clean === '') return [];
  return clean.split('\n').flatMap((line) => (line === '' ? [''] : wrapText(line, width)));
}

/** Cleans a text and wraps it to rows of at most `width` columns; longer words are broken. */
export function wrapText(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const word of cleanReceiptText(text).split(' ')) {
    const wordWidth = textWidth(word);
    if (row !== '' && used + 1 + wordWidth > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    if (row !== '') {
      row += ' ';
      used += 1;
    }
    for (const grapheme of wordWidth > width ? splitGraphemes(word) : [word]) {
      const graphemesWidth = textWidth(grapheme);
      if (used > 0 && used + graphemesWidth > width) {
        rows.push(row);
        row = '';
        used = 0;
      }
      row += grapheme;
      used += graphemesWidth;
    }
  }
  if (row !== '') rows.push(row);
  return rows;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

export function localTime(at: string | Date, timeZone: string): string {
  return format(at, 'time', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

export function localDay(at: string | Date, timeZone: string): string {
  return format(at, 'day', { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
}

/** Formats a day and time by the shop's clock: `21 Nov 2026, 18:45`. */
export function localDateTime(at: string | Date, timeZone: string): string {
  return `${format(at, 'date', { timeZone, day: 'numeric', month: 'short', year: 'numeric' })}, ${localTime(at, timeZone)}`;
}

/** Whether two times look equal on paper, which shows no seconds. */
export function isEqualToTheMinute(one: Date, other: Date): boolean {
  const minuteOf = (time: Date) => Math.floor(time.getTime() / 60_000);
  return minuteOf(one) === minuteOf(other);
}

function format(at: string | Date, name: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${name} ${options.timeZone}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', options);
    formatters.set(key, formatter);
  }
  return formatter.format(new Date(at)).replaceAll(',', '');
}
