import { Alert, Button, Group, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import type { SignInProvider, SignInProviderSetup, TrialSignInPerson } from '#accounts/provider-contract.ts';
import { type SignInProviderKind, signInProviderKinds } from '#database/column-values.ts';
import { SignInProviderLogo, openProviderPage, consumeTrialRedirect } from '#accounts/web/provider-sign-in.tsx';
import { ProviderForm } from '#accounts/web/providers/provider-form.tsx';
import classes from '#accounts/web/providers/providers.module.css';
import {
  providerKindWords,
  useSignInProviderCalls,
  useSignInProviders,
} from '#accounts/web/providers/use-providers.ts';
import type { Store } from '#store/contract.ts';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { providerProblemWords } from '#accounts/provider-problem-words.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { Step, Steps } from '#ui/web/office/step.tsx';

export function SignInProvidersPage({ store }: { store: Store }) {
  const query = useSignInProviders();
  return (
    <OfficePage title={m.office_page_sign_in()} hint={m.accounts_providers_hint()}>
      <TrialResult />
      {query.isPending && <LoadingState />}
      {query.isError && !query.data && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Setup store={store} setup={query.data} />}
    </OfficePage>
  );
}

function Setup({ store, setup }: { store: Store; setup: SignInProviderSetup }) {
  const [adding, setAdding] = useState<SignInProviderKind | null>(null);
  const { environment, providers } = setup;
  const isThere = (kind: SignInProviderKind) =>
    kind !== 'other' && (environment?.kind === kind || providers.some((provider) => provider.kind === kind));
  const missing = signInProviderKinds.filter((kind) => !isThere(kind));
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
        <section className={classes.panel} aria-label={providerKindWords[adding].add()}>
          <h2>
            <SignInProviderLogo kind={adding} /> {providerKindWords[adding].add()}
          </h2>
          <ProviderForm key={adding} kind={adding} provider={null} setup={setup} onClose={() => setAdding(null)} />
        </section>
      ) : (
        <Group gap="xs">
          {missing.map((kind) => (
            <Button
              key={kind}
              variant="default"
              leftSection={<SignInProviderLogo kind={kind} />}
              onClick={() => setAdding(kind)}
            >
              {providerKindWords[kind].add()}
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

let returned: ReturnType<typeof consumeTrialRedirect> | undefined;

/** Shows the result of a trial sign-in when the provider has redirected back; nothing otherwise. */
function TrialResult() {
  const [back] = useState(() => (returned ??= consumeTrialRedirect()));
  const [isShown, setShown] = useState(true);
  const { endTrial } = useSignInProviderCalls();
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

function resultWords({ email, is_email_confirmed: isConfirmed, name }: TrialSignInPerson): string {
  if (email === null) return m.accounts_providers_trial_no_email();
  if (!isConfirmed) return m.accounts_providers_trial_unconfirmed({ email });
  return m.accounts_providers_trial_confirmed({ email, name: name || '–' });
}

interface ProviderPanelProps {
  provider: SignInProvider;
  setup: SignInProviderSetup;
  store: Store;
}

const notifyRefusal = { onError: (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }) };

function ProviderPanel({ provider, setup, store }: ProviderPanelProps) {
  const [isChanging, setChanging] = useState(false);
  const { kind, name, problem, customers } = provider;
  return (
    <section className={classes.panel} aria-label={name}>
      <h2>
        <SignInProviderLogo kind={kind} /> {name}
      </h2>
      {problem && (
        <Alert color="bad">
          {providerProblemWords(problem.kind, provider)}
          {problem.since && ` ${m.accounts_providers_since({ at: dateAndTimeWords(problem.since, store) })}`}
        </Alert>
      )}
      {isChanging ? (
        <ProviderForm kind={kind} provider={provider} setup={setup} onClose={() => setChanging(false)} />
      ) : (
        <Steps>
          <DetailsStep provider={provider} onChange={() => setChanging(true)} />
          <TrialStep provider={provider} store={store} returnUrl={setup.return_url} />
          <OfferStep provider={provider} />
        </Steps>
      )}
      {customers > 0 && <p className={classes.note}>{m.accounts_providers_customers({ count: customers })}</p>}
    </section>
  );
}

function DetailsStep({ provider, onChange }: { provider: SignInProvider; onChange: () => void }) {
  const { remove } = useSignInProviderCalls();
  const { id, name, client_id: clientId, problem, only_way: onlyWay } = provider;
  const isBad = problem?.kind === 'client_refused' || problem?.kind === 'not_here';
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: m.accounts_providers_remove_title({ name }),
      body:
        onlyWay === 0 ? m.accounts_providers_remove_means() : m.accounts_providers_remove_only_way({ count: onlyWay }),
      action: m.accounts_providers_remove(),
      isDangerous: true,
    });
    if (isSure) remove.mutate(id, notifyRefusal);
  };
  return (
    <Step
      heading="h3"
      state={isBad ? 'bad' : 'done'}
      title={m.accounts_providers_details()}
      text={m.accounts_providers_details_of({ client: clientId })}
    >
      <Button variant="default" onClick={onChange}>
        {m.accounts_providers_change()}
      </Button>
      <Button variant="subtle" color="bad" loading={remove.isPending} onClick={() => void ask()}>
        {m.accounts_providers_remove()}
      </Button>
    </Step>
  );
}

interface TrialStepProps extends Pick<ProviderPanelProps, 'provider' | 'store'> {
  returnUrl: string;
}

function TrialStep({ provider, store, returnUrl }: TrialStepProps) {
  const { beginTrial } = useSignInProviderCalls();
  const { id, name, tried_at: triedAt, problem } = provider;
  const begin = (): void =>
    beginTrial.mutate(id, { onSuccess: (begun) => openProviderPage({ purpose: 'trial', ...begun }), ...notifyRefusal });
  return (
    <Step
      heading="h3"
      state={triedAt ? 'done' : 'todo'}
      title={m.accounts_providers_try()}
      text={
        triedAt
          ? m.accounts_providers_tried({ at: dateAndTimeWords(triedAt, store) })
          : m.accounts_providers_try_hint({ name, url: returnUrl })
      }
    >
      <Button
        variant={triedAt ? 'default' : 'filled'}
        disabled={problem?.kind === 'not_here'}
        loading={beginTrial.isPending}
        onClick={begin}
      >
        {triedAt ? m.accounts_providers_try_again() : m.accounts_providers_try()}
      </Button>
    </Step>
  );
}

function OfferStep({ provider }: { provider: SignInProvider }) {
  const { change } = useSignInProviderCalls();
  const { id, name, is_on: isOn, tried_at: triedAt, problem } = provider;
  const isUsable = problem?.kind !== 'not_here' && problem?.kind !== 'twice';
  const toggle = (): void => change.mutate({ id, is_on: !isOn }, notifyRefusal);
  return (
    <Step
      heading="h3"
      state={isOn && isUsable ? 'done' : 'todo'}
      title={m.accounts_providers_offer()}
      text={isOn && isUsable ? m.accounts_providers_offered({ name }) : m.accounts_providers_offer_hint({ name })}
    >
      <Button variant={isOn || !triedAt ? 'default' : 'filled'} loading={change.isPending} onClick={toggle}>
        {isOn ? m.accounts_providers_hide() : m.accounts_providers_show()}
      </Button>
    </Step>
  );
}

function dateAndTimeWords(at: string, { timezone }: Store): string {
  return `${dateWords(at, timezone)}, ${timeWords(at, timezone)}`;
}
