import { useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { useMailedToken } from '#accounts/web/mailed-token.ts';
import { isCutOff, reloadUser, useSession } from '#accounts/web/session.ts';
import { storePath } from '#accounts/web/stored-path.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { Link } from '#platform/web/navigation.tsx';
import { Loading, Trouble } from '#ui/web/trouble.tsx';

type State = { kind: 'asking' } | { kind: 'done' | 'refused'; words: string };

/**
 * The page of the link that confirms an email address. It takes a button and the account itself: mail scanners open
 * links, and a person who typed somebody else's address must not have it confirmed by them.
 */
export function VerifyEmailPage() {
  const session = useSession();
  const token = useMailedToken();
  const [state, setState] = useState<State>(
    token === '' ? { kind: 'refused', words: m.accounts_verify_refused() } : { kind: 'asking' },
  );
  if (state.kind !== 'asking') return <Ended state={state} user={session.user} />;
  if (session.user) return <Question user={session.user} token={token} onEnd={setState} />;
  if (isCutOff(session))
    return <Trouble error={new ApiError(0, { code: 'offline' })} onRetry={() => void reloadUser()} />;
  return session.initialized ? <SignInFirst /> : <Loading />;
}

function Question({ user, token, onEnd }: { user: User; token: string; onEnd: (state: State) => void }) {
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
    <AccountPage title={m.accounts_verify_ask()} intro={<p>{m.accounts_verify_intro({ email: user.email })}</p>}>
      <AccountForm submitLabel={m.accounts_mail_confirm()} onSubmit={confirm}>
        {() => null}
      </AccountForm>
    </AccountPage>
  );
}

function SignInFirst() {
  return (
    <AccountPage title={m.accounts_verify_ask()} intro={<p>{m.accounts_verify_sign_in()}</p>}>
      <Link
        href="/login"
        className="btn btn-primary min-h-13 text-lg"
        onClick={() => storePath(location.pathname + location.search + location.hash)}
      >
        {m.accounts_sign_in()}
      </Link>
    </AccountPage>
  );
}

function Ended({ state, user }: { state: Exclude<State, { kind: 'asking' }>; user: User | null }) {
  const isDone = state.kind === 'done';
  return (
    <AccountPage
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
    </AccountPage>
  );
}
