import { Button, Group, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { fingerprintWords } from '#app-release/app-words.ts';
import type { PlaySigning as Signing } from '#app-release/contract.ts';
import classes from '#app-release/web/releases.module.css';
import { api } from '#platform/web/api.ts';
import { failureOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';

const key = ['play-signing'];
const withTimeout = { timeout: 20_000 };

/** By which key Google Play signs the customers' app. `ownPackage`: that of the app that the shop hands out itself. */
export function PlaySigning({ ownPackage }: { ownPackage: string | undefined }) {
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api('GET /v1/app-releases/play-signing', {}, { signal, ...withTimeout })).data,
  });
  return (
    <details open={Boolean(query.data) || query.isError}>
      <summary>{m.app_release_play()}</summary>
      {query.isPending && <Waiting />}
      {query.isError && <Trouble error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <SigningForm key={query.data?.signer ?? ''} known={query.data} ownPackage={ownPackage} />
      )}
    </details>
  );
}

function SigningForm({ known, ownPackage }: { known: Signing | null; ownPackage: string | undefined }) {
  const client = useQueryClient();
  const [name, setName] = useState(known?.package ?? ownPackage ?? '');
  const [signer, setSigner] = useState(known ? fingerprintWords(known.signer) : '');
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const save = useMutation({
    mutationFn: () => api('PATCH /v1/app-releases/play-signing', { package: name, signer }, withTimeout),
    onSuccess: () => notify({ text: m.app_release_play_saved() }),
    onSettled,
  });
  const drop = useMutation({
    mutationFn: () => api('DELETE /v1/app-releases/play-signing', {}, withTimeout),
    onSuccess: () =>
      notify({ text: m.app_release_play_dropped(), action: { label: m.platform_undo(), run: () => save.mutate() } }),
    onSettled,
  });
  const failure = save.error ? failureOf(save.error) : null;
  const faultOf = (field: string) => failure?.errors[field]?.[0];
  const send = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className={classes.play} onSubmit={send}>
      <p>{m.app_release_play_means()}</p>
      {failure?.message && <p role="alert">{failure.message}</p>}
      <TextInput
        label={m.app_release_play_package()}
        value={name}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        error={faultOf('package')}
        required
        onChange={({ target }) => setName(target.value)}
      />
      <TextInput
        label={m.app_release_play_signer()}
        placeholder="AB:CD:EF:…"
        value={signer}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        error={faultOf('signer')}
        required
        onChange={({ target }) => setSigner(target.value)}
      />
      <Group gap="xs">
        <Button type="submit" variant="default" loading={save.isPending}>
          {m.app_release_play_save()}
        </Button>
        {known && (
          <Button variant="subtle" color="bad" loading={drop.isPending} onClick={() => drop.mutate()}>
            {m.app_release_play_drop()}
          </Button>
        )}
      </Group>
    </form>
  );
}
