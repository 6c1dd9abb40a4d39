import { expect, test } from 'vitest';
import { type Releasable, releaseProblem, type ReleasedSoFar } from '#app-release/release-rules.ts';

const file: Releasable = {
  package: 'com.example.shop',
  version: '3.10.19',
  version_code: 3_010_019,
  target_sdk: 36,
  signer: 'aa',
  is_debuggable: false,
  app: 'customer',
  shop: 'https://shop.example.com',
};
const soFar: ReleasedSoFar = {
  fixed: { package: 'com.example.shop', signer: 'aa' },
  current: { version: '3.10.18', version_code: 3_010_018 },
  otherPackages: ['com.example.kitchen'],
  shop: 'https://shop.example.com/',
};

test.each<[string, Partial<Releasable>, Partial<ReleasedSoFar>, string | null]>([
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
