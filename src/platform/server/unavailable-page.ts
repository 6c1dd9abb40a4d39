import { m } from '#messages';
import { currentLanguage } from '#platform/language.ts';

/**
 * The page for a browser while the shop cannot make pages: `words` give the reason, as text without markup. It reloads
 * itself after so many seconds.
 */
export function unavailablePage(words: string, seconds: string): string {
  const title = m.platform_trouble_title();
  return `<!doctype html><html lang="${currentLanguage()}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${seconds}"><title>${title}</title><link rel="icon" href="data:,">
<style>:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-content:center;padding:1.5rem;
font:1.125rem/1.5 system-ui,sans-serif;text-align:center}h1{font-size:1.5rem;margin:0 0 .5rem}p{margin:0 0 1.5rem}
a{display:inline-block;padding:.75rem 1.5rem;border:1px solid;border-radius:.625rem;color:inherit}</style></head>
<body><main><h1>${title}</h1><p>${words}</p><a href="">${m.platform_retry()}</a></main></body></html>`;
}
