import { useQueryClient } from '@tanstack/react-query';
import { m } from '#messages';
import { AddressesSection } from '#people/web/profile/addresses-section.tsx';
import {
  changeOwnDetails,
  devicesQueryKey,
  DevicesSection,
  EmailSection,
  IdentitiesSection,
  OwnPasswordField,
  ProfileSection,
} from '#people/web/profile/sections.tsx';
import { setUser, useSession } from '#accounts/web/session.ts';
import { Link, navigate } from '#platform/web/navigation.tsx';
import {
  NameField,
  NewPasswordField,
  PasswordField,
  PhoneField,
  UsernameField,
} from '#accounts/web/account-fields.tsx';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { formFailureOf, formFieldPlainText, formFieldText } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';
import type { AllergenCode } from '#menu/menu-shapes.ts';
import { allergenNameEntries } from '#menu/allergen-words.ts';
import { currentLanguage, type Language, languageOfPerson, languages } from '#platform/language.ts';
import { useState } from 'react';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { api } from '#platform/web/api.ts';
import { clearSignedInPerson } from '#accounts/web/sign-in-and-out.ts';
import { Icon } from '#ui/web/icon.tsx';
import { jsonFile, saveFile } from '#ui/web/save-file.ts';

export function ProfilePage() {
  const { user } = useSession();
  const queries = useQueryClient();
  // The person has just signed out, and the guard is about to lead to another page.
  if (!user) return null;
  const refreshDevices = () => void queries.invalidateQueries({ queryKey: devicesQueryKey });
  return (
    <div className="mx-auto w-full max-w-page px-4 py-10 lg:px-8">
      <h1 className="text-4xl font-extrabold">{m.accounts_profile()}</h1>
      <p className="mt-2">
        <Link href="/customer/orders" className="link inline-flex min-h-11 items-center">
          {m.accounts_my_orders()}
        </Link>
      </p>
      <div className="mt-4 grid items-start gap-5 lg:grid-cols-2">
        <div className="grid min-w-0 gap-5">
          <DetailsSection user={user} />
          <EmailSection user={user} />
          <LanguageSection user={user} />
          <AddressesSection user={user} />
          <AllergiesSection user={user} />
        </div>
        <div className="grid min-w-0 gap-5">
          <PasswordSection user={user} onChanged={refreshDevices} />
          <IdentitiesSection user={user} />
          <DevicesSection />
          <DownloadSection />
          <DeleteSection user={user} />
        </div>
      </div>
    </div>
  );
}

function DetailsSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    await changeOwnDetails({ name: formFieldPlainText(form, 'name'), phone: formFieldText(form, 'phone') });
    notify({ text: m.people_own_saved() });
  };
  return (
    <ProfileSection title={m.people_details()}>
      <AccountForm submitLabel={m.people_own_save()} onSubmit={save}>
        {(errors) => (
          <>
            <NameField name="name" defaultValue={user.name} errors={errors['name']} />
            <PhoneField
              name="phone"
              // The phone number is required, as at registration; an account that was created without a number may stay
              // without one.
              optional={user.phone ? undefined : m.platform_optional()}
              hint={m.accounts_phone_hint()}
              defaultValue={user.phone}
              errors={errors['phone']}
            />
          </>
        )}
      </AccountForm>
    </ProfileSection>
  );
}

