import { useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { NewPasswordField } from '#accounts/web/new-password-field.tsx';
import { Section } from '#people/web/profile/section.tsx';
import { takeUser } from '#accounts/web/session.ts';
import { UsernameField } from '#accounts/web/username-field.tsx';
import { mailPromise } from '#mail/web/mail-promise.ts';
import { api } from '#platform/web/api.ts';
import { InputField } from '#ui/web/field.tsx';
import { failureOf, textOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

/** Another password; the first one, for who signs in elsewhere, comes by mail. */
export function PasswordSection({ user, onChanged }: { user: User; onChanged: () => void }) {
  const [done, setDone] = useState(0);
  const change = async (form: FormData) => {
    const body = { current_password: textOf(form, 'current_password'), password: textOf(form, 'password') };
    const { data } = await api('POST /v1/auth/password', body, { timeout: 20_000 });
    takeUser(data);
    notify({ text: m.people_password_changed() });
    setDone(done + 1);
    onChanged();
  };
  if (!user.has_password) return <FirstPassword user={user} />;
  return (
    <Section title={m.accounts_password()} hint={m.people_password_change_hint()}>
      <AccountForm key={done} submitLabel={m.people_password_change()} onSubmit={change}>
        {(errors) => (
          <>
            <UsernameField user={user} />
            <InputField
              name="current_password"
              type="password"
              label={m.people_password_current()}
              autoComplete="current-password"
              required
              data-missing={m.accounts_password_missing()}
              errors={errors['current_password']}
            />
            <NewPasswordField name="password" label={m.people_password_new()} errors={errors['password']} />
          </>
        )}
      </AccountForm>
    </Section>
  );
}

function FirstPassword({ user }: { user: User }) {
  const send = () => {
    api('POST /v1/auth/forgot-password', { email: user.email }, { timeout: 20_000 })
      .then(({ message }) => notify({ text: message }))
      .catch((error: unknown) => notify({ text: failureOf(error).message ?? m.platform_internal() }));
  };
  return (
    <Section
      title={m.accounts_password()}
      hint={mailPromise(m.people_password_none(), m.people_password_none_unsent())}
    >
      {mailPromise(
        <div>
          <button type="button" className="btn btn-quiet" onClick={send}>
            {m.accounts_forgot_submit()}
          </button>
        </div>,
        null,
      )}
    </Section>
  );
}
