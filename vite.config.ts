import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import type { Face } from './src/pages.ts';
import { defaultLanguage, type Language, languages } from './src/platform/languages.ts';

/** Browser targets that know `<dialog>`, `:has()`, `@property` and nested CSS; older ones still read the server's HTML. */
const target = ['chrome111', 'edge111', 'firefox128', 'safari16.4'];

export const sourceEntries: Record<Face, string> = {
  storefront: 'src/storefront/web/entry-client.tsx',
  office: 'src/office/web/entry.tsx',
};

/** The storefront is built once in each language, so that nobody fetches words of another; the office is English. */
export const builds: { face: Face; language: Language }[] = [
  ...languages.map((language) => ({ face: 'storefront' as const, language })),
  { face: 'office', language: defaultLanguage },
];

/**
 * Few files follow the storefront's first view, since each further one costs a slow phone several milliseconds of asking
 * for it, and a round trip. What is named here is one file each, with all that it needs and no file above it has.
 */
const groups = [
  { name: 'first-view', test: /storefront\/web\/entry-client\.tsx$/ },
  // Words and small parts that several later pages show.
  { name: 'shared', test: /messages\.gen|src\/(ui|store)\//, minShareCount: 2 },
  { name: 'sheets', test: /ordering\/web\/menu\/menu-sheets\.tsx$/ },
  { name: 'live', test: /storefront\/web\/live-shop\.tsx$/ },
];

/** On a slow machine Rolldown warns of its plugins' times, which an owner who starts the shop can do nothing about. */
const checks = { bundlerTimings: false };

/** Each face is a build of its own, so that no code of one can end up in what the other's visitors fetch. */
export function faceConfig(face: Face, language: Language): UserConfig {
  return {
    base: '/static/',
    publicDir: false,
    plugins: [react(), tailwindcss(), readAtOnce()],
    // The words of one language; the office's are English, and its board fetches those of another.
    resolve: {
      alias: {
        '#messages': fileURLToPath(
          new URL(`src/messages.gen/${face === 'office' ? 'board' : language}/only.ts`, import.meta.url),
        ),
      },
    },
    // The reader of PDFs is large: a worker loads it only for a PDF.
    worker: { format: 'es' },
    build: {
      outDir: 'dist/client',
      manifest: `.vite/${face}-${language}.json`,
      target,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4000, // The budgets limit the sizes; a chunk of 3 MB reads HEIC photos.
      rolldownOptions: {
        checks,
        input: { [face]: sourceEntries[face] },
        ...(face === 'storefront' && { output: { codeSplitting: { groups } } }),
        // Without this, a message that calls `boardMessage` joins the first view, whichever page shows it.
        ...(face === 'office' && { treeshake: { moduleSideEffects: [{ test: /messages\.gen/, sideEffects: false }] } }),
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
        checks,
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
      rolldownOptions: {
        checks,
        input: 'src/storefront/web/entry-server.tsx',
        output: { entryFileNames: '[name].js' },
      },
    },
  };
}

/** For tools that look for a configuration; the build itself asks for each of its parts. */
export default defineConfig(faceConfig('storefront', defaultLanguage));

export const readAtOnceHint = '//# allFunctionsCalledOnLoad';

/**
 * Chromium reads a function when it is first called, on the thread that answers taps. Half of the first view's and of the
 * socket's library are called as they start; with this hint all are read while the file comes, on another thread.
 * https://github.com/explainers-by-googlers/explicit-javascript-compile-hints-file-based
 */
function readAtOnce(): Plugin {
  return {
    name: 'read-at-once',
    // It counts at the head of a file only, where Vite puts its own in this step: a banner would come below that.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && ['storefront', 'pusher'].includes(file.name)) {
            file.code = `${readAtOnceHint}\n${file.code}`;
          }
        }
      },
    },
  };
}
