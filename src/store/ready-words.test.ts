import { expect, test } from 'vitest';
import { readyWords } from '#store/ready-words.ts';

const now = new Date('2026-11-21T13:00:00Z');
const zone = 'Europe/London';

test.each([
  ['2026-11-21T13:02:00Z', /\b5 min/],
  ['2026-11-21T13:21:00Z', /\b25 min/],
  ['2026-11-21T17:30:00Z', /17:30/],
  ['2026-11-22T12:00:00Z', /tomorrow.*12:00/],
  ['2026-11-24T12:00:00Z', /Tuesday.*12:00/],
])('what is ready at %s is said as %s', (ready, expected) => {
  expect(readyWords(ready, now, zone)).toMatch(expected);
});
