import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { landingPath } from '#accounts/guard.ts';
import { useSession } from '#accounts/web/session.ts';
import { takeStoredPath } from '#accounts/web/stored-path.ts';
import { findPage } from '#pages.ts';
import { ErrorSummary } from '#platform/web/ui/error-summary.tsx';
import { failureOf, type FormFailure, nativeErrors, noFailure, withoutField } from '#platform/web/ui/form-errors.ts';
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
  const [failure, setFailure] = useState(noFailure);
  const [isBusy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useWayOn();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const errors = nativeErrors(form);
    setAttempt(attempt + 1);
    setFailure({ errors });
    if (Object.keys(errors).length > 0) return;
    setBusy(true);
    onSubmit(new FormData(form))
      .catch((error: unknown) => setFailure(failureOf(error)))
      .finally(() => setBusy(false));
  };
  const mend = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLInputElement) setFailure(withoutField(failure, event.target.name));
  };
  return (
    <div className="mx-auto w-full max-w-md px-4 py-10 sm:py-16">
      <h1 className="text-4xl font-extrabold">{title}</h1>
      {intro && <div className="mt-3 text-ink-soft">{intro}</div>}
      <form noValidate className="mt-6 grid gap-5" onSubmit={submit} onInput={mend}>
        <ErrorSummary message={failure.message} errors={failure.errors} attempt={attempt} />
        {children(failure.errors)}
        <button type="submit" className="btn btn-primary min-h-13 text-lg" aria-disabled={isBusy}>
          {submitLabel}
        </button>
      </form>
      {after && <div className="mt-6">{after}</div>}
    </div>
  );
}

/** Once somebody is signed in, here or in another tab: the stored path, or where their role begins. */
function useWayOn(): void {
  const { user } = useSession();
  const role = user?.role;
  useEffect(() => {
    if (!role) return;
    const path = landingPath(role, takeStoredPath());
    const isOffice = findPage(new URL(path, location.origin).pathname)?.row.face === 'office';
    if (isOffice) location.replace(path);
    else navigate(path, { replace: true });
  }, [role]);
}
