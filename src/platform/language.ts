import { currentLanguage } from '#messages';
import { defaultLanguage, type Language, languages } from '#platform/languages.ts';

export { currentLanguage, defaultLanguage, type Language, languages };

/** The current language's `Intl` locale for numbers and dates. English is British, because the shops are British. */
export function intlLocale(): string {
  const language = currentLanguage();
  return language === defaultLanguage ? 'en-GB' : language;
}

/** The language of a tag (RFC 5646): `pl` and `pl-PL` → `pl`; null for an unsupported language. */
export function supportedLanguage(text: string | null | undefined): Language | null {
  const primary = text?.split('-', 1)[0]?.toLowerCase();
  return primary === undefined ? null : (languages.find((language) => language === primary) ?? null);
}

/** A person's language for mail, from a locale such as `pl` or `en-GB`; the default if unsupported. */
export function languageOfPerson({ locale }: { locale: string }): Language {
  return supportedLanguage(locale) ?? defaultLanguage;
}

/** The supported language that an `Accept-Language` header (RFC 9110, 12.5.4) prefers; null: none. */
export function preferredLanguage(header: string | undefined): Language | null {
  if (!header) return null;
  const wishes = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const weight = parameters.map((text) => /^\s*q=(\d(?:\.\d*)?)\s*$/i.exec(text)?.[1]).find(Boolean);
    return { language: supportedLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const best = wishes
    .filter((wish) => wish.language !== null && wish.weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0];
  return best?.language ?? null;
}
