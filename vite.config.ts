import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import type { Face } from './src/pages.ts';
import { storefrontGroups } from './scripts/build/storefront-files.ts';
import { earlyLayer, withoutRepeats } from './scripts/build/later-styles.ts';
import { defaultLanguage, type Language, languages } from './src/platform/languages.ts';

/** Browser targets that know `<dialog>`, `:has()`, `@property` and nested CSS; older ones still read the server's HTML. */
const target = ['chrome111', 'edge111', 'firefox128', 'safari16.4'];

export const entries: Record<Face, string> = {
  storefront: 'src/storefront/web/entry-client.tsx',
  office: 'src/office/web/entry.tsx',
};

/** The storefront is built once in each language, so that nobody fetches words of another; the office is English. */
export const builds: { face: Face; language: Language }[] = [
  ...languages.map((language) => ({ face: 'storefront' as const, language })),
  { face: 'office', language: defaultLanguage },
];

/** Each face is a build of its own, so that no code of one can end up in what the other's visitors fetch. */
export function faceConfig(face: Face, language: Language): UserConfig {
  return {
    base: '/static/',
    publicDir: false,
    plugins: [react(), tailwindcss(), saidOnce(face), withoutFallbacks(), registeredAtFirst(face), readAtOnce(face)],
    // The words of one language, and no way of choosing them.
    resolve: {
      alias: { '#messages': fileURLToPath(new URL(`src/messages.gen/${language}/only.ts`, import.meta.url)) },
    },
    build: {
      outDir: 'dist/client',
      manifest: `.vite/${face}-${language}.json`,
      target,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input: { [face]: entries[face] },
        // What the first view needs is one file: it compresses better, and comes in one round trip.
        ...(face === 'storefront' && {
          // The first view names all later files: their hashes are the part of it that does not compress.
          output: {
            codeSplitting: { groups: storefrontGroups(entries.storefront) },
            chunkFileNames: 'assets/[name]-[hash:6].js',
          },
        }),
      },
    },
  };
}

/** The service worker: one plain script for every language, at an address that stays the same. */
export function workerConfig(release: string): UserConfig {
  return {
    publicDir: false,
    build: {
      outDir: 'dist/client',
      target,
      rolldownOptions: {
        input: { 'service-worker': 'src/storefront/web/service-worker.ts' },
        // A byte's difference makes a browser take it for a new one, and ask before the page is replaced.
        output: { entryFileNames: '[name].js', format: 'iife', postBanner: `/* ${release} */` },
      },
    },
  };
}

/** The server's rendering: one self-contained file in production mode, however the server itself runs. */
export function renderingConfig(): UserConfig {
  return {
    base: '/static/',
    publicDir: false,
    plugins: [react(), tailwindcss()],
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      ssr: true,
      outDir: 'dist/ssr',
      target: 'node22',
      rolldownOptions: { input: 'src/storefront/web/entry-server.tsx', output: { entryFileNames: '[name].js' } },
    },
  };
}

/** For tools that look for a configuration; the build itself asks for each of its parts. */
export default defineConfig(faceConfig('storefront', defaultLanguage));

/** Tailwind repeats the initial values of its `@property` rules for browsers that do not know them; our targets all do. */
function withoutFallbacks(): Plugin {
  const fallbacks = /@layer properties\{@supports [^{]*\{[^{}]*\{[^{}]*\}\}\}/;
  return {
    name: 'without-fallbacks',
    generateBundle(_options, bundle) {
      for (const sheet of stylesIn(bundle)) sheet.source = sheet.source.toString().replace(fallbacks, '');
    },
  };
}

/**
 * Makes the styles that follow the first view's cheap to take over, while a slow phone stands still for it: what the
 * first view's have said is not said again. It is left out before a file gets its name, which is of what it holds.
 */
function saidOnce(face: Face): Plugin {
  const [first, more] = ['storefront/web/storefront.css', 'ui/web/more.css'].map((name) =>
    fileURLToPath(new URL(`src/${name}`, import.meta.url)),
  );
  let firstStyles = '';
  return {
    name: 'said-once',
    // After Tailwind, which is an early one too and stands before it.
    enforce: 'pre',
    async transform(code, id) {
      if (face !== 'storefront') return null;
      if (id === first) {
        firstStyles = code;
        return { code: code + earlyLayer, map: null };
      }
      if (id !== more || !first) return null;
      await this.load({ id: first });
      if (!firstStyles) throw new Error('The styles of the first view are elsewhere.');
      return { code: withoutRepeats(firstStyles, code), map: null };
    },
  };
}

/**
 * Registers every property of the later styles with the first view's. A sheet that registers any makes a browser compute
 * each element anew, twice as long as one that only adds classes.
 */
function registeredAtFirst(face: Face): Plugin {
  const registration = /@property [^{]+\{[^}]*\}/g;
  return {
    name: 'registered-at-first',
    generateBundle(_options, bundle) {
      if (face !== 'storefront') return;
      const sheets = stylesIn(bundle);
      const first = sheets.find(({ fileName }) => fileName.startsWith('assets/storefront-'));
      if (!first) throw new Error('The styles of the first view have another name.');
      const rules = new Set(sheets.flatMap(({ source }) => source.toString().match(registration) ?? []));
      for (const sheet of sheets) sheet.source = sheet.source.toString().replace(registration, '');
      first.source += [...rules].join('');
    },
  };
}

export const readAtOnceHint = '//# allFunctionsCalledOnLoad';

/**
 * Chromium reads a function when it is first called, on the thread that answers taps. Of the first view and the socket
 * half are called as they start; with this hint all are read while the file comes, on another thread.
 * https://github.com/explainers-by-googlers/explicit-javascript-compile-hints-file-based
 */
function readAtOnce(face: Face): Plugin {
  return {
    name: 'read-at-once',
    // It counts at the head of a file only, and Vite puts its own there in this step.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        if (face !== 'storefront') return;
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && (file.isEntry || file.name === 'pusher')) {
            file.code = `${readAtOnceHint}\n${file.code}`;
          }
        }
      },
    },
  };
}

function stylesIn(bundle: Parameters<Extract<Plugin['generateBundle'], (...args: never) => unknown>>[1]) {
  return Object.values(bundle)
    .filter((file) => file.type === 'asset')
    .filter(({ fileName }) => fileName.endsWith('.css'));
}
