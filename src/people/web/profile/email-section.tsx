import { useState } from 'react';
import { m } from '#messages';
import { EmailField } from '#accounts/web/account-fields.tsx';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { mailPromise } from '#mail/web/mail-promise.ts';
import { changeOwnDetails, OwnPasswordField, Section } from '#people/web/profile/section.tsx';
import { reloadUser } from '#accounts/web/session.ts';
import { api } from '#platform/web/api.ts';
import { failureOf, textOf } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';
import { notify } from '#ui/web/notify.ts';

/** The address that signs in, whether it is confirmed, and another one in its place. */
export function EmailSection({ user }: { user: User }) {
  const [isChanging, setChanging] = useState(false);
  const save = async (form: FormData) => {
    await changeOwnDetails({ email: textOf(form, 'email.email'), password: textOf(form, 'email.password') });
    setChanging(false);
    notify({ text: mailPromise(m.people_email_changed(), m.people_email_changed_unsent()) });
  };
  return (
    <Section title={m.accounts_email()}>
      <p className="font-semibold wrap-anywhere">{user.email}</p>
      <EmailState user={user} />
      {!isChanging && user.has_password && (
        <div>
          <button type="button" className="btn btn-quiet" onClick={() => setChanging(true)}>
            {m.people_email_change()}
          </button>
        </div>
      )}
      {!user.has_password && <p className="text-ink-soft">{m.people_email_needs_password()}</p>}
      {isChanging && (
        <AccountForm
          prefix="email."
          submitLabel={m.people_email_change_submit()}
          onSubmit={save}
          onCancel={() => setChanging(false)}
        >
          {(errors) => (
            <>
              <EmailField name="email.email" label={m.people_email_new()} errors={errors['email.email']} />
              <OwnPasswordField user={user} name="email.password" errors={errors['email.password']} />
            </>
          )}
        </AccountForm>
      )}
    </Section>
  );
}

function EmailState({ user }: { user: User }) {
  const [isBusy, setBusy] = useState(false);
  if (user.email_verified_at !== null) {
    return (
      <p className="flex items-center gap-2 text-good-text">
        <Icon name="check" />
        {m.people_own_email_confirmed()}
      </p>
    );
  }
  const sendAgain = () => {
    if (isBusy) return;
    setBusy(true);
    api('POST /v1/auth/send-verification', {}, { timeout: 20_000 })
      .then(({ message }) => notify({ text: message }))
      // Confirmed meanwhile, on another device.
      .then(reloadUser)
      .catch((error: unknown) => notify({ text: failureOf(error).message ?? m.platform_internal() }))
      .finally(() => setBusy(false));
  };
  return (
    <div className="grid justify-items-start gap-3">
      <p className="flex items-start gap-2">
        <Icon name="info" className="mt-0.5 size-5" />
        {mailPromise(m.people_own_email_unconfirmed(), m.people_own_email_unsent())}
      </p>
      {mailPromise(
        <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={sendAgain}>
          {m.people_verify_send_again()}
        </button>,
        null,
      )}
    </div>
  );
}
