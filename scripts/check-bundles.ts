import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { defaultLanguage, languages } from '#platform/language.ts';
import { measureMenuPage } from '../bench/menu-page.ts';

/** Bytes that a first visit to /menu may fetch, gzipped; its HTML with brotli. They are exact, so they gate. */
const budget = { script: 90_000, styles: 8_000, html: 20_000 };
const officeBudget = { script: 220_000, charts: 110_000, map: 50_000 };
/** What only the staff's side uses, and schema code, which the browser never needs. */
const foreign = /mantine|ZodError|@office|\boffice_/;

interface Chunk {
  file: string;
  src?: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}
type Manifest = Record<string, Chunk>;

const client = new URL('../dist/client/', import.meta.url);
const entry = 'src/storefront/web/entry-client.tsx';
const faults: string[] = [];

for (const language of languages) {
  await check(language);
  const { brotli } = await measureMenuPage(language);
  report(`${language}: HTML of the menu, with its styles`, brotli, budget.html, 'with brotli');
}
await checkOffice();

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}

async function check(language: string): Promise<void> {
  const manifest = JSON.parse(await readFile(new URL(`.vite/storefront-${language}.json`, client), 'utf8')) as Manifest;
  const first = reachable(manifest, [entry], ({ imports = [] }) => imports);
  const scripts = await sizeOf(first.map(({ file }) => file));
  const styles = await sizeOf(first.flatMap(({ css = [] }) => css));
  report(`${language}: script of the first view`, scripts, budget.script);
  report(`${language}: styles of the first view`, styles, budget.styles);

  const everything = reachable(manifest, [entry], ({ imports = [], dynamicImports = [] }) => [
    ...imports,
    ...dynamicImports,
  ]);
  for (const { file } of everything) {
    const found = foreign.exec(await readFile(new URL(file, client), 'utf8'));
    if (found) faults.push(`${file} holds "${found[0]}", which a customer never needs.`);
  }
  console.log(`${language}: ${everything.length} files of the storefront hold nothing of the office.`);
}

/** The office's first view, which is the order board, and what its heavy parts add when they are opened. */
async function checkOffice(): Promise<void> {
  const name = `.vite/office-${defaultLanguage}.json`;
  const manifest = JSON.parse(await readFile(new URL(name, client), 'utf8')) as Manifest;
  const scriptsOf = (start: readonly string[]) =>
    reachable(manifest, start, ({ imports = [] }) => imports).map(({ file }) => file);
  const first = scriptsOf(['src/office/web/entry.tsx', 'src/kitchen/web/order-board.tsx']);
  report('office: script of the first view', await sizeOf(first), officeBudget.script);
  // A part may share small pieces with the page that opens it, which has them already.
  const pagesAround = ['src/reports/web/reports-page.tsx', 'src/store/web/manage/manage-page.tsx'];
  const heavy = { charts: 'src/reports/web/sales-chart.tsx', map: 'src/store/web/map.ts' } as const;
  for (const [part, start] of Object.entries(heavy) as [keyof typeof heavy, string][]) {
    if (!manifest[start]) continue;
    const known = new Set([...first, ...scriptsOf(pagesAround)]);
    const added = scriptsOf([start]).filter((file) => !known.has(file));
    report(`office: what the ${part} add${part === 'map' ? 's' : ''}`, await sizeOf(added), officeBudget[part]);
  }
}

function reachable(manifest: Manifest, start: readonly string[], next: (chunk: Chunk) => readonly string[]): Chunk[] {
  const found = new Set<string>();
  const waiting = [...start];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The manifest has no ${key}. Run: npm run build`);
    if (found.has(key)) continue;
    found.add(key);
    waiting.push(...next(chunk));
  }
  return [...found].map((key) => manifest[key] as Chunk);
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const texts = await Promise.all([...new Set(files)].map((file) => readFile(new URL(file, client))));
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
}

function report(what: string, bytes: number, most: number, how = 'gzipped'): void {
  const line = `${what}: ${(bytes / 1000).toFixed(1)} of ${most / 1000} KB, ${how}`;
  console.log(line);
  if (bytes > most) faults.push(`Too much ${line}.`);
}
