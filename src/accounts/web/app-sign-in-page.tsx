import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPage, BackToApp } from '#accounts/web/account-form.tsx';
import { leaveForApp } from '#accounts/web/provider-sign-in.tsx';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { Loading } from '#ui/web/trouble.tsx';

/** The browser page that begins the app's sign-in at a provider, because providers refuse pages inside an app. */
export function AppSignInPage() {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const asked = new URLSearchParams(location.search);
    const challenge = asked.get('challenge') ?? '';
    leaveForApp(asked.get('provider') ?? undefined, challenge).catch((error: unknown) => {
      const { errors, message } = formFailureOf(error);
      setProblem(message ?? Object.values(errors).flat().join(' '));
    });
  }, []);
  if (problem === null) return <Loading />;
  return (
    <AccountPage title={m.accounts_social_failed()} intro={<p role="alert">{problem}</p>}>
      <BackToApp path="auth/callback?problem=failed" />
    </AccountPage>
  );
}
