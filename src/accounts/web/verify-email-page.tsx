import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { useMailedToken } from '#accounts/web/mailed-token.ts';
import { reloadUser, useSession } from '#accounts/web/session.ts';
import { api } from '#platform/web/api.ts';
import { Link } from '#platform/web/navigation.tsx';
import { failureOf } from '#ui/web/form-errors.ts';
import { Loading, Trouble } from '#ui/web/trouble.tsx';
import { ApiError } from '#platform/web/api.ts';

type State = { kind: 'asking' } | { kind: 'done' | 'refused'; words: string } | { kind: 'trouble'; error: unknown };

/** Where the link leads that confirms an email address. */
export function VerifyEmailPage() {
  const { role } = useSession();
  const token = useMailedToken();
  const [state, setState] = useState<State>({ kind: 'asking' });
  useEffect(() => {
    if (state.kind === 'asking') void confirm(token).then(setState);
  }, [state.kind, token]);
  const profile = role === 'customer' && (
    <Link href="/customer/profile" className="btn btn-quiet">
      {m.accounts_profile()}
    </Link>
  );
  if (state.kind === 'asking') return <Loading />;
  if (state.kind === 'trouble') return <Trouble error={state.error} onRetry={() => setState({ kind: 'asking' })} />;
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
        {profile}
      </div>
    </AccountPage>
  );
}

async function confirm(token: string): Promise<State> {
  if (token === '') return { kind: 'refused', words: m.accounts_verify_refused() };
  try {
    const { message } = await api('POST /v1/auth/verify-email', { token }, { timeout: 20_000 });
    await reloadUser();
    return { kind: 'done', words: message };
  } catch (error) {
    if (error instanceof ApiError && error.status === 422)
      return { kind: 'refused', words: m.accounts_verify_refused() };
    const { message } = failureOf(error);
    return error instanceof ApiError && error.status === 429 && message
      ? { kind: 'refused', words: message }
      : { kind: 'trouble', error };
  }
}
