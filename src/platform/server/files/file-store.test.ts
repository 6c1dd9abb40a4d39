import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRangeHeader } from '#platform/server/files/file-store.ts';

test.each([
  [undefined, null],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=-0', 'outside'],
  ['bytes=100-', 'outside'],
  ['bytes=20-10', null],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['items=0-1', null],
  ['bytes=1e3-', null],
  [`bytes=${'9'.repeat(16)}-`, null],
])('of a hundred bytes, %s is %j', (header, range) => {
  expect(parseRangeHeader(header, 100)).toEqual(range);
});

test('whatever is asked for, the range lies in the file', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat({ max: 1000 }), (text, a, b, size) => {
      for (const header of [text, `bytes=${text}`, `bytes=${a}-${b}`, `bytes=-${a}`, `bytes=${a}-`]) {
        const range = parseRangeHeader(header, size);
        if (range === null || range === 'outside') continue;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }
    }),
  );
});
