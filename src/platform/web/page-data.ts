import type { BrowserConfig } from '#platform/browser-config.ts';

/** Reads the data that the server wrote into the page: the config, and additional data of type `More`. */
export function readPageData<More extends object = object>(): { config: BrowserConfig } & More {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('The page has no #page-data.');
  // The cast is safe, because a server of the same release wrote the data.
  return JSON.parse(text) as { config: BrowserConfig } & More;
}
