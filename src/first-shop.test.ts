import { expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { refuseUnintendedShop } from '#first-shop.ts';

const far = 'db.example.com';

const judge = (APP_URL: string, host: string | null, args: string[] = [], hadShop = false) => {
  try {
    refuseUnintendedShop(readConfig({ APP_URL, DATA_DIR: '/srv/shop' }, args), hadShop, host);
    return 'made';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['', null],
  ['http://localhost:3000', null],
  ['http://127.0.0.1:3000', 'localhost'],
  ['http://[::1]:3000', '::1'],
  ['http://shop.localhost', '/var/run/postgresql'],
  ['', '127.0.0.7'],
])('a start at "%s" with the database at %s makes the demo shop', (url, host) => {
  expect(judge(url, host)).toBe('made');
});

test.each([
  [
    'https://shop.example.com',
    null,
    /^There is no shop in \/srv\/shop, .*https:\/\/shop.example.com. Is the disk mounted\?/,
  ],
  [
    'https://shop.example.com',
    'localhost',
    /^There is no shop in the database at localhost, .* Is DATABASE_URL right\?/,
  ],
  ['http://192.0.2.9:3000', null, /Is the disk mounted\?/],
  ['', far, /^There is no shop in the database at db.example.com. Is DATABASE_URL right\?/],
  ['http://localhost:3000', '192.0.2.1', /Is DATABASE_URL right\?/],
])('a start at "%s" with the database at %s makes none, and says so in one line', (url, host, line) => {
  const said = judge(url, host);
  expect(said).toMatch(line);
  expect(said).toMatch(/For a new shop: npm start -- --empty; for the demo: npm start -- --demo$/);
  expect(said).not.toContain('\n');
});

test.each(['--empty', '--demo'])('%s makes one anywhere', (flag) => {
  expect(judge('https://shop.example.com', far, [flag])).toBe('made');
});

test.each([
  [null, [], 'Is the whole disk mounted?'],
  [null, ['--demo'], 'Is the whole disk mounted?'],
  ['localhost', ['--empty'], 'Is DATABASE_URL right?'],
])('where there has been a shop, none is made: the database at %s, %s', (host, args, hint) => {
  const said = judge('', host, args, true);
  expect(said).toMatch(/^\/srv\/shop has had a shop, but .* has none\./);
  expect(said).toContain(hint);
  expect(said).not.toContain('\n');
});

test('--empty and --demo together are refused', () => {
  expect(() => readConfig({}, ['--empty', '--demo'])).toThrow('not both');
});
