import { type ReactNode, useId } from 'react';
import { Notices } from '#ui/web/notices.tsx';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import { PasswordField, UsernameField } from '#accounts/web/account-fields.tsx';
import { takeUser } from '#accounts/web/session.ts';
import { api, type Input } from '#platform/web/api.ts';

/** One thing of the profile, under a heading of its own. */
export function Section({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card grid content-start gap-4 p-4 sm:p-6">
      <div className="grid gap-1">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {hint && <p className="text-ink-soft">{hint}</p>}
      </div>
      {children}
      <Notices />
    </section>
  );
}

interface OwnPasswordFieldProps {
  user: User;
  name: string;
  errors: string[] | undefined;
}

/** The password that somebody confirms a change with; nothing for who has none. */
export function OwnPasswordField({ user, name, errors }: OwnPasswordFieldProps) {
  if (!user.has_password) return null;
  return (
    <>
      <UsernameField user={user} />
      <PasswordField name={name} label={m.people_password_yours()} autoComplete="current-password" errors={errors} />
    </>
  );
}

/** Changes one's own details and shows them everywhere. Throws ApiError. */
export async function changeOwnDetails(change: Input<'PATCH /v1/auth/user'>): Promise<void> {
  const { data } = await api('PATCH /v1/auth/user', change, { timeout: 20_000 });
  takeUser(data);
}
