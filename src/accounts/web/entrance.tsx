import { type ReactNode, useEffect } from 'react';
import { landingPath } from '#accounts/guard.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { AccountPage } from '#accounts/web/account-page.tsx';
import { useSession } from '#accounts/web/session.ts';
import { takeStoredPath } from '#accounts/web/stored-path.ts';
import { findPage, isOfficePath } from '#pages.ts';
import type { FormFailure } from '#ui/web/form-errors.ts';
import { navigate } from '#platform/web/navigation.tsx';

interface EntranceProps {
  title: string;
  intro?: ReactNode;
  submitLabel: string;
  /** Throws what the server refused; who signed in is led on from here. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: (errors: FormFailure['errors']) => ReactNode;
  after?: ReactNode;
}

/** A form that ends with somebody signed in: sign in, registration, setting up. */
export function Entrance({ title, intro, submitLabel, onSubmit, children, after }: EntranceProps) {
  useWayOn();
  return (
    <AccountPage title={title} intro={intro}>
      <AccountForm submitLabel={submitLabel} onSubmit={onSubmit}>
        {children}
      </AccountForm>
      {after && <div className="mt-6 grid gap-6">{after}</div>}
    </AccountPage>
  );
}

/** Once somebody is signed in, here or in another tab: the stored path, or where their role begins. */
export function useWayOn(): void {
  const { user } = useSession();
  const role = user?.role;
  useEffect(() => {
    if (!role) return;
    const pathOf = (path: string): string => new URL(path, location.origin).pathname;
    const path = landingPath(role, takeStoredPath(), (stored) => findPage(pathOf(stored))?.row.access ?? 'everyone');
    const isOffice = isOfficePath(pathOf(path));
    if (isOffice) location.replace(path);
    else navigate(path, { replace: true });
  }, [role]);
}
