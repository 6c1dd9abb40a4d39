import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { readLanguageBy } from '#messages';
import { defaultLanguage, type Language, preferredLanguage, toLanguage } from '#platform/language.ts';

const storage = new AsyncLocalStorage<Language>();
readLanguageBy(() => storage.getStore() ?? defaultLanguage);

/** The cookie that remembers a language somebody has chosen. */
export const languageCookie = 'language';
const chosenLanguage = new RegExp(`(?:^|;\\s*)${languageCookie}=([a-z]+)`);

/** Runs `work`, and everything it starts, with the messages of one language. Elsewhere they are in the default one. */
export function inLanguage<T>(language: Language, work: () => T): T {
  return storage.run(language, work);
}

/** The language of a page: the one chosen before, otherwise the one the browser asks for. */
export function languageOfPage(headers: IncomingHttpHeaders): Language {
  const cookie = headers.cookie === undefined ? undefined : chosenLanguage.exec(headers.cookie)?.[1];
  return toLanguage(cookie) ?? preferredLanguage(headers['accept-language']) ?? defaultLanguage;
}

/** The language of an answer: the page sends its own language in the header, which may differ from the remembered one. */
export function languageOfCall(headers: IncomingHttpHeaders): Language {
  return preferredLanguage(headers['accept-language']) ?? defaultLanguage;
}
