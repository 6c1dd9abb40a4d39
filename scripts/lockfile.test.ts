import { expect, test } from 'vitest';
import { type LockedPackage, findPackagesWithoutIntegrity } from './lockfile.ts';

const bundler = { version: '1.0.0', integrity: 'sha512-a', bundleDependencies: ['inner'] };
const inner = { version: '2.0.0', inBundle: true };

test.each<[string, Record<string, LockedPackage>, string[]]>([
  ['the project itself, which npm does not fetch', { '': {} }, []],
  ['a package with its own', { 'node_modules/a': { integrity: 'sha512-a' } }, []],
  ['a package without', { 'node_modules/a': { version: '1.0.0' } }, ['node_modules/a']],
  [
    'a package in the archive of one with its own',
    { 'node_modules/a': bundler, 'node_modules/a/node_modules/inner': inner },
    [],
  ],
  [
    'a package within a bundled one',
    {
      'node_modules/a': bundler,
      'node_modules/a/node_modules/inner': inner,
      'node_modules/a/node_modules/inner/node_modules/b': inner,
    },
    [],
  ],
  [
    'a package that is not marked as bundled, beside such ones',
    { 'node_modules/a': bundler, 'node_modules/a/node_modules/inner': { version: '2.0.0' } },
    ['node_modules/a/node_modules/inner'],
  ],
  [
    'a package in an archive that has none',
    {
      'node_modules/a': { version: '1.0.0', bundleDependencies: ['inner'] },
      'node_modules/a/node_modules/inner': inner,
    },
    ['node_modules/a', 'node_modules/a/node_modules/inner'],
  ],
  [
    'a package said to be bundled by one that bundles nothing',
    { 'node_modules/a': { integrity: 'sha512-a' }, 'node_modules/a/node_modules/inner': inner },
    ['node_modules/a/node_modules/inner'],
  ],
  ['a package said to be bundled by none', { 'node_modules/inner': inner }, ['node_modules/inner']],
])('of a lockfile, integrity is missing where it is not covered: %s', (_case, packages, expected) => {
  expect(findPackagesWithoutIntegrity(packages)).toEqual(expected);
});
