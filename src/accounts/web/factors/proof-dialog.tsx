import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { factorsQuery, factorCallOptions } from '#accounts/web/factors/factor-queries.ts';
import { canUsePasskeys, signWithPasskey } from '#accounts/web/factors/passkey-browser.ts';
import { notifyOtherTabsOfProof } from '#accounts/web/factors/proof-request.ts';
import { useSession } from '#accounts/web/session.ts';
import { api, ApiError, type ApiInput } from '#platform/web/api.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

type Way = 'password' | 'one_time_code';

/**
 * Asks the person to prove who they are: by a passkey or a code if they have a second factor, otherwise by the
 * password.
 */
export function IdentityProofDialog({ onEnd }: { onEnd: (isProved: boolean) => void }) {
  const { user } = useSession();
  const factors = useQuery(factorsQuery);
  const hasFactor = Boolean(factors.data?.totp_since) || (factors.data?.passkeys.length ?? 0) > 0;
  const way: Way = hasFactor ? 'one_time_code' : 'password';
  const hasPasskey = (factors.data?.passkeys.length ?? 0) > 0 && canUsePasskeys();
  const [typed, setTyped] = useState('');
  const { proof, passkey, words, reset } = useProof(onEnd);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    reset();
    if (typed !== '') proof.mutate({ [way]: typed });
  };
  const field = {
    value: typed,
    error: words,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    'data-autofocus': true,
  };
  if (factors.isPending) return null;
  return (
    <Dialog opened onClose={() => onEnd(false)} closeOnEscape={false} zIndex={400} title={m.accounts_proof_title()}>
      <Stack component="form" onSubmit={send}>
        <p>{m.accounts_proof_why({ name: user?.name ?? '' })}</p>
        {hasPasskey && (
          <Button loading={passkey.isPending} onClick={() => passkey.mutate()}>
            {m.accounts_proof_passkey()}
          </Button>
        )}
        {way === 'password' ? (
          <PasswordInput label={m.accounts_password()} autoComplete="current-password" {...field} />
        ) : (
          <TextInput
            label={m.accounts_code()}
            description={m.accounts_code_hint()}
            autoComplete="one-time-code"
            maxLength={20}
            {...field}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onEnd(false)}>
            {m.platform_cancel()}
          </Button>
          <Button type="submit" loading={proof.isPending} disabled={typed === ''}>
            {m.accounts_proof_confirm()}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function useProof(onEnd: (isProved: boolean) => void) {
  const proof = useMutation({
    mutationFn: (given: ApiInput<'POST /v1/auth/proof'>) => api('POST /v1/auth/proof', given, factorCallOptions),
    onSuccess: () => {
      notifyOtherTabsOfProof();
      onEnd(true);
    },
  });
  const passkey = useMutation({
    mutationFn: async () => {
      const { data } = await api('POST /v1/auth/passkey-sign-in/begin', {}, factorCallOptions);
      await proof.mutateAsync({ response: await signWithPasskey(data) });
    },
  });
  const reset = () => {
    proof.reset();
    passkey.reset();
  };
  return { proof, passkey, words: wordsOf(proof.error ?? passkey.error), reset };
}

function wordsOf(error: unknown): string | null {
  if (error === null) return null;
  const field = error instanceof ApiError ? Object.values(error.errors)[0]?.[0] : undefined;
  return field ?? refusalWords(error);
}
