import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cleanReceiptText,
  escapeReceiptText,
  hasNoPrintableCharacter,
  textWidth,
  wrapText,
  wrapTypedText,
} from '#printing/receipt/text.ts';
import { nastyText } from '#printing/testing/nasty-text.ts';

describe('cleaning text for paper', () => {
  it.each([
    ['control characters go', 'no\u0000 \u001bp0onion\u007f', 'no p0onion'],
    ['newlines of every kind fold into one space', 'no\r\nonion\u2028\u0085\u000bplease', 'no onion please'],
    ['accents compose', 'cafe\u0301', 'café'],
    ['marks without a letter go', '\u0303no \u0303thanks', 'no thanks'],
    ['a pile of marks is cut to three', `z${'\u0335'.repeat(40)}`, `z${'\u0335'.repeat(3)}`],
    ['direction overrides go', 'no \u202estunaep\u202c please', 'no stunaep please'],
    ['a joined emoji stays one', '👩\u200d🍳', '👩\u200d🍳'],
    ['a joiner that joins nothing goes', 'a\u200db', 'ab'],
    ['letters that nobody sees go', 'a\u3164b\u2800c\u115f', 'ab c'],
    ['an emoji keeps its selector, other letters do not', '❤\ufe0f a\ufe0f', '❤\ufe0f a'],
    ['half a character shows that something was there', 'no \ud83e nuts', 'no ? nuts'],
    ['right-to-left words stay as written', 'שלום 2', 'שלום 2'],
  ])('%s', (_, text, cleaned) => {
    expect(cleanReceiptText(text)).toBe(cleaned);
  });

  it('has nothing left to do the second time', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(cleanReceiptText(cleanReceiptText(text))).toBe(cleanReceiptText(text));
      }),
    );
  });

  it('calls text blank when nothing of it would be printed', () => {
    expect([' ', '\u200b\u0000\n', '\u0301', ''].every(hasNoPrintableCharacter)).toBe(true);
    expect(hasNoPrintableCharacter('.')).toBe(false);
  });
});

describe('escaping text for receiptline', () => {
  it('escapes everything that receiptline reads as markup', () => {
    expect(escapeReceiptText('\\|{}~_"`^-=')).toBe('\\\\\\|\\{\\}\\~\\_\\"\\`\\^\\-\\=');
  });

  it('escapes a backtick that appears only when the text is composed', () => {
    expect(escapeReceiptText('\u1fef')).toBe('\\`');
  });

  it('leaves ordinary words alone', () => {
    expect(escapeReceiptText("Fish & chips, 2 × £9.50 (Sam's)")).toBe("Fish & chips, 2 × £9.50 (Sam's)");
  });
});

describe("wrapping a person's own words", () => {
  it.each([
    ['line by line', 'No nuts\nPeanut sauce on the side', 14, ['No nuts', 'Peanut sauce', 'on the side']],
    ['with one empty line for several', 'one\n\n\u200b\n\ntwo', 14, ['one', '', 'two']],
    ['nothing into no rows', ' \n\u200b', 14, []],
  ])('%s', (_, text, width, rows) => {
    expect(wrapTypedText(text, width)).toEqual(rows);
  });
});

describe('wrapping', () => {
  it.each([
    ['between words', 'one two three', 8, ['one two', 'three']],
    ['inside a word that is too long', 'a Llanfairpwllgwyngyll b', 8, ['a', 'Llanfair', 'pwllgwyn', 'gyll b']],
    ['counting wide characters twice', '漢字漢字漢', 4, ['漢字', '漢字', '漢']],
    ['not between a number and its unit', 'Naan\u00a0×2 and rice', 8, ['Naan\u00a0×2', 'and rice']],
    ['nothing into no rows', ' \n ', 8, []],
  ])('%s', (_, text, width, rows) => {
    expect(wrapText(text, width)).toEqual(rows);
  });

  it('loses nothing and never exceeds the width', () => {
    fc.assert(
      fc.property(nastyText, fc.integer({ min: 2, max: 60 }), (text, width) => {
        const rows = wrapText(text, width);
        expect(rows.filter((row) => textWidth(row) > width)).toEqual([]);
        expect(rows.join('').replaceAll(' ', '')).toBe(cleanReceiptText(text).replaceAll(' ', ''));
      }),
    );
  });
});
