const ascii = /^[\x20-\x7e]*$/;
let graphemes: Intl.Segmenter | undefined;

/** The characters that a reader counts: a letter with its marks, or a joined emoji, is one. */
export function splitGraphemes(text: string): string[] {
  if (ascii.test(text)) return text.split('');
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The text, or the characters that fit into `most` UTF-16 units, and `end`. No surrogate pair is cut. */
export function shorten(text: string, most: number, end = '…'): string {
  if (text.length <= most) return text;
  let length = 0;
  // Two units more tell whether the last character ends there.
  for (const grapheme of splitGraphemes(text.slice(0, most + 2))) {
    if (length + grapheme.length > most - end.length) break;
    length += grapheme.length;
  }
  return text.slice(0, length) + end;
}
