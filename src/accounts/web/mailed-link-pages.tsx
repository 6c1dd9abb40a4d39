import { useState } from 'react';
import { m } from '#messages';
import { EmailField, NewPasswordField } from '#accounts/web/account-fields.tsx';
import { AccountForm, AccountPageLayout } from '#accounts/web/account-form.tsx';
import { hasUserLookupFailed, reloadUser, useSession } from '#accounts/web/session.ts';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link } from '#platform/web/navigation.tsx';
import { formFieldText } from '#ui/web/form-errors.ts';
import { deviceHeaders, saveDeviceToken } from '#accounts/web/sign-in-and-out.ts';
import { useMailedToken } from '#accounts/web/mailed-token.ts';
import type { User } from '#accounts/contract.ts';
import { saveSignInReturnPath } from '#accounts/web/sign-in-return-path.ts';
import { LoadingSkeleton, LoadFailure } from '#ui/web/load-states.tsx';

/**
 * The page that requests a link to choose another password. The answer does not reveal whether the address has an
 * account.
 */
export function ForgotPasswordPage() {
  const { user } = useSession();
  const [told, setTold] = useState<{ message: string; is_sent: boolean } | null>(null);
  const ask = async (form: FormData) => {
    setTold(await api('POST /v1/auth/forgot-password', { email: formFieldText(form, 'email') }, { timeout: 20_000 }));
  };
  if (told !== null) {
    return (
      <AccountPageLayout
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
      </AccountPageLayout>
    );
  }
  return (
    <AccountPageLayout
      title={m.accounts_forgot_title()}
      intro={<p>{pickByMailServer(m.accounts_forgot_intro(), m.accounts_forgot_no_mail())}</p>}
    >
      {pickByMailServer(
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
    </AccountPageLayout>
  );
}

type State = { kind: 'choosing' } | { kind: 'done' | 'refused'; words: string };

/** The page that a mailed link opens for choosing a password: a new one, or an invited person's first one. */
export function ResetPasswordPage() {
  const token = useMailedToken();
  const [state, setState] = useState<State>(
    token === '' ? { kind: 'refused', words: m.accounts_reset_refused() } : { kind: 'choosing' },
  );
  const choose = async (form: FormData) => {
    try {
      const body = { token, password: formFieldText(form, 'password') };
      const { message, device_token } = await api('POST /v1/auth/reset-password', body, {
        timeout: 20_000,
        headers: deviceHeaders(),
      });
      saveDeviceToken(device_token);
      // The used link is removed from the page's address. Every sign-in has ended, also in this browser, so the user is
      // looked up again.
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
      <AccountPageLayout title={m.accounts_reset_done_title()} intro={<p role="status">{state.words}</p>}>
        <Link href="/login" className="btn btn-primary min-h-13 w-full text-lg">
          {m.accounts_sign_in()}
        </Link>
      </AccountPageLayout>
    );
  }
  if (state.kind === 'refused') {
    return (
      <AccountPageLayout title={m.accounts_link_useless()} intro={<p role="alert">{state.words}</p>}>
        <Link href="/forgot-password" className="btn btn-primary min-h-13 w-full text-lg">
          {m.accounts_forgot_again()}
        </Link>
      </AccountPageLayout>
    );
  }
  return (
    <AccountPageLayout title={m.accounts_reset_title()} intro={<p>{m.accounts_reset_intro()}</p>}>
      <AccountForm submitLabel={m.accounts_reset_submit()} onSubmit={choose}>
        {(errors) => <NewPasswordField name="password" errors={errors['password']} />}
      </AccountForm>
    </AccountPageLayout>
  );
}

type VerifyState = { kind: 'asking' } | { kind: 'done' | 'refused'; words: string };

/**
 * The page of a mailed link that confirms an email address. The person must tap a button, because mail scanners open
 * links. The person must be signed in, because a mistyped address sends the mail to a stranger.
 */
export function VerifyEmailPage() {
  const session = useSession();
  const token = useMailedToken();
  const [state, setState] = useState<VerifyState>(
    token === '' ? { kind: 'refused', words: m.accounts_verify_refused() } : { kind: 'asking' },
  );
  if (state.kind !== 'asking') return <Ended state={state} user={session.user} />;
  if (session.user) return <Question user={session.user} token={token} onEnd={setState} />;
  if (hasUserLookupFailed(session))
    return <LoadFailure error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return session.initialized ? <SignInFirst /> : <LoadingSkeleton />;
}

function Question({ user, token, onEnd }: { user: User; token: string; onEnd: (state: VerifyState) => void }) {
  const confirm = async () => {
    try {
      const { message } = await api('POST /v1/auth/verify-email', { token }, { timeout: 20_000 });
      await reloadUser();
      onEnd({ kind: 'done', words: message });
    } catch (error) {
      const isUseless = error instanceof ApiError && error.status === 422;
      if (!isUseless) throw error;
      onEnd({ kind: 'refused', words: m.accounts_verify_refused() });
    }
  };
  return (
    <AccountPageLayout title={m.accounts_verify_ask()} intro={<p>{m.accounts_verify_intro({ email: user.email })}</p>}>
      <AccountForm submitLabel={m.accounts_mail_confirm()} onSubmit={confirm}>
        {() => null}
      </AccountForm>
    </AccountPageLayout>
  );
}

function SignInFirst() {
  return (
    <AccountPageLayout title={m.accounts_verify_ask()} intro={<p>{m.accounts_verify_sign_in()}</p>}>
      <Link
        href="/login"
        className="btn btn-primary min-h-13 text-lg"
        onClick={() => saveSignInReturnPath(location.pathname + location.search + location.hash)}
      >
        {m.accounts_sign_in()}
      </Link>
    </AccountPageLayout>
  );
}

function Ended({ state, user }: { state: Exclude<VerifyState, { kind: 'asking' }>; user: User | null }) {
  const isDone = state.kind === 'done';
  return (
    <AccountPageLayout
      title={isDone ? m.accounts_verify_title() : m.accounts_link_useless()}
      intro={<p role={isDone ? 'status' : 'alert'}>{state.words}</p>}
    >
      <div className="flex flex-wrap gap-3">
        <Link href="/menu" className="btn btn-primary">
          {m.menu_see()}
        </Link>
        {user?.role === 'customer' && (
          <Link href="/customer/profile" className="btn btn-quiet">
            {m.accounts_profile()}
          </Link>
        )}
      </div>
    </AccountPageLayout>
  );
}
