import { expect, test } from 'vitest';
import { startWords } from '#platform/server/start-words.ts';

test.each([
  [undefined, true, 'npm start'],
  ['--empty', true, 'npm start -- --empty'],
  [undefined, false, 'hatch start'],
  ['--take-copy', false, 'hatch start --take-copy'],
] as const)('with %s, in a clone: %s, a shop is started by "%s"', (option, byNpm, words) => {
  expect(startWords(option, byNpm)).toBe(words);
});

test('these tests are in a clone', () => expect(startWords()).toBe('npm start'));
