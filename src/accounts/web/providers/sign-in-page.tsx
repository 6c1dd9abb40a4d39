import { Alert, Button, Group, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import type { SignInSetup, TriedSignIn } from '#accounts/provider-contract.ts';
import { signInKinds } from '#accounts/sign-in-kinds.ts';
import { BrandMark } from '#accounts/web/social-buttons.tsx';
import { ProviderForm } from '#accounts/web/providers/provider-form.tsx';
import { ProviderPanel } from '#accounts/web/providers/provider-panel.tsx';
import classes from '#accounts/web/providers/providers.module.css';
import { kindWords } from '#accounts/web/providers/provider-words.ts';
import { useProviderCalls, useProviders } from '#accounts/web/providers/use-providers.ts';
import type { SignInKind } from '#database/sign-in-columns.ts';
import type { Store } from '#store/contract.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import { takeTrialReturn } from '#accounts/web/social.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

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

let returned: ReturnType<typeof takeTrialReturn> | undefined;

/** The result of a provider that the owner tried, after its pages; nothing otherwise. */
function TrialResult() {
  const [back] = useState(() => (returned ??= takeTrialReturn()));
  const [isShown, setShown] = useState(true);
  const { endTrial } = useProviderCalls();
  const { mutate, isIdle } = endTrial;
  const body = back && 'body' in back ? back.body : null;
  useEffect(() => {
    if (body && isIdle) mutate(body);
    returned = null;
  }, [body, isIdle, mutate]);
  if (!back || !isShown) return null;
  const close = { withCloseButton: true, closeButtonLabel: m.platform_close(), onClose: () => setShown(false) };
  if ('problem' in back) {
    return (
      <Alert role="alert" color="bad" mb="md" title={m.accounts_providers_trial_failed()} {...close}>
        {back.problem}
      </Alert>
    );
  }
  return (
    <div aria-live="polite">
      {!endTrial.data && !endTrial.error && (
        <p className={classes.working}>
          <Loader size="sm" aria-hidden="true" /> {m.accounts_providers_trial_ending()}
        </p>
      )}
      {endTrial.error && (
        <Alert color="bad" mb="md" title={m.accounts_providers_trial_failed()} {...close}>
          {refusalWords(endTrial.error)}
        </Alert>
      )}
      {endTrial.data && (
        <Alert
          color={endTrial.data.is_email_confirmed ? 'good' : 'warm'}
          mb="md"
          title={m.accounts_providers_trial_done()}
          {...close}
        >
          {resultWords(endTrial.data)}
        </Alert>
      )}
    </div>
  );
}

function resultWords({ email, is_email_confirmed: isConfirmed, name }: TriedSignIn): string {
  if (email === null) return m.accounts_providers_trial_no_email();
  if (!isConfirmed) return m.accounts_providers_trial_unconfirmed({ email });
  return m.accounts_providers_trial_confirmed({ email, name: name || '–' });
}
