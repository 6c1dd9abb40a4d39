const ascii = /^[\x20-\x7e]*$/;
let graphemes: Intl.Segmenter | undefined;

/**
 * Splits a text into graphemes, the characters that a reader counts. A letter with its marks is one grapheme, and so is
 * a joined emoji.
 */
export function splitGraphemes(text: string): string[] {
  if (ascii.test(text)) return text.split('');
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Shortens a text to `most` UTF-16 units, with `end` after the cut. No grapheme is split. */
export function shorten(text: string, most: number, end = '…'): string {
  if (text.length <= most) return text;
  let length = 0;
  // The slice has two more units than `most`, which show whether the last grapheme continues beyond `most`.
  for (const grapheme of splitGraphemes(text.slice(0, most + 2))) {
    if (length + grapheme.length > most - end.length) break;
    length += grapheme.length;
  }
  return text.slice(0, length) + end;
}
