import { expect, test } from 'vitest';
import { ArgumentFault, readPrinterArguments } from './arguments.ts';

const signIn = ['--user', 'a', '--secret', 'b'];

test.each<[string[], string]>([
  [['--star', '--url', 'localhost', ...signIn], '"localhost" is no address'],
  // One secret in 64 begins with a dash.
  [['--star', '--url', 'localhost', '--user', 'a', '--secret', '-b'], '"localhost" is no address'],
  [['--epson', '--url', 'ftp://shop', ...signIn], '"ftp://shop" is no address'],
  [['--star', ...signIn], 'Give --url, --user and --secret'],
  [['--network', '--port', 'nine'], '"nine" is no port'],
  [['--colour'], "Unknown option '--colour'"],
  [[], 'Say which one'],
  [['--star', '--network'], 'Say which one'],
])('what is wrong with %j is said in words', (args, words) => {
  const read = () => readPrinterArguments(args);
  expect(read).toThrow(ArgumentFault);
  expect(read).toThrow(words);
});

test('a secret may begin with a dash', () => {
  const { kind, ...asked } = readPrinterArguments([
    '--epson',
    '--url',
    'http://shop/poll',
    '--user',
    'a',
    '--secret',
    '-b',
  ]);
  expect(kind).toBe('epson');
  expect(asked).toMatchObject({ signIn: { pollUrl: 'http://shop/poll', username: 'a', secret: '-b' }, page: 8009 });
});

test('the ports are those of such printers, unless others are asked for', () => {
  expect(readPrinterArguments(['--network'])).toMatchObject({ port: 9100, dots: 576, isStar: false });
  expect(readPrinterArguments(['--browser', '--narrow'])).toMatchObject({ port: 8043, dots: 384 });
  expect(readPrinterArguments(['--network', '--port', '0', '--star-commands'])).toMatchObject({
    port: 0,
    isStar: true,
  });
});
