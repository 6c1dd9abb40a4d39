import { useEffect, useState } from 'react';
import { m } from '#messages';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { BackToApp } from '#accounts/web/back-to-app.tsx';

/** How long the code works, in milliseconds. */
const validFor = 60_000;

/** The end of a sign-in that the app began: its code leads back to it. */
export function EndForApp({ code, problem }: { code: string | null; problem: string | null }) {
  const isLate = useLater(validFor, code !== null);
  if (problem !== null || isLate) {
    return (
      <AccountPage
        title={m.accounts_social_failed()}
        intro={<p role="alert">{problem ?? m.accounts_app_code_late()}</p>}
      >
        <BackToApp path={`auth/callback?problem=${problem === null ? 'expired' : 'failed'}`} />
      </AccountPage>
    );
  }
  return (
    <AccountPage title={m.accounts_app_signed_in()} intro={<p role="status">{m.accounts_app_signed_in_words()}</p>}>
      {code !== null && <BackToApp path={`auth/callback?app_code=${code}`} />}
    </AccountPage>
  );
}

function useLater(milliseconds: number, isOn: boolean): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setLater(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, isOn]);
  return isLater;
}
