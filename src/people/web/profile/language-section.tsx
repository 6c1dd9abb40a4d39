import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { changeOwnDetails } from '#people/web/profile/change-user.ts';
import { Section } from '#people/web/profile/section.tsx';
import { currentLanguage, type Language, languages, languageOfPerson } from '#platform/language.ts';
import { textOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

/** What the shop writes to the person in; its pages follow. */
export function LanguageSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    const language = textOf(form, 'locale');
    await changeOwnDetails({ locale: language });
    // Each language is a bundle of its own.
    if (language === currentLanguage()) notify({ text: m.people_own_saved() });
    else location.assign(`/customer/profile?lang=${language}`);
  };
  return (
    <Section title={m.platform_language()} hint={m.people_language_hint()}>
      <AccountForm submitLabel={m.people_own_save()} onSubmit={save}>
        {() => (
          // What is chosen in the page's footer meanwhile is chosen here too.
          <fieldset key={user.locale} className="flex flex-wrap gap-x-8">
            <legend className="sr-only">{m.platform_language()}</legend>
            {languages.map((language) => (
              <label key={language} lang={language} className="flex min-h-11 items-center gap-3">
                <input
                  type="radio"
                  name="locale"
                  value={language}
                  defaultChecked={language === languageOfPerson(user)}
                  className="size-5 shrink-0 accent-accent-edge"
                />
                {names[language]()}
              </label>
            ))}
          </fieldset>
        )}
      </AccountForm>
    </Section>
  );
}

const names: Record<Language, () => string> = { en: m.platform_language_en, pl: m.platform_language_pl };
