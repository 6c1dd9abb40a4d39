import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPageLayout, BackToAppLink } from '#accounts/web/account-form.tsx';
import { useRedirectAfterSignIn } from '#accounts/web/sign-in-form.tsx';
import { useSession } from '#accounts/web/session.ts';
import { connectIdentity, completeSocialSignIn } from '#accounts/web/sign-in-and-out.ts';
import {
  saveTrialRedirect,
  readProviderRedirect,
  SocialSignInButtons,
  type ProviderRedirect,
} from '#accounts/web/provider-sign-in.tsx';
import { api } from '#platform/web/api.ts';
import { Link, navigate } from '#platform/web/navigation.tsx';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';
import { LoadingSkeleton } from '#ui/web/load-states.tsx';

/** The page to which providers redirect. The page ends this tab's sign-in attempt, or shows why it cannot. */
export function AuthCallbackPage() {
  const [{ purpose }] = useState(readProviderRedirect);
  if (purpose === 'link') return <EndConnecting />;
  if (purpose === 'app') return <LeadToApp />;
  return purpose === 'trial' ? <GoToOffice /> : <EndSignIn />;
}

function EndSignIn() {
  const { user } = useSession();
  const problem = useEnding(completeSocialSignIn);
  useRedirectAfterSignIn();
  if (problem === null || user) return <LoadingSkeleton />;
  return (
    <AccountPageLayout title={m.accounts_social_failed()} intro={<p role="alert">{problem}</p>}>
      <div className="grid gap-3">
        <SocialSignInButtons />
        <Link href="/login" className="btn btn-primary min-h-13 text-lg">
          {m.accounts_social_by_email()}
        </Link>
        <Link href="/" className="btn btn-quiet">
          {m.platform_home()}
        </Link>
      </div>
    </AccountPageLayout>
  );
}

function EndConnecting() {
  const problem = useEnding(async (body) => {
    await connectIdentity(body);
    navigate('/customer/profile', { replace: true });
    notify({ text: m.accounts_connected() });
  });
  if (problem === null) return <LoadingSkeleton />;
  return (
    <AccountPageLayout title={m.accounts_connecting_failed()} intro={<p role="alert">{problem}</p>}>
      <Link href="/customer/profile" className="btn btn-primary min-h-13 text-lg">
        {m.accounts_profile()}
      </Link>
    </AccountPageLayout>
  );
}

/** Ends the browser's part of an app's sign-in, with a code that only the app can use. */
function LeadToApp() {
  const [code, setCode] = useState<string | null>(null);
  const problem = useEnding(async (body) => {
    const { data } = await api('POST /v1/auth/social/app-code', body, { timeout: 30_000 });
    setCode(data.app_code);
  });
  if (problem === null && code === null) return <LoadingSkeleton />;
  return <BackToAppWithCode code={code} problem={problem} />;
}

/** Passes the provider's values to the office, which ends the trial sign-in that the owner began there. */
function GoToOffice() {
  useEffect(() => {
    saveTrialRedirect(readProviderRedirect());
    location.replace('/admin/sign-in');
  }, []);
  return <LoadingSkeleton />;
}

let ending: Promise<string | null> | null = null;

/**
 * Calls `end` once per page, because the provider's values work once. Returns the problem in words; null while `end`
 * runs and after a success.
 */
function useEnding(
  end: (body: Extract<ProviderRedirect, { body: unknown }>['body']) => Promise<unknown>,
): string | null {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const back = readProviderRedirect();
    ending ??= 'problem' in back ? Promise.resolve(back.problem) : end(back.body).then(() => null, wordsOf);
    void ending.then(setProblem);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the attempt is ended once, whatever renders in between
  }, []);
  return problem;
}

function wordsOf(error: unknown): string {
  const { errors, message } = formFailureOf(error);
  return message ?? Object.values(errors).flat().join(' ');
}

/** Milliseconds in which the app's code works. */
const validFor = 60_000;

export function BackToAppWithCode({ code, problem }: { code: string | null; problem: string | null }) {
  const isLate = useHasElapsed(validFor, code !== null);
  if (problem !== null || isLate) {
    return (
      <AccountPageLayout
        title={m.accounts_social_failed()}
        intro={<p role="alert">{problem ?? m.accounts_app_code_late()}</p>}
      >
        <BackToAppLink path={`auth/callback?problem=${problem === null ? 'expired' : 'failed'}`} />
      </AccountPageLayout>
    );
  }
  return (
    <AccountPageLayout
      title={m.accounts_app_signed_in()}
      intro={<p role="status">{m.accounts_app_signed_in_words()}</p>}
    >
      {code !== null && <BackToAppLink path={`auth/callback?app_code=${code}`} />}
    </AccountPageLayout>
  );
}

function useHasElapsed(milliseconds: number, isOn: boolean): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setLater(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, isOn]);
  return isLater;
}
