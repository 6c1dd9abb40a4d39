import { expect, test } from 'vitest';
import { startCommand } from '#platform/server/start-command.ts';

test.each([
  [undefined, true, 'npm start'],
  ['--empty', true, 'npm start -- --empty'],
  [undefined, false, 'hatch start'],
  ['--take-copy', false, 'hatch start --take-copy'],
] as const)('with %s, in a clone: %s, a shop is started by "%s"', (option, byNpm, words) => {
  expect(startCommand(option, byNpm)).toBe(words);
});

test('these tests are in a clone', () => expect(startCommand()).toBe('npm start'));
