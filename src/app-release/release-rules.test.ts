import { expect, test } from 'vitest';
import {
  compareVersions,
  isDebugKey,
  sortNewestFirst,
  parseVersion,
  type ReleaseCandidate,
  type EarlierReleases,
  releaseProblem,
  newerRelease,
} from '#app-release/release-rules.ts';
import fc from 'fast-check';

const file: ReleaseCandidate = {
  package: 'com.example.shop',
  version: '3.10.19',
  version_code: 3_010_019,
  target_sdk: 36,
  signer: 'aa',
  is_debuggable: false,
  app: 'customer',
  shop: 'https://shop.example.com',
};
const soFar: EarlierReleases = {
  fixed: { package: 'com.example.shop', signer: 'aa' },
  current: { version: '3.10.18', version_code: 3_010_018 },
  otherPackages: ['com.example.kitchen'],
  shop: 'https://shop.example.com/',
};

test.each<[string, Partial<ReleaseCandidate>, Partial<EarlierReleases>, string | null]>([
  ['the next version', {}, {}, null],
  ['the first one', {}, { fixed: null, current: null, otherPackages: [] }, null],
  ['one that does not say whose it is', { app: null, shop: null }, {}, null],
  ['one after a release that was never read', {}, { current: { version: '3.10.18', version_code: null } }, null],
  ['the kitchen’s app', { app: 'kitchen' }, {}, 'other_app'],
  ['another shop’s', { shop: 'https://other.example.com' }, {}, 'other_shop'],
  ['one for every shop, as the kitchen’s app is', { shop: '' }, {}, null],
  ['one for the same host without https', { shop: 'http://shop.example.com' }, {}, 'other_shop'],
  ['a build for developers', { is_debuggable: true }, {}, 'debuggable'],
  ['a version in words', { version: '3.10.20-beta' }, {}, 'no_version'],
  ['one for old phones', { target_sdk: 29 }, {}, 'old_target'],
  ['one with the other app’s package', { package: 'com.example.kitchen' }, {}, 'other_platform_package'],
  ['one with another package', { package: 'com.example.else' }, {}, 'other_package'],
  ['one with another signer', { signer: 'bb' }, {}, 'other_signer'],
  ['the same again', { version: '3.10.18', version_code: 3_010_018 }, {}, 'not_newer'],
  ['an older one', { version: '3.9.99', version_code: 3_009_099 }, {}, 'not_newer'],
  ['a newer name with an older code', { version_code: 3_010_018 }, {}, 'not_newer'],
  ['an older name with a newer code', { version: '3.10.17' }, {}, 'not_newer'],
])('%s', (_name, ofFile, ofShop, problem) => {
  expect(releaseProblem({ ...file, ...ofFile }, 'android', { ...soFar, ...ofShop })).toBe(problem);
});

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
    expect(parseVersion(text)).toBeNull();
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
  expect(sortNewestFirst(offered).map(({ version }) => version)).toEqual(['3.10', '3.9', '2.0']);
});

test.each([
  ['3.9', '3.10'],
  ['3.10', undefined],
  ['v3.10.0', undefined],
  ['4.0', undefined],
  ['unknown', '3.10'],
])('an app of version %s is offered %s', (current, version) => {
  expect(newerRelease(current, offered)?.version).toBe(version);
  expect(newerRelease(current, [])).toBeNull();
});

test.each(['CN=Hatch debug', 'C=US, O=Android, CN=Android Debug', 'CN=Android Debug,O=Android,C=US'])(
  '%s is a debug key',
  (subject) => expect(isDebugKey(subject)).toBe(true),
);

test.each(['CN=The Hatch', 'CN=Hatch debugging Ltd', 'O=Hatch debug, CN=Shop', ''])('%s is none', (subject) =>
  expect(isDebugKey(subject)).toBe(false),
);
