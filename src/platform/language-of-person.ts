import { defaultLanguage, type Language, toLanguage } from '#platform/language.ts';

/** What somebody is written to in: the language they chose (`pl`, `en-GB`), or the default one where it is not ours. */
export function languageOfPerson({ locale }: { locale: string }): Language {
  return toLanguage(locale.split('-')[0]) ?? defaultLanguage;
}
