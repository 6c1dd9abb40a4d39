import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { SignInSetup } from '#accounts/provider-contract.ts';
import { signInKinds } from '#accounts/sign-in-kinds.ts';
import { BrandMark } from '#accounts/web/brand-marks.tsx';
import { ProviderForm } from '#accounts/web/providers/provider-form.tsx';
import { ProviderPanel } from '#accounts/web/providers/provider-panel.tsx';
import classes from '#accounts/web/providers/providers.module.css';
import { kindWords } from '#accounts/web/providers/provider-words.ts';
import { TrialResult } from '#accounts/web/providers/trial-result.tsx';
import { useProviders } from '#accounts/web/providers/use-providers.ts';
import type { SignInKind } from '#database/sign-in-columns.ts';
import type { Store } from '#store/contract.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';

/** Where the owner lets customers sign in with Google, Apple or another company, and tries it. */
export function SignInPage({ store }: { store: Store }) {
  const query = useProviders();
  return (
    <OfficePage title={m.office_page_sign_in()} hint={m.accounts_providers_hint()}>
      <TrialResult />
      {query.isPending && <Waiting />}
      {query.isError && !query.data && <Trouble error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Setup store={store} setup={query.data} />}
    </OfficePage>
  );
}

function Setup({ store, setup }: { store: Store; setup: SignInSetup }) {
  const [adding, setAdding] = useState<SignInKind | null>(null);
  const { environment, providers } = setup;
  const isThere = (kind: SignInKind) =>
    kind !== 'other' && (environment?.kind === kind || providers.some((provider) => provider.kind === kind));
  const missing = signInKinds.filter((kind) => !isThere(kind));
  return (
    <>
      {environment && (
        <Alert mb="md" color="accent">
          {m.accounts_providers_environment({ name: environment.name, issuer: environment.issuer })}
        </Alert>
      )}
      {providers.map((provider) => (
        <ProviderPanel key={provider.id} provider={provider} setup={setup} store={store} />
      ))}
      {adding ? (
        <section className={classes.panel} aria-label={kindWords[adding].add()}>
          <h2>
            <BrandMark kind={adding} /> {kindWords[adding].add()}
          </h2>
          <ProviderForm key={adding} kind={adding} provider={null} setup={setup} onClose={() => setAdding(null)} />
        </section>
      ) : (
        <Group gap="xs">
          {missing.map((kind) => (
            <Button
              key={kind}
              variant="default"
              leftSection={<BrandMark kind={kind} />}
              onClick={() => setAdding(kind)}
            >
              {kindWords[kind].add()}
            </Button>
          ))}
        </Group>
      )}
      {providers.length === 0 && !environment && !adding && (
        <p className={classes.note}>{m.accounts_providers_none()}</p>
      )}
    </>
  );
}
