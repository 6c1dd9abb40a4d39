import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { useWayOn } from '#accounts/web/entrance.tsx';
import { useSession } from '#accounts/web/session.ts';
import { endSocialSignIn } from '#accounts/web/sign-in-and-out.ts';
import { SocialButton } from '#accounts/web/social-button.tsx';
import { takeSecret } from '#accounts/web/social.ts';
import { Link } from '#platform/web/navigation.tsx';
import { failureOf } from '#ui/web/form-errors.ts';
import { Loading } from '#ui/web/trouble.tsx';

/** The page to which the OpenID provider sends the browser back: it ends the sign-in, or says why it cannot. */
export function AuthCallbackPage() {
  const { user } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  useWayOn();
  useEffect(() => {
    void finish().then(setProblem);
  }, []);
  if (problem === null || user) return <Loading />;
  return (
    <AccountPage title={m.accounts_social_failed()} intro={<p role="alert">{problem}</p>}>
      <div className="grid gap-3">
        <SocialButton />
        <Link href="/login" className="btn btn-primary min-h-13 text-lg">
          {m.accounts_social_by_email()}
        </Link>
        <Link href="/" className="btn btn-quiet">
          {m.platform_home()}
        </Link>
      </div>
    </AccountPage>
  );
}

let ending: Promise<string | null> | null = null;

/** Once per page: the parameters can be used once. Returns the error; null when the sign-in succeeded. */
function finish(): Promise<string | null> {
  ending ??= end();
  return ending;
}

async function end(): Promise<string | null> {
  const answer = new URLSearchParams(location.search);
  // The code must not stay in the history or in a screenshot.
  history.replaceState(null, '', location.pathname);
  const [code, state, secret] = [answer.get('code'), answer.get('state'), takeSecret()];
  if (answer.get('error') === 'access_denied') return m.accounts_social_denied();
  if (answer.has('error')) return m.accounts_social_refused();
  if (!code || !state || !secret) return m.accounts_social_expired();
  const iss = answer.get('iss');
  try {
    await endSocialSignIn({ code, state, secret, ...(iss !== null && { iss }) });
    return null;
  } catch (error) {
    const { errors, message } = failureOf(error);
    return message ?? Object.values(errors).flat().join(' ');
  }
}
