import { expect, it } from 'vitest';
import { trimTypedLines } from '#platform/typed-lines.ts';

it.each([
  ['each line stays', 'No nuts\nPeanut sauce on the side', ['No nuts', 'Peanut sauce on the side']],
  [
    'breaks of every kind',
    'one\r\ntwo\rthree\u2028four\u2029five\u0085six',
    ['one', 'two', 'three', 'four', 'five', 'six'],
  ],
  ['a run of empty lines is one', 'one\n\n \n\t\ntwo', ['one', '', 'two']],
  ['no empty lines at the ends', '\n \none\n\n', ['one']],
  ['nothing of a blank text', ' \n \n', []],
])('%s', (_, text, lines) => {
  expect(trimTypedLines(text)).toEqual(lines);
});
