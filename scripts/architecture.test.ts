import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { floors } from '../.dependency-cruiser.mjs';
import { scriptFiles as filesByName } from './npm-script-files.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const isThere = (path: string) => existsSync(new URL(`../${path}`, import.meta.url));
const map = read('docs/architecture.md');
const inSource = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' });
const files = inSource.filter((name) => /\.tsx?$/.test(name));
const journeys = readdirSync(new URL('../e2e', import.meta.url)).filter((name) => name.endsWith('.ts'));
const paths = [...files.map((name) => `src/${name}`), ...journeys.map((name) => `e2e/${name}`), 'package.json'];
const source = paths.map(read).join('\n');
/** Some names mean the file of that name in every folder. */
const isSomewhere = (name: string) => paths.some((file) => file.endsWith(`/${name}`));

/** The texts in backticks. */
const named = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
const isPath = (name: string) => /^[\w.#-]+(\/[\w.-]+)*\/?$/.test(name) && /\/|\.(ts|tsx|css|md|mjs|json)$/.test(name);

/** The texts in backticks, and the words of the blocks that are set apart. */
const namesIn = (text: string) => {
  const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split(/[\s;:,]+/));
  return [...named(text.replace(/```[\s\S]*?```/g, '')), ...blocks.map((word) => word.replace(/\.$/, ''))];
};
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** `name()`, `name(argument)`: in the text of the product. */
const calledIn = (names: string[]) => names.flatMap((name) => /^(?:\w+\.)*([A-Za-z_]\w*)\(.*\)$/.exec(name)?.[1] ?? []);
/** `bench web`: the scripts of a text, each with the name that follows it. */
const scriptsIn = (text: string) =>
  [...text.matchAll(/\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(test|start)\b)(?: -- ([a-z][\w-]*))?/g)].map(
    ([, run, own = '', name = '']) => `${run ?? own} ${name}`.trim(),
  );
const soaks = [...read('scripts/soak.ts').matchAll(/^ {2}(\w+): \w+,$/gm)].map(([, name = '']) => name);
const namesOf: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.entries(filesByName).map(([script, files]) => [script, Object.keys(files)])),
  soak: [...soaks, 'shop'],
};
const isScript = (text: string) => {
  const [script = '', name = ''] = text.split(' ');
  return script in scripts && (namesOf[script]?.includes(name) ?? true);
};

describe.each(['docs/architecture.md', 'docs/one-order.md', 'docs/decisions/boundaries.md', 'CONTRIBUTING.md'])(
  '%s',
  (document) => {
    const text = read(document);
    const names = namesIn(text);

    test('names only files and folders that exist', () => {
      // Names that mean a file in any folder, or one that a reader is going to write.
      const isGiven = (name: string) => !/^(server|web|testing)\/$|^messages\.\w+\.json$|NNN/.test(name);
      const paths = names.filter(isPath).filter(isGiven);
      expect(paths.length).toBeGreaterThan(2);
      const isKnown = (path: string) => [path, `src/${path}`].some(isThere) || isSomewhere(path);
      expect(paths.filter((path) => !isKnown(path))).toEqual([]);
    });

    test('names only functions and types that exist', () => {
      const symbols = names.filter((name) => /^[A-Z][a-z]+[A-Z]\w*$|^[a-z]+[A-Z]\w*$/.test(name));
      const known = (symbol: string) => new RegExp(`\\b${symbol}\\b`).test(source);
      expect([...symbols, ...calledIn(names)].filter((symbol) => !known(symbol))).toEqual([]);
    });
  },
);

describe('the scripts of package.json', () => {
  const written = [
    'docs/**/*.md',
    '*.md',
    'simulators/*/*.md',
    '.ci/run',
    '{scripts,bench,android,simulators}/**/*.ts',
  ];
  const documents = globSync(written, {
    cwd: root,
    exclude: ['**/node_modules/**', 'scripts/soak.ts', 'scripts/architecture.test.ts'],
  });

  test('and the names behind them exist wherever one is written', () => {
    expect(documents.length).toBeGreaterThan(150);
    const missing = documents.flatMap((file) =>
      scriptsIn(read(file)).flatMap((script) => (isScript(script) ? [] : [`${file}: ${script}`])),
    );
    expect(missing).toEqual([]);
  });

  test('run files that exist', () => {
    const behind = Object.values(filesByName).flatMap((files) => Object.values(files));
    const own = Object.values(scripts).flatMap((script) => script.match(/(?<=node )[\w/.-]+\.\w+/g) ?? []);
    expect([...behind, ...own].filter((file) => !isThere(file))).toEqual([]);
  });

  test.each(['npm run bench -- gone', 'npm run -s soak -- gone', 'npm run make', 'npm run bench:web'])(
    'of %j it says that it is not there',
    (text) => expect(scriptsIn(text).filter(isScript)).toEqual([]),
  );
});

test.each([
  ['`gone/file.ts`, and `readGone()`', ['gone/file.ts', 'readGone()']],
  ['```\nmenu   menus; gone/operations: every edit\n```', ['menu', 'menus', 'gone/operations', 'every', 'edit']],
])('of %j it reads %j', (text, names) => {
  expect(namesIn(text).filter(Boolean)).toEqual(names);
  expect(calledIn(namesIn(text)).filter((name) => source.includes(name))).toEqual([]);
});

