import { expect, test } from 'vitest';
import { readyWords } from '#store/ready-words.ts';

const now = new Date('2026-11-21T13:00:00Z');
const zone = 'Europe/London';

test.each([
  ['2026-11-21T13:02:00Z', true, /\b5 min/],
  ['2026-11-21T13:21:00Z', true, /\b25 min/],
  ['2026-11-21T13:30:00Z', false, /^from 13:30$/],
  ['2026-11-21T17:30:00Z', false, /^from 17:30$/],
  ['2026-11-22T12:00:00Z', false, /tomorrow.*12:00/],
  ['2026-11-24T12:00:00Z', false, /Tuesday.*12:00/],
])('what is ready at %s, at once: %s, is said as %s', (at, isSoon, expected) => {
  expect(readyWords({ at, isSoon }, now, zone)).toMatch(expected);
});
