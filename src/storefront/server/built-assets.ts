import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Face } from '#pages.ts';
import { defaultLanguage, type Language } from '#platform/language.ts';

export const clientFolder = new URL('../../../dist/client/', import.meta.url);
export const assetsPrefix = '/static/';

interface ManifestChunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

export interface FaceAssets {
  script: string;
  /**
   * The chunks that the script and the opened page import. Preloading makes the browser fetch these chunks in parallel.
   */
  preloads: string[];
  stylesheets: string[];
  css: string;
  /**
   * The style sheets that the opened page needs in addition to those of every page. `pageCss`: the text of these style
   * sheets.
   */
  pageStylesheets: string[];
  pageCss: string;
  fonts: string[];
}

const entries: Record<Face, string> = {
  storefront: 'src/storefront/web/entry-client.tsx',
  office: 'src/office/web/entry.tsx',
};

/**
 * Reads a front end's files in a language from the build's manifest. `firstPage`: other source files that the first
 * page needs, such as `src/ordering/web/menu/menu-page.tsx`. Throws without a build.
 */
export async function readFaceAssets(
  face: Face,
  language: Language = defaultLanguage,
  firstPage: readonly string[] = [],
): Promise<FaceAssets> {
  const manifest = await readManifest(face, language);
  const entry = manifest[entries[face]];
  if (!entry) throw new Error(`The build has no ${entries[face]}.`);
  const imported = new Set<ManifestChunk>();
  collectImports(manifest, entry, imported);
  const files = [...new Set([entry, ...imported].flatMap((chunk) => chunk.css ?? []))];
  for (const name of firstPage) {
    const page = manifest[name];
    if (!page) throw new Error(`The build has no ${name}.`);
    imported.add(page);
    collectImports(manifest, page, imported);
  }
  imported.delete(entry);
  const pageFiles = [...new Set([...imported].flatMap((chunk) => chunk.css ?? []))].filter((it) => !files.includes(it));
  const css = await readAll(files);
  return {
    script: assetsPrefix + entry.file,
    preloads: [...imported].map(({ file }) => assetsPrefix + file),
    stylesheets: files.map((file) => assetsPrefix + file),
    css,
    pageStylesheets: pageFiles.map((file) => assetsPrefix + file),
    pageCss: await readAll(pageFiles),
    fonts: [...new Set(css.match(/\/static\/[^)'"]+\.woff2/g) ?? [])].filter((file) => isFirstFont(file, language)),
  };
}

async function readAll(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, clientFolder), 'utf8')));
  return texts.join('');
}

/** Whether a page needs the font at once. The other fonts have rare letters and load on demand. */
function isFirstFont(file: string, language: Language): boolean {
  return ['/display-latin-', `/display-${language}-`, '-grotesque-latin-wght-'].some((part) => file.includes(part));
}

async function readManifest(face: Face, language: Language): Promise<Record<string, ManifestChunk>> {
  const file = new URL(`.vite/${face}-${language}.json`, clientFolder);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no build of the pages in ${fileURLToPath(clientFolder)}. Run: npm run build`);
  });
  // The cast is safe, because the build of the same release wrote the file.
  return JSON.parse(text) as Record<string, ManifestChunk>;
}

function collectImports(
  manifest: Record<string, ManifestChunk>,
  chunk: ManifestChunk,
  found: Set<ManifestChunk>,
): void {
  for (const key of chunk.imports ?? []) {
    const imported = manifest[key];
    if (!imported || found.has(imported)) continue;
    found.add(imported);
    collectImports(manifest, imported, found);
  }
}
