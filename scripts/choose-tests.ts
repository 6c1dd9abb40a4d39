/** Each file's imports, as paths from the repository's root. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * A test that imports one of these, directly or indirectly, runs the whole application or a database. All other tests
 * are pure.
 */
const heavy = ['src/app.ts', 'src/testing/test-database.ts'];
/** These tests call every endpoint, so every change would choose them. They are left to `npm test`. */
const sweeps = new Set(['src/testing/access.test.ts', 'src/testing/bad-input.test.ts']);

/**
 * Chooses a change's tests: all tests of the changed domains, and the pure tests elsewhere that import a changed file.
 * Tests of other domains that run the application or a database are left to `npm test`.
 */
export function chooseTests(changed: readonly string[], imports: Imports): string[] {
  const importers = invert(imports);
  const affected = reach(changed, importers);
  const notPure = reach(heavy, importers);
  const domains = new Set(changed.flatMap((file) => domainOf(file) ?? []));
  return [...imports.keys()]
    .filter((file) => file.endsWith('.test.ts') && !sweeps.has(file))
    .filter((file) => domains.has(domainOf(file) ?? '') || (affected.has(file) && !notPure.has(file)))
    .toSorted();
}

function domainOf(file: string): string | null {
  return /^(?:src|simulators)\/[^/]+\//.exec(file)?.[0] ?? null;
}

function invert(imports: Imports): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, imported] of imports) {
    for (const each of imported) importers.set(each, [...(importers.get(each) ?? []), file]);
  }
  return importers;
}

/** These files and all files that import them, directly or indirectly. */
function reach(from: readonly string[], importers: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(from);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}
