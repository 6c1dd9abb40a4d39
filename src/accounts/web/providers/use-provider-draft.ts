import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ProviderDetails, SignInProvider } from '#accounts/provider-contract.ts';
import { useProviderCalls } from '#accounts/web/providers/use-providers.ts';
import type { SignInKind } from '#database/sign-in-columns.ts';
import { failureOf, noFailure, withoutField } from '#ui/web/form-errors.ts';

type Field = keyof ProviderDetails;

export interface ProviderValues {
  valueOf(field: Field): string;
  change(field: Field, value: string): void;
  /** The server's message about a field, until it is changed. */
  said(field: Field): string | undefined;
}

export interface ProviderDraft extends ProviderValues {
  message: string | undefined;
  isSending: boolean;
  /** The form, whose first refused field takes the focus. */
  form: RefObject<HTMLFormElement | null>;
  submit(): void;
}

interface ProviderDraftOf {
  kind: SignInKind;
  provider: SignInProvider | null;
  onDone: () => void;
}

/** A provider's details as typed, and the sending of those that were changed. Secrets that are there are never shown. */
export function useProviderDraft({ kind, provider, onDone }: ProviderDraftOf): ProviderDraft {
  const [typed, setTyped] = useState<ProviderDetails>({});
  const [failure, setFailure] = useState(noFailure);
  const { add, change } = useProviderCalls();
  const form = useRef<HTMLFormElement>(null);
  const wrong = Object.keys(failure.errors).join();
  useEffect(() => {
    if (wrong !== '') form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  const kept: ProviderDetails = provider
    ? {
        name: provider.name,
        issuer: provider.issuer,
        client_id: provider.client_id,
        team_id: provider.team_id ?? '',
        key_id: provider.key_id ?? '',
      }
    : {};
  const options = { onSuccess: onDone, onError: (error: unknown) => setFailure(failureOf(error)) };
  return {
    valueOf: (field) => typed[field] ?? kept[field] ?? '',
    change(field, value) {
      setTyped({ ...typed, [field]: value });
      setFailure(withoutField(failure, field));
    },
    said: (field) => failure.errors[field]?.[0],
    message: failure.message,
    isSending: add.isPending || change.isPending,
    form,
    submit() {
      setFailure(noFailure);
      if (provider) change.mutate({ id: provider.id, ...typed }, options);
      else add.mutate({ kind, ...typed }, options);
    },
  };
}
