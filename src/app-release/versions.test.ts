import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, newestFirst, readVersion, updateFrom } from '#app-release/versions.ts';

test.each([
  ['3.9', '3.10', -1],
  ['v3.10.18', '3.10.18', 0],
  ['3.10', '3.10.0', 0],
  ['3.10.18', '3.10.9', 1],
  ['4.0', '3.99.99', 1],
  ['03.1', '3.1', 0],
])('%s against %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
  expect(Math.sign(compareVersions(b, a))).toBe(0 - sign || 0);
});

test.each(['', '3', 'latest', '3.x', '3.1.2.3.4', '-1.0', '1e3.0', '9999999.0'])(
  '"%s" is an invalid version',
  (text) => {
    expect(readVersion(text)).toBeNull();
  },
);

const numbers = fc.tuple(fc.nat(999), fc.nat(999), fc.nat(999));
test('versions are ordered by their numbers', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const byNumbers = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
      expect(Math.sign(compareVersions(a.join('.'), `v${b.join('.')}`))).toBe(Math.sign(byNumbers));
    }),
  );
});

const offered = ['3.9', '3.10', '2.0'].map((version) => ({ version }));

test('releases are sorted by their numbers, the newest first', () => {
  expect(newestFirst(offered).map(({ version }) => version)).toEqual(['3.10', '3.9', '2.0']);
});

test.each([
  ['3.9', '3.10'],
  ['3.10', undefined],
  ['v3.10.0', undefined],
  ['4.0', undefined],
  ['unknown', '3.10'],
])('an app of version %s is offered %s', (current, version) => {
  expect(updateFrom(current, offered)?.version).toBe(version);
  expect(updateFrom(current, [])).toBeNull();
});
