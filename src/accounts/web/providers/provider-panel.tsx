import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import type { SignInProvider, SignInSetup } from '#accounts/provider-contract.ts';
import { providerProblemWords } from '#accounts/provider-problem-words.ts';
import { BrandMark } from '#accounts/web/social-buttons.tsx';
import { ProviderForm } from '#accounts/web/providers/provider-form.tsx';
import classes from '#accounts/web/providers/providers.module.css';
import { useProviderCalls } from '#accounts/web/providers/use-providers.ts';
import { leaveFor } from '#accounts/web/social.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import type { Store } from '#store/contract.ts';
import { notify } from '#ui/web/notify.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { Step, Steps } from '#ui/web/office/step.tsx';

interface ProviderPanelProps {
  provider: SignInProvider;
  setup: SignInSetup;
  store: Store;
}

const tellRefusal = { onError: (error: unknown) => notify({ text: refusalWords(error), tone: 'bad' }) };

/** One provider: its details, whether it was tried, whether customers see it, and its problem. */
export function ProviderPanel({ provider, setup, store }: ProviderPanelProps) {
  const [isChanging, setChanging] = useState(false);
  const { kind, name, problem, customers } = provider;
  return (
    <section className={classes.panel} aria-label={name}>
      <h2>
        <BrandMark kind={kind} /> {name}
      </h2>
      {problem && (
        <Alert color="bad">
          {providerProblemWords(problem.kind, provider)}
          {problem.since && ` ${m.accounts_providers_since({ at: momentWords(problem.since, store) })}`}
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
  const { remove } = useProviderCalls();
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
    if (isSure) remove.mutate(id, tellRefusal);
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
  const { beginTrial } = useProviderCalls();
  const { id, name, tried_at: triedAt, problem } = provider;
  const begin = (): void =>
    beginTrial.mutate(id, { onSuccess: (begun) => leaveFor({ purpose: 'trial', ...begun }), ...tellRefusal });
  return (
    <Step
      heading="h3"
      state={triedAt ? 'done' : 'todo'}
      title={m.accounts_providers_try()}
      text={
        triedAt
          ? m.accounts_providers_tried({ at: momentWords(triedAt, store) })
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
  const { change } = useProviderCalls();
  const { id, name, is_on: isOn, tried_at: triedAt, problem } = provider;
  const isUsable = problem?.kind !== 'not_here' && problem?.kind !== 'twice';
  const toggle = (): void => change.mutate({ id, is_on: !isOn }, tellRefusal);
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

function momentWords(at: string, { timezone }: Store): string {
  return `${dateWords(at, timezone)}, ${timeWords(at, timezone)}`;
}