/** The section in which the person chooses which of the UK's 14 allergens they must avoid. */
function AllergiesSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    // Each checkbox is named by the code of its allergen.
    const chosen = allergenNameEntries.filter(([code]) => form.has(code));
    await changeOwnDetails({ allergies: chosen.map(([code]) => code as AllergenCode) });
    notify({ text: m.people_own_saved() });
  };
  return (
    <ProfileSection title={m.people_allergies()} hint={m.people_allergies_hint()}>
      <AccountForm submitLabel={m.people_own_save()} onSubmit={save}>
        {() => (
          <fieldset className="grid grid-cols-1 gap-x-4 min-[22rem]:grid-cols-2 sm:grid-cols-3">
            <legend className="sr-only">{m.people_allergies()}</legend>
            {allergenNameEntries.map(([code, name]) => (
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
    </ProfileSection>
  );
}

function LanguageSection({ user }: { user: User }) {
  const save = async (form: FormData) => {
    const language = formFieldText(form, 'locale');
    await changeOwnDetails({ locale: language });
    // Each language has a bundle of its own, so another language needs a new load of the page.
    if (language === currentLanguage()) notify({ text: m.people_own_saved() });
    else location.assign(`/customer/profile?lang=${language}`);
  };
  return (
    <ProfileSection title={m.platform_language()} hint={m.people_language_hint()}>
      <AccountForm submitLabel={m.people_own_save()} onSubmit={save}>
        {() => (
          // The radios are uncontrolled, so `key` makes new ones when the language changes in the footer.
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
    </ProfileSection>
  );
}

const names: Record<Language, () => string> = { en: m.platform_language_en, pl: m.platform_language_pl };

/**
 * The section that changes the password. For a person without a password, it mails a link that sets the first password.
 */
function PasswordSection({ user, onChanged }: { user: User; onChanged: () => void }) {
  const [done, setDone] = useState(0);
  const change = async (form: FormData) => {
    const body = {
      current_password: formFieldText(form, 'current_password'),
      password: formFieldText(form, 'password'),
    };
    const { data } = await api('POST /v1/auth/password', body, { timeout: 20_000 });
    setUser(data);
    notify({ text: m.people_password_changed() });
    setDone(done + 1);
    onChanged();
  };
  if (!user.has_password) return <FirstPassword user={user} />;
  return (
    <ProfileSection title={m.accounts_password()} hint={m.people_password_change_hint()}>
      <AccountForm key={done} submitLabel={m.people_password_change()} onSubmit={change}>
        {(errors) => (
          <>
            <UsernameField user={user} />
            <PasswordField
              name="current_password"
              label={m.people_password_current()}
              autoComplete="current-password"
              errors={errors['current_password']}
            />
            <NewPasswordField name="password" label={m.people_password_new()} errors={errors['password']} />
          </>
        )}
      </AccountForm>
    </ProfileSection>
  );
}

function FirstPassword({ user }: { user: User }) {
  const send = () => {
    api('POST /v1/auth/forgot-password', { email: user.email }, { timeout: 20_000 })
      .then(({ message }) => notify({ text: message }))
      .catch((error: unknown) => notify({ text: formFailureOf(error).message ?? m.platform_internal() }));
  };
  return (
    <ProfileSection
      title={m.accounts_password()}
      hint={pickByMailServer(m.people_password_none(), m.people_password_none_unsent())}
    >
      {pickByMailServer(
        <div>
          <button type="button" className="btn btn-quiet" onClick={send}>
            {m.accounts_forgot_submit()}
          </button>
        </div>,
        null,
      )}
    </ProfileSection>
  );
}

function DownloadSection() {
  const [isBusy, setBusy] = useState(false);
  const download = () => {
    if (isBusy) return;
    setBusy(true);
    api('GET /v1/auth/user/export', {}, { timeout: 60_000 })
      .then(({ data }) => saveFile(jsonFile(data), 'my-data.json'))
      .catch((error: unknown) => notify({ text: formFailureOf(error).message ?? m.platform_internal() }))
      .finally(() => setBusy(false));
  };
  return (
    <ProfileSection title={m.people_data()} hint={m.people_data_hint()}>
      <div>
        <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={download}>
          {m.people_data_download()}
        </button>
      </div>
    </ProfileSection>
  );
}

function DeleteSection({ user }: { user: User }) {
  const [needsAnswer, setAsked] = useState(false);
  const remove = async (form: FormData) => {
    const body = user.has_password ? { password: formFieldText(form, 'delete.password') } : {};
    await api('DELETE /v1/auth/user', body, { timeout: 20_000 });
    clearSignedInPerson();
    notify({ text: m.people_deleted() });
    navigate('/');
  };
  return (
    <ProfileSection title={m.people_delete()} hint={m.people_delete_hint()}>
      {!needsAnswer && (
        <div>
          <button type="button" className="btn btn-danger" onClick={() => setAsked(true)}>
            {m.people_delete()}
          </button>
        </div>
      )}
      {needsAnswer && (
        <AccountForm
          prefix="delete."
          tone="danger"
          submitLabel={m.people_delete_submit()}
          onSubmit={remove}
          onCancel={() => setAsked(false)}
        >
          {(errors) => (
            <>
              <p className="flex items-start gap-2 rounded-box bg-bad-soft p-3 font-semibold text-bad-text">
                <Icon name="warning" className="mt-0.5 size-5" />
                {m.people_delete_warning()}
              </p>
              <OwnPasswordField user={user} name="delete.password" errors={errors['delete.password']} />
            </>
          )}
        </AccountForm>
      )}
    </ProfileSection>
  );
}
