import { describe, expect, it } from 'vitest';
import { splitSegments } from '#printing/server/draw/draw-text.ts';

/** Segments as their texts; the runs of a phrase as they are seen, each with its direction. */
function seen(text: string): (string | string[])[] {
  return splitSegments(text).map(({ text: own, runs }) =>
    runs ? runs.map((run) => `${run.isRightToLeft ? '←' : '→'}${run.text}`) : own,
  );
}

describe('a row of text', () => {
  it('is one segment for each character that has cells of its own', () => {
    expect(splitSegments('a漢é').map(({ text, at, columns }) => [text, at, columns])).toEqual([
      ['a', 0, 1],
      ['漢', 1, 2],
      ['é', 3, 1],
    ]);
  });

  it('keeps right-to-left words together, with the spaces between them only', () => {
    expect(seen('a שלום לך b')).toEqual(['a', ' ', ['←שלום לך'], ' ', 'b']);
    expect(splitSegments('a שלום לך b')[2]).toMatchObject({ at: 2, columns: 7 });
  });

  it('puts a number behind Arabic words on their left, running from the left', () => {
    expect(seen('شقة 12')).toEqual([['→12', '←شقة ']]);
  });

  it('leaves Latin words and brackets around them where they are', () => {
    expect(seen('(محمد) x')).toEqual(['(', ['←محمد'], ')', ' ', 'x']);
  });

  it('keeps a comma with its words where the row ends', () => {
    expect(seen('الأزرق،')).toEqual([['←الأزرق،']]);
    expect(seen('شكرا! ok!')).toEqual([['←شكرا!'], ' ', 'o', 'k', '!']);
  });

  it('sets Thai as a whole, from the left', () => {
    expect(seen('1 ไม่เผ็ด ครับ')).toEqual(['1', ' ', ['→ไม่เผ็ด ครับ']]);
  });
});
