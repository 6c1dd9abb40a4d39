import { expect, test } from 'vitest';
import { formatStartAdvice, formatStartCommand } from '#platform/server/start-command.ts';

test.each([
  [undefined, 'clone', 'npm start'],
  ['--empty', 'clone', 'npm start -- --empty'],
  [undefined, 'archive', 'hatch start'],
  ['--take-copy', 'archive', 'hatch start --take-copy'],
  [undefined, 'package', 'sudo systemctl start hatch'],
  ['--take-copy', 'package', 'sudo hatch start --take-copy'],
] as const)('with %s, in a %s, a shop is started by "%s"', (option, installation, words) => {
  expect(formatStartCommand(option, installation)).toBe(words);
});

test('a setting goes before the command, and into the settings of the package', () => {
  expect(formatStartAdvice('PORT=3001', 'clone')).toBe('Choose another one: PORT=3001 npm start');
  expect(formatStartAdvice('PORT=3001', 'archive')).toBe('Choose another one: PORT=3001 hatch start');
  expect(formatStartAdvice('PORT=3001', 'package', '/etc/hatch/hatch.env')).toBe(
    'Set another one in /etc/hatch/hatch.env: PORT=3001',
  );
});

test('these tests are in a clone', () => expect(formatStartCommand()).toBe('npm start'));
