import { expect, test } from 'vitest';
import { lineOf } from '#kitchen/board-line.ts';

test.each([
  ['connected', 0, 'live'],
  ['connected', 7, 'live'],
  ['connected', 8, 'late'],
  ['connected', 14, 'late'],
  ['connected', 15, 'dead'],
  ['connecting', null, 'joining'],
  ['connecting', 2, 'joining'],
  ['connecting', 9, 'late'],
  ['connecting', 15, 'dead'],
  ['unavailable', 11, 'dead'],
  ['disconnected', 0, 'dead'],
  ['failed', null, 'dead'],
  ['unsubscribed', 1, 'dead'],
] as const)('a connection that is %s and silent for %s s is %s', (state, silence, line) => {
  expect(lineOf(state, silence)).toBe(line);
});
