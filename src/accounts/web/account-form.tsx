import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { m } from '#messages';
import { ErrorSummary } from '#ui/web/error-summary.tsx';
import {
  formFailureOf,
  type FormFailure,
  browserFormErrors,
  noFormFailure,
  withoutFieldErrors,
} from '#ui/web/form-errors.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/web/api.ts';

interface AccountFormProps {
  submitLabel: string;
  /** Sends the form. Throws the server's refusal. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: (errors: FormFailure['errors']) => ReactNode;
  /** A prefix of the fields' names on a page with several forms, e.g. `address.`. */
  prefix?: string;
  tone?: 'primary' | 'danger';
  onCancel?: () => void;
}

/**
 * A form about the visitor's own account. Each error is shown at its field and in a summary above. While a submit runs,
 * another one is ignored.
 */
export function AccountForm(props: AccountFormProps) {
  const { submitLabel, onSubmit, children, prefix = '', tone = 'primary', onCancel } = props;
  const [failure, setFailure] = useState(noFormFailure);
  const [isBusy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const errors = browserFormErrors(form);
    setAttempt(attempt + 1);
    setFailure({ errors });
    if (Object.keys(errors).length > 0) return;
    setBusy(true);
    onSubmit(new FormData(form))
      .catch((error: unknown) => setFailure(prefixed(formFailureOf(error), prefix)))
      .finally(() => setBusy(false));
  };
  const clearErrors = (event: FormEvent<HTMLFormElement>) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    setFailure(withoutFieldErrors(failure, target.name));
  };
  const size = tone === 'primary' && !onCancel ? 'min-h-13 text-lg' : '';
  return (
    <form noValidate className="grid gap-5" onSubmit={submit} onInput={clearErrors}>
      <ErrorSummary message={failure.message} errors={failure.errors} attempt={attempt} />
      {children(failure.errors)}
      <div className={onCancel ? 'flex flex-wrap gap-3' : 'grid'}>
        <button type="submit" className={`btn btn-${tone} ${size}`} aria-disabled={isBusy}>
          {submitLabel}
        </button>
        {onCancel && (
          <button type="button" className="btn btn-quiet" onClick={onCancel}>
            {m.accounts_cancel()}
          </button>
        )}
      </div>
    </form>
  );
}

function prefixed({ errors, ...rest }: FormFailure, prefix: string): FormFailure {
  return {
    ...rest,
    errors: Object.fromEntries(Object.entries(errors).map(([name, texts]) => [prefix + name, texts])),
  };
}

export function AccountPageLayout({
  title,
  intro,
  children,
}: {
  title: string;
  intro?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-10 sm:py-16">
      <h1 className="text-4xl font-extrabold">{title}</h1>
      {intro && <div className="mt-3 text-ink-soft">{intro}</div>}
      <div className="mt-6">{children}</div>
    </div>
  );
}

interface BackToAppProps {
  /** The path that the app opens, e.g. `orders/…/payment/callback`. */
  path: string;
}

/**
 * Leads from the browser back to the customers' app. The link names the published app's package, so that no other app
 * opens. The page opens the link at once; the button is for browsers that require a tap.
 */
export function BackToAppLink({ path }: BackToAppProps) {
  const { data, isPending } = useQuery({
    queryKey: ['app-package'],
    queryFn: async ({ signal }) => (await api('GET /v1/app-release/current', {}, { signal, timeout: 20_000 })).data,
  });
  const name = data?.facts?.package ?? null;
  const link = name === null ? null : androidAppLink(name, path);
  useEffect(() => {
    if (link !== null) location.assign(link);
  }, [link]);
  if (isPending) return null;
  // Without a published app there is no package for the link, so the text asks the person to return by hand.
  if (link === null) return <p>{m.accounts_back_by_hand()}</p>;
  return (
    <a href={link} className="btn btn-primary min-h-13 text-lg">
      {m.accounts_back_to_app()}
    </a>
  );
}

/**
 * An `intent:` address that opens `path` in the Android app with the package name `name`. The package name is also the
 * URL scheme of the app's links.
 */
export function androidAppLink(name: string, path: string): string {
  return `intent://${path}#Intent;scheme=${name};package=${name};end`;
}
