import * as en from '../messages.gen/en/all.ts';
import * as pl from '../messages.gen/pl/all.ts';
import { defaultLanguage, type Language } from '#platform/languages.ts';

type Catalogue = typeof en;
const catalogues: Record<Language, Catalogue> = { en, pl };

let readLanguage: () => Language = () => defaultLanguage;

export function currentLanguage(): Language {
  return readLanguage();
}

export function setLanguageReader(read: () => Language): void {
  readLanguage = read;
}

/**
 * Every message as a function in the current language. In Node `#messages` resolves to this file; a browser bundle has
 * only one language's messages (vite.config.ts).
 */
export const m = Object.fromEntries(
  Object.keys(en).map((key) => [key, (inputs: never) => catalogues[readLanguage()][key as keyof Catalogue](inputs)]),
  // The cast is safe: the object has every key of the catalogue, and its functions take the same inputs.
) as unknown as Catalogue;
