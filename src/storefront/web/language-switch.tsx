import type { MouseEvent } from 'react';
import { m } from '#messages';
import { currentLanguage, type Language, languages } from '#platform/language.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { usePath } from '#platform/web/navigation.tsx';

/** The same page in every language: real links, since each language is a bundle of its own. */
export function LanguageSwitch() {
  const path = usePath();
  const current = currentLanguage();
  // The app has the pages of one language.
  if (nativeShell().app) return null;
  return (
    <nav aria-label={m.platform_language()} className="flex flex-wrap gap-x-6">
      {languages.map((language) => (
        <a
          key={language}
          href={`${path}?lang=${language}`}
          hrefLang={language}
          lang={language}
          aria-current={language === current ? 'true' : undefined}
          onClick={(event) => keepQuery(event, language)}
          className="link inline-flex min-h-11 items-center aria-[current]:text-ink aria-[current]:no-underline"
        >
          {names[language]()}
        </a>
      ))}
    </nav>
  );
}

const names: Record<Language, () => string> = { en: m.platform_language_en, pl: m.platform_language_pl };

/** The rendered link knows the path only; what else the address says, such as an order's secret, stays. */
function keepQuery(event: MouseEvent<HTMLAnchorElement>, language: Language): void {
  const address = new URL(location.href);
  address.searchParams.set('lang', language);
  event.currentTarget.href = address.href;
}
