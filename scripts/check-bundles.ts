import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { defaultLanguage, languages } from '#platform/language.ts';
import { measurePage } from '../bench/menu-page.ts';
import { readAtOnceHint } from '../vite.config.ts';

/**
 * The limits of a first visit (bytes). Scripts and styles are measured with gzip, HTML and pictures with Brotli, and
 * `page` as sent. `page` is below the promised 200 KB, to leave room for pictures that come near the screen while the
 * page loads.
 */
const budget = { script: 110_000, styles: 12_000, html: 25_000, picture: 40_000, page: 175_000, map: 50_000 };
const officeBudget = { script: 224_000, charts: 60_000, map: 50_000 };
/** Matches schema code, which browsers do not need, because the server validates the input. */
const schemas = /\$ZodType|ZodError/;
const officeCode = /mantine|@office|\boffice_/;
/** A string by which each heavy part's code is recognised, whichever chunk contains it. */
const marks = { charts: 'Canvas is already in use', map: 'leaflet-container' };

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
const homePage = 'src/storefront/web/home-page.tsx';
const officeEntry = 'src/office/web/entry.tsx';
const reportsPage = 'src/reports/web/reports-page.tsx';
const storePage = 'src/store/web/manage/manage-page.tsx';
const faults: string[] = [];

for (const language of languages) await checkStorefront(language);
await checkOffice();

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}

async function checkStorefront(language: (typeof languages)[number]): Promise<void> {
  const manifest = await readManifest(`storefront-${language}`);
  const first = chunksOf(manifest, [entry]);
  report(`${language}: script of the first view`, await sizeOf(first.map(({ file }) => file)), budget.script);
  await checkHint(manifest, [entry, 'node_modules/pusher-js/dist/web/pusher.js']);
  report(`${language}: styles of the first view`, await sizeOf(first.flatMap(({ css = [] }) => css)), budget.styles);
  for (const path of ['/menu', '/'] as const) {
    const { brotli, picture, total } = await measurePage(path, language);
    report(`${language}: HTML of ${path}, with its styles`, brotli, budget.html, 'with brotli');
    report(`${language}: largest first picture of ${path}`, picture, budget.picture, 'with brotli');
    report(`${language}: all that ${path} asks for at once`, total, budget.page, 'as sent');
  }
  await checkPart(manifest, 'map', [entry, homePage], `${language}: `, budget.map);
  await refuse(
    manifest,
    [entry],
    { 'schema code': schemas, 'code of the office': officeCode },
    `${language}: storefront`,
  );
}

/**
 * Checks that `readAtOnceHint` comes first in the file, because browsers ignore a later hint, and no other test would
 * notice.
 */
async function checkHint(manifest: Manifest, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const file = manifest[key]?.file;
    if (!file) throw new Error(`The manifest has no ${key}. Run: npm run build`);
    if (!(await readText(file)).startsWith(readAtOnceHint))
      faults.push(`${file} does not begin with "${readAtOnceHint}".`);
  }
}

/**
 * Checks the size of the office's first view with the order board. Also checks how many bytes the charts and the map
 * add when they are opened.
 */
async function checkOffice(): Promise<void> {
  const manifest = await readManifest(`office-${defaultLanguage}`);
  // The board is found by its chunk's name. TV screens share the board's code, so the manifest has no key with the
  // board's source file.
  const board = Object.keys(manifest).find((key) => /^_order-board-.*\.js$/.test(key));
  if (!board) throw new Error('The manifest has no chunk of the order board.');
  const officeView = [officeEntry, board];
  const first = chunksOf(manifest, officeView).map(({ file }) => file);
  report('office: script of the first view', await sizeOf(first), officeBudget.script);
  await checkPart(manifest, 'charts', [...officeView, reportsPage], 'office: ', officeBudget.charts);
  await checkPart(manifest, 'map', [...officeView, storePage], 'office: ', officeBudget.map);
  await refuse(manifest, officeView, { 'schema code': schemas }, 'office');
}

/** Checks that a heavy part loads only when it is opened, and adds at most `most` bytes to its page. */
async function checkPart(
  manifest: Manifest,
  part: keyof typeof marks,
  around: readonly string[],
  where: string,
  most: number,
): Promise<void> {
  const known = new Set(chunksOf(manifest, around).map(({ file }) => file));
  let isFound = false;
  for (const [key, { file }] of Object.entries(manifest)) {
    if (!file.endsWith('.js') || !(await readText(file)).includes(marks[part])) continue;
    isFound = true;
    if (known.has(file)) faults.push(`${where}the ${part} come with the page, in ${file}, instead of when opened.`);
    const added = chunksOf(manifest, [key]).flatMap((chunk) => (known.has(chunk.file) ? [] : [chunk.file]));
    report(`${where}${part}, when opened`, await sizeOf(added), most);
  }
  if (!isFound) faults.push(`${where}no chunk holds the ${part}: "${marks[part]}" is nowhere to be found.`);
}

/** Searches for forbidden code in everything that these entries can load. */
async function refuse(
  manifest: Manifest,
  start: readonly string[],
  refused: Record<string, RegExp>,
  where: string,
): Promise<void> {
  const all = chunksOf(manifest, start, (chunk) => [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]);
  for (const { file } of all) {
    const text = await readText(file);
    for (const [what, pattern] of Object.entries(refused)) {
      const found = pattern.exec(text);
      if (found) faults.push(`${where}: ${file} holds ${what}, "${found[0]}".`);
    }
  }
  console.log(`${where}: ${all.length} files searched for ${Object.keys(refused).join(' and ')}`);
}

async function readManifest(name: string): Promise<Manifest> {
  // The cast is safe, because the build of the same sources wrote this file.
  return JSON.parse(await readText(`.vite/${name}.json`)) as Manifest;
}

function chunksOf(
  manifest: Manifest,
  start: readonly string[],
  next: (chunk: Chunk) => readonly string[] = ({ imports = [] }) => imports,
): Chunk[] {
  const found = new Map<string, Chunk>();
  const waiting = [...start];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The manifest has no ${key}. Run: npm run build`);
    if (found.has(key)) continue;
    found.set(key, chunk);
    waiting.push(...next(chunk));
  }
  return [...found.values()];
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const texts = await Promise.all([...new Set(files)].map((file) => readFile(new URL(file, client))));
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
}

function readText(file: string): Promise<string> {
  return readFile(new URL(file, client), 'utf8');
}

function report(what: string, bytes: number, most: number, how = 'gzipped'): void {
  const line = `${what}: ${(bytes / 1000).toFixed(1)} of ${most / 1000} KB, ${how}`;
  console.log(line);
  if (bytes > most) faults.push(`Too much ${line}.`);
}
