/** Each file's imports, by paths from the root. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Tests of the whole application, or on a database, reach one of these; the others are pure. */
const heavy = ['src/app.ts', 'src/testing/test-database.ts'];
/** They call every endpoint, so every change would choose them. */
const sweeps = new Set(['src/testing/access.test.ts', 'src/testing/bad-input.test.ts']);

/**
 * The tests of a change: all of its domains' own, and the pure ones elsewhere that import a changed file. Other
 * domains' tests of the application and on a database are left to `npm test`.
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

/** These files and all that import them, however far away. */
function reach(from: readonly string[], importers: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(from);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}
