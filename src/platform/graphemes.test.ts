import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shorten, splitGraphemes } from '#platform/graphemes.ts';

const family = '👨‍👩‍👧‍👦';

describe('a text that is too long', () => {
  test.each([
    ['fits', 'Margherita', 10, 'Margherita'],
    ['ends in dots', 'Margherita', 9, 'Margheri…'],
    ['loses an emoji whole', 'Hot 🌶 soup', 6, 'Hot …'],
    ['keeps an emoji that fits', 'Hot 🌶 soup', 7, 'Hot 🌶…'],
    ['loses joined emoji whole', `For ${family}!`, 12, 'For …'],
    ['loses a letter with its accent', 'Cafe\u0301s', 5, 'Caf…'],
    ['loses a flag whole', 'UK 🇬🇧🇵🇱', 8, 'UK 🇬🇧…'],
  ])('%s', (_, text, most, expected) => {
    expect(shorten(text, most)).toBe(expected);
  });

  test('may end without dots', () => {
    expect(shorten('Ada 🌶', 5, '')).toBe('Ada ');
  });

  test('is well-formed wherever it is cut, is no longer than it may be, and begins as it did', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const short = shorten(text, most);
        expect(short.isWellFormed()).toBe(true);
        expect(short.length).toBeLessThanOrEqual(most);
        const kept = splitGraphemes(short.endsWith('…') ? short.slice(0, -1) : short);
        expect(splitGraphemes(text).slice(0, kept.length)).toEqual(kept);
      }),
    );
  });
});
