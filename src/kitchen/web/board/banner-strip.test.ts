import { expect, test } from 'vitest';
import { visibleBanners } from '#kitchen/web/board/banner-strip.tsx';

const shown = (slots: number, ...tones: string[]) =>
  visibleBanners(
    tones.map((tone) => ({ tone: tone.replace('?', ''), isAsking: tone.endsWith('?') })),
    slots,
  );

test('all are shown while there is room, in their own order', () => {
  expect(shown(2)).toEqual([]);
  expect(shown(4, 'plain', 'bad', 'ringing', 'test')).toEqual([0, 1, 2, 3]);
});

test('the least important are folded first', () => {
  expect(shown(3, 'plain', 'bad', 'ringing', 'bad')).toEqual([1, 2, 3]);
  expect(shown(2, 'plain', 'bad', 'ringing', 'bad')).toEqual([1, 2]);
  expect(shown(1, 'test', 'plain', 'bad')).toEqual([2]);
});

test('one that waits for an answer goes before all but the alarm, and neither of both is ever folded', () => {
  expect(shown(2, 'bad', 'plain?', 'ringing')).toEqual([1, 2]);
  expect(shown(1, 'bad', 'bad?', 'ringing')).toEqual([1, 2]);
  expect(shown(1, 'bad', 'plain?')).toEqual([1]);
  expect(shown(1, 'bad?', 'plain?', 'ringing')).toEqual([0, 2]);
});
