import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPageLayout, BackToAppLink } from '#accounts/web/account-form.tsx';
import { beginAppSignInInBrowser } from '#accounts/web/provider-sign-in.tsx';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { LoadingSkeleton } from '#ui/web/load-states.tsx';

/** This page begins the app's sign-in at a provider in the browser, because providers refuse pages inside an app. */
export function AppSignInPage() {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const asked = new URLSearchParams(location.search);
    const challenge = asked.get('challenge') ?? '';
    beginAppSignInInBrowser(asked.get('provider') ?? undefined, challenge).catch((error: unknown) => {
      const { errors, message } = formFailureOf(error);
      setProblem(message ?? Object.values(errors).flat().join(' '));
    });
  }, []);
  if (problem === null) return <LoadingSkeleton />;
  return (
    <AccountPageLayout title={m.accounts_social_failed()} intro={<p role="alert">{problem}</p>}>
      <BackToAppLink path="auth/callback?problem=failed" />
    </AccountPageLayout>
  );
}
