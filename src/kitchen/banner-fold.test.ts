import { expect, test } from 'vitest';
import { foldBanners } from '#kitchen/banner-fold.ts';

const rest = 150;
const at = (width: number, tones: readonly string[], words = 300) =>
  foldBanners({ banners: tones.map((tone) => ({ tone, words, rest })), width, lines: 3, more: 100 }).shown;

test('all are shown while each has the width of its words and buttons', () => {
  expect(at(1024, ['plain'])).toEqual([0]);
  expect(at(1920, ['plain', 'bad', 'ringing', 'bad', 'test'])).toEqual([0, 1, 2, 3, 4]);
});

test('the least important ones are folded first, and their button has room', () => {
  expect(at(1024, ['plain', 'bad', 'ringing', 'bad'])).toEqual([1, 2, 3]);
  expect(at(900, ['plain', 'bad', 'ringing', 'bad'])).toEqual([1, 2]);
  expect(at(768, ['test', 'plain', 'ringing'])).toEqual([1, 2]);
});

test('after the alarm comes a banner that waits for an answer', () => {
  const banners = ['bad', 'bad', 'ringing'].map((tone, place) => ({ tone, words: 300, rest, isAsking: place === 1 }));
  expect(foldBanners({ banners, width: 700, lines: 3, more: 100 }).shown).toEqual([1, 2]);
  expect(foldBanners({ banners: banners.slice(0, 2), width: 390, lines: 3, more: 100 }).shown).toEqual([1]);
});

test('one is shown on the narrowest screen, the alarm before all others, and it is known that its words have no room', () => {
  expect(at(390, ['bad', 'plain', 'ringing'])).toEqual([2]);
  const long = { banners: [{ tone: 'ringing', words: 900, rest }], width: 390, lines: 2, more: 64 };
  expect(foldBanners(long)).toMatchObject({ shown: [0], isCut: true });
  expect(foldBanners({ ...long, width: 800 })).toMatchObject({ shown: [0], isCut: false });
});

test('on a phone the buttons stand below the words and take no width from them', () => {
  const one = { banners: [{ tone: 'ringing', words: 500, rest: 260 }], width: 390, lines: 2, more: 64 };
  expect(foldBanners(one).isCut).toBe(true);
  expect(foldBanners({ ...one, isStacked: true }).isCut).toBe(false);
});
