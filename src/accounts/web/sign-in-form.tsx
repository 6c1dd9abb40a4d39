import { type ReactNode, useContext, useEffect } from 'react';
import { AccountForm, AccountPageLayout } from '#accounts/web/account-form.tsx';
import { useSession } from '#accounts/web/session.ts';
import { AfterSignInContext } from '#accounts/web/sign-in-return-path.ts';
import type { FormFailure } from '#ui/web/form-errors.ts';

interface SignInFormProps {
  title: string;
  intro?: ReactNode;
  submitLabel: string;
  /** Sends the form, and throws the server's refusal. After a sign-in `useRedirectAfterSignIn` opens the next page. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: (errors: FormFailure['errors']) => ReactNode;
  after?: ReactNode;
}

export function SignInForm({ title, intro, submitLabel, onSubmit, children, after }: SignInFormProps) {
  useRedirectAfterSignIn();
  return (
    <AccountPageLayout title={title} intro={intro}>
      <AccountForm submitLabel={submitLabel} onSubmit={onSubmit}>
        {children}
      </AccountForm>
      {after && <div className="mt-6 grid gap-6">{after}</div>}
    </AccountPageLayout>
  );
}

/**
 * After a sign-in in this or another tab, opens the stored path. If no path is stored, or the role may not see it,
 * opens the role's start page.
 */
export function useRedirectAfterSignIn(): void {
  const { user } = useSession();
  const goOn = useContext(AfterSignInContext);
  const role = user?.role;
  useEffect(() => {
    if (role) goOn(role);
  }, [role, goOn]);
}
