import { useState } from 'react';
import { m } from '#messages';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { NewPasswordField } from '#accounts/web/new-password-field.tsx';
import { deviceHeaders, keepDevice } from '#accounts/web/known-device.ts';
import { useMailedToken } from '#accounts/web/mailed-token.ts';
import { reloadUser } from '#accounts/web/session.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link } from '#platform/web/navigation.tsx';
import { textOf } from '#ui/web/form-errors.ts';

type State = { kind: 'choosing' } | { kind: 'done' | 'refused'; words: string };

/** Where a mailed link leads: a new password, and the first one of somebody who was invited. */
export function ResetPasswordPage() {
  const token = useMailedToken();
  const [state, setState] = useState<State>(
    token === '' ? { kind: 'refused', words: m.accounts_reset_refused() } : { kind: 'choosing' },
  );
  const choose = async (form: FormData) => {
    try {
      const body = { token, password: textOf(form, 'password') };
      const { message, device_token } = await api('POST /v1/auth/reset-password', body, {
        timeout: 20_000,
        headers: deviceHeaders(),
      });
      keepDevice(device_token);
      // The link is used up, and every sign-in has ended, one in this browser too.
      history.replaceState(null, '', location.pathname);
      await reloadUser();
      setState({ kind: 'done', words: message });
    } catch (error) {
      const words = error instanceof ApiError ? error.errors['token']?.join(' ') : undefined;
      if (words === undefined) throw error;
      setState({ kind: 'refused', words });
    }
  };
  if (state.kind === 'done') {
    return (
      <AccountPage title={m.accounts_reset_done_title()} intro={<p role="status">{state.words}</p>}>
        <Link href="/login" className="btn btn-primary min-h-13 w-full text-lg">
          {m.accounts_sign_in()}
        </Link>
      </AccountPage>
    );
  }
  if (state.kind === 'refused') {
    return (
      <AccountPage title={m.accounts_link_useless()} intro={<p role="alert">{state.words}</p>}>
        <Link href="/forgot-password" className="btn btn-primary min-h-13 w-full text-lg">
          {m.accounts_forgot_again()}
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage title={m.accounts_reset_title()} intro={<p>{m.accounts_reset_intro()}</p>}>
      <AccountForm submitLabel={m.accounts_reset_submit()} onSubmit={choose}>
        {(errors) => <NewPasswordField name="password" errors={errors['password']} />}
      </AccountForm>
    </AccountPage>
  );
}
