import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { changeOwnDetails } from '#people/web/profile/change-user.ts';
import { Section } from '#people/web/profile/section.tsx';
import type { AllergenCode } from '#menu/menu-shapes.ts';
import { allergenChoices } from '#menu/allergen-words.ts';
import { notify } from '#ui/web/notify.ts';

/** Which of the UK's 14 the person must not eat. */
export function AllergiesSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    // The choices are the table of codes, as entries.
    const chosen = allergenChoices.filter(([code]) => form.has(code));
    await changeOwnDetails({ allergies: chosen.map(([code]) => code as AllergenCode) });
    notify({ text: m.people_own_saved() });
  };
  return (
    <Section title={m.people_allergies()} hint={m.people_allergies_hint()}>
      <AccountForm submitLabel={m.people_own_save()} onSubmit={save}>
        {() => (
          <fieldset className="grid grid-cols-1 gap-x-4 min-[22rem]:grid-cols-2 sm:grid-cols-3">
            <legend className="sr-only">{m.people_allergies()}</legend>
            {allergenChoices.map(([code, name]) => (
              <label key={code} className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  name={code}
                  defaultChecked={user.allergies.includes(code)}
                  className="size-5 shrink-0 accent-accent-edge"
                />
                {name()}
              </label>
            ))}
          </fieldset>
        )}
      </AccountForm>
    </Section>
  );
}
