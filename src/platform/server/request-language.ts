import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { setLanguageReader } from '#messages';
import { defaultLanguage, type Language, preferredLanguage, supportedLanguage } from '#platform/language.ts';

const storage = new AsyncLocalStorage<Language>();
setLanguageReader(() => storage.getStore() ?? defaultLanguage);

export const languageCookie = 'language';
const chosenLanguage = new RegExp(`(?:^|;\\s*)${languageCookie}=([a-z]+)`);

/** Runs `work`, and all async work that it starts, in one language. Elsewhere the default language applies. */
export function runInLanguage<T>(language: Language, work: () => T): T {
  return storage.run(language, work);
}

/** A page's language: the chosen language, else the browser's. */
export function languageOfPage(headers: IncomingHttpHeaders): Language {
  const cookie = headers.cookie === undefined ? undefined : chosenLanguage.exec(headers.cookie)?.[1];
  return supportedLanguage(cookie) ?? preferredLanguage(headers['accept-language']) ?? defaultLanguage;
}

/**
 * The language of an API response. Pages send their own language in `Accept-Language`, which may differ from the
 * cookie's.
 */
export function languageOfCall(headers: IncomingHttpHeaders): Language {
  return preferredLanguage(headers['accept-language']) ?? defaultLanguage;
}
