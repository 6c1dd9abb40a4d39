import { Alert, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import type { TriedSignIn } from '#accounts/provider-contract.ts';
import classes from '#accounts/web/providers/providers.module.css';
import { useProviderCalls } from '#accounts/web/providers/use-providers.ts';
import { takeTrialReturn } from '#accounts/web/trial-return.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

let returned: ReturnType<typeof takeTrialReturn> | undefined;

/** The result of a provider that the owner tried, after its pages; nothing otherwise. */
export function TrialResult() {
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