describe('the map', () => {
  test('fits on a screen', () => {
    expect(map.split('\n').length).toBeLessThanOrEqual(55);
    expect(map.match(/^\| (?!question).*\?.* \|$/gm)?.length).toBeLessThanOrEqual(15);
  });

  test('shows the folders in the order that the dependency check enforces', () => {
    const shown = [
      ...(/```\n([\s\S]*?)```/.exec(map)?.[1] ?? '').matchAll(/(?:^| {2})([a-z][a-z-]*(?:\.ts)?) {2,}/gm),
    ].map(([, name]) => name);
    const held = floors.flat().map((name) => name.replace('\\.', '.'));
    const shownHeld = held.filter((name) => shown.includes(name));
    expect(shown.filter((name) => name !== undefined && held.includes(name))).toEqual(shownHeld);
    const folders = readdirSync(new URL('../src', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .filter((name) => name !== 'testing' && name !== 'messages.gen');
    expect(shownHeld).toEqual(expect.arrayContaining(folders));
  });

  test('shows the path of one order, which never goes back to an earlier folder', () => {
    const line = map.split('\n').find((text) => text.includes("One order's way")) ?? '';
    const steps = named(line);
    expect(steps.length).toBeGreaterThan(5);
    const places = steps.map((step) => step.split('/')[0]);
    expect(places).toEqual([...new Set(places)].flatMap((place) => places.filter((other) => other === place)));
  });
});

test('the server imports no package that is missing from an install without development packages', () => {
  // npm writes this file.
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const onServer = files.filter((name) => !/\/(web|testing)\/|^testing\/|\.test\.ts$|\.tsx$|messages\.gen/.test(name));
  const imports = /^(?:import|export) (?!type\b)[^'";]*?from '([^#.'][^']*)'|\bimport\('([^#.'][^']*)'\)/gm;
  const used = onServer.flatMap((name) =>
    [...read(`src/${name}`).matchAll(imports)].map(([, now, later]) => now ?? later ?? ''),
  );
  const packages = used.flatMap((name) => /^(?!node:)(?:@[^/]+\/)?[^/]+/.exec(name) ?? []);
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter((name) => !(name in dependencies))).toEqual([]);
});

describe('style sheets', () => {
  const sheets = inSource.filter((name) => name.endsWith('.css'));
  const pages = files.map((name) => read(`src/${name}`)).filter((text) => text.includes(".module.css'"));

  test('are not longer than the linter lets code be', () => {
    const { rules } = JSON.parse(read('.oxlintrc.json')) as { rules: { 'max-lines': [string, { max: number }] } };
    const [, { max }] = rules['max-lines'];
    const linesOf = (name: string) => read(`src/${name}`).trimEnd().split('\n').length;
    expect(sheets.length).toBeGreaterThan(50);
    expect(sheets.filter((name) => linesOf(name) > max)).toEqual([]);
  });

  test.each(sheets.filter((name) => name.endsWith('.module.css')))(
    '%s has the classes that are used, and no others',
    (sheet) => {
      const used = pages.flatMap((page) => classesUsed(page, sheet));
      expect(used).not.toEqual([]);
      expect([...new Set(used)].toSorted()).toEqual(classesOf(read(`src/${sheet}`)));
    },
  );
});

test('the style sheet of the customers’ pages has the classes of every file that they are made of', () => {
  const from = 'src/storefront/web';
  const sources = [...read(`${from}/storefront.css`).matchAll(/^@source '([^']+)';/gm)].map(([, path = '']) =>
    join(from, path.endsWith('.tsx') ? path : `${path}/**`),
  );
  expect(sources.length).toBeGreaterThan(5);
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const imports = read(file).matchAll(/(?:from|import\() ?'#([^']+\.tsx?)'/g);
    for (const [, path = ''] of imports) if (isThere(`src/${path}`)) visit(`src/${path}`);
  };
  visit(`${from}/entry-client.tsx`);
  expect(seen.size).toBeGreaterThan(100);
  // Tailwind's classes are written as text; others are members of a module.
  const styled = [...seen].filter((file) => file.endsWith('.tsx') && /className="[^"]/.test(read(file)));
  const isScanned = (file: string) => sources.some((source) => matchesGlob(file, source));
  expect(styled.filter((file) => !isScanned(file))).toEqual([]);
});

describe('the index of decisions', () => {
  const index = read('docs/decisions/README.md');
  const notes = readdirSync(new URL('../docs/decisions', import.meta.url)).filter((name) => name !== 'README.md');

  test.each(notes)('lists %s with its title', (name) => {
    const [heading = ''] = read(`docs/decisions/${name}`).split('\n');
    const [, title] = /^# (.+)$/.exec(heading) ?? [];
    expect(index).toContain(`| [${title}](${name}) |`);
  });

  test('lists nothing else', () => {
    const listed = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(notes.toSorted());
  });

  test.each(notes)('has %s short, and dated', (name) => {
    const text = read(`docs/decisions/${name}`);
    expect(text).toMatch(/^# .+\n\n\d{4}-\d\d-\d\d/);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(400);
  });
});

/** The names that a page takes from a module of classes. */
function classesUsed(page: string, sheet: string): string[] {
  const [, name] = new RegExp(`^import (\\w+) from '#${sheet.replaceAll('.', '\\.')}';$`, 'm').exec(page) ?? [];
  const body = page.replaceAll(/^import .*$/gm, '');
  return name ? [...body.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, used = '']) => used) : [];
}

/** The classes of a sheet, by name; without those of a library, which are in :global(), and what texts hold. */
function classesOf(sheet: string): string[] {
  const text = sheet.replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)|'[^']*'/g, '');
  return [...new Set([...text.matchAll(/\.([A-Za-z]\w*)/g)].map(([, name = '']) => name))].toSorted();
}
