import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { readLanguageBy } from '#messages';
import { defaultLanguage, type Language, preferredLanguage, toLanguage } from '#platform/language.ts';

const storage = new AsyncLocalStorage<Language>();
readLanguageBy(() => storage.getStore() ?? defaultLanguage);

/** The cookie that remembers a language somebody has chosen. */
export const languageCookie = 'language';

/** Runs `work`, and all that it leads to, with the messages of one language. Elsewhere they are in the default one. */
export function inLanguage<T>(language: Language, work: () => T): T {
  return storage.run(language, work);
}

/** What a page is shown in: the language that was chosen before, else the one the browser asks for. */
export function languageOfPage(headers: IncomingHttpHeaders): Language {
  const cookie = new RegExp(`(?:^|;\\s*)${languageCookie}=([a-z]+)`).exec(headers.cookie ?? '')?.[1];
  return toLanguage(cookie) ?? preferredLanguage(headers['accept-language']) ?? defaultLanguage;
}

/** What a call is answered in: its page says so in the header, whatever was chosen on a page of the other face. */
export function languageOfCall(headers: IncomingHttpHeaders): Language {
  return preferredLanguage(headers['accept-language']) ?? defaultLanguage;
}
