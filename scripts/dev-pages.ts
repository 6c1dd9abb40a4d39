import type { Face } from '../src/pages.ts';
import type { Language } from '../src/platform/languages.ts';

export interface SourcePage {
  face: Face;
  language: Language;
  html: string;
}

/**
 * Removes the build's files and the server-rendered content from a page, so that scripts from the sources can replace
 * them. Returns null if the page belongs to neither front end, like the sandbox's pages.
 */
export function toSourcePage(html: string): SourcePage | null {
  const [, face] =
    /<script type="module" src="\/static\/assets\/(storefront|office)-[^"]+"[^>]*><\/script>/.exec(html) ?? [];
  const [, language] = /<html lang="(\w+)"/.exec(html) ?? [];
  if (!face || !language) return null;
  const emptied = html
    .replaceAll(/<script type="module" src="\/static\/[^>]*><\/script>/g, '')
    .replaceAll(/<link [^>]*href="\/static\/[^>]*>/g, '')
    // The style with the owner's colour stays.
    .replaceAll(/<style>(?!:root\{--)[^<]*<\/style>/g, '')
    .replace(/<body>.*?<div id="root">/s, '<body><div id="root">')
    .replace(
      /(<div id="root">).*(<\/div>(?:<noscript>.*?<\/noscript>)?<script type="application\/json" id="page-data">)/s,
      '$1$2',
    );
  // The casts are safe: the pattern allows only front ends, and the server writes only its own languages.
  return { face: face as Face, language: language as Language, html: emptied };
}
