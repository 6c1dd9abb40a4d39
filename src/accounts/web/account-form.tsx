import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { ErrorSummary } from '#ui/web/error-summary.tsx';
import { failureOf, type FormFailure, nativeErrors, noFailure, withoutField } from '#ui/web/form-errors.ts';

interface AccountFormProps {
  submitLabel: string;
  /** Throws the server's refusal. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: (errors: FormFailure['errors']) => ReactNode;
  /** Before each field's name, where a page has several forms: `address.` makes `line1` `address.line1`. */
  prefix?: string;
  tone?: 'primary' | 'danger';
  onCancel?: () => void;
}

/** A form of one's own account: each error stands beside its field and on top, and nothing is sent twice. */
export function AccountForm(props: AccountFormProps) {
  const { submitLabel, onSubmit, children, prefix = '', tone = 'primary', onCancel } = props;
  const [failure, setFailure] = useState(noFailure);
  const [isBusy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);

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
      .catch((error: unknown) => setFailure(prefixed(failureOf(error), prefix)))
      .finally(() => setBusy(false));
  };
  const clearErrors = (event: FormEvent<HTMLFormElement>) => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    setFailure(withoutField(failure, target.name));
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
