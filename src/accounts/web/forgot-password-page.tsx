import { useState } from 'react';
import { m } from '#messages';
import { EmailField } from '#accounts/web/person-fields.tsx';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { useSession } from '#accounts/web/session.ts';
import { mailPromise } from '#mail/web/mail-promise.ts';
import { api } from '#platform/web/api.ts';
import { Link } from '#platform/web/navigation.tsx';
import { textOf } from '#ui/web/form-errors.ts';

/** Asks for a link that chooses another password. The text afterwards is the same whether there is an account. */
export function ForgotPasswordPage() {
  const { user } = useSession();
  const [told, setTold] = useState<{ message: string; is_sent: boolean } | null>(null);
  const ask = async (form: FormData) => {
    setTold(await api('POST /v1/auth/forgot-password', { email: textOf(form, 'email') }, { timeout: 20_000 }));
  };
  if (told !== null) {
    return (
      <AccountPage
        title={told.is_sent ? m.accounts_forgot_sent() : m.accounts_forgot_unsent()}
        intro={<p role="status">{told.message}</p>}
      >
        {told.is_sent && <p>{m.accounts_forgot_sent_hint()}</p>}
        <div className="mt-6 flex flex-wrap gap-3">
          {told.is_sent && (
            <button type="button" className="btn btn-quiet" onClick={() => setTold(null)}>
              {m.accounts_forgot_again()}
            </button>
          )}
          <Link href="/" className="btn btn-quiet">
            {m.platform_home()}
          </Link>
        </div>
      </AccountPage>
    );
  }
  return (
    <AccountPage
      title={m.accounts_forgot_title()}
      intro={<p>{mailPromise(m.accounts_forgot_intro(), m.accounts_forgot_no_mail())}</p>}
    >
      {mailPromise(
        <AccountForm submitLabel={m.accounts_forgot_submit()} onSubmit={ask}>
          {(errors) => (
            <EmailField
              key={user?.id}
              name="email"
              autoComplete="username"
              defaultValue={user?.email}
              errors={errors['email']}
            />
          )}
        </AccountForm>,
        null,
      )}
      {!user && (
        <p className="mt-6">
          <Link href="/login" className="link inline-flex min-h-11 items-center">
            {m.accounts_back_to_sign_in()}
          </Link>
        </p>
      )}
    </AccountPage>
  );
}
