import { Alert, Loader, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { confirm } from '#ui/web/office/confirm.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { PaymentMode } from '#database/column-types.ts';
import { notAKeyWords } from '#payment/key-problem-words.ts';
import type { KeySet } from '#payment/setup-contract.ts';
import { readStripeKey } from '#payment/stripe-key.ts';
import { stripePages } from '#payment/stripe-pages.ts';
import { KeyForm } from '#payment/web/setup/key-form.tsx';
import { KeyResult } from '#payment/web/setup/key-result.tsx';
import { NeededRights } from '#payment/web/setup/needed-rights.tsx';
import { OutsideLink } from '#ui/web/office/outside-link.tsx';
import classes from '#payment/web/setup/setup.module.css';
import { useKeyCheck, useSetupCalls } from '#payment/web/setup/use-setup.ts';
import { ApiError } from '#platform/web/api.ts';

interface NewKeyProps {
  current: KeySet | null;
  onDone: () => void;
  /** null: there is nothing to go back to. */
  onCancel: (() => void) | null;
}

/** Makes a key at Stripe, pastes it here, sees what it may do, and takes cards with it. */
export function NewKey({ current, onDone, onCancel }: NewKeyProps) {
  // A key that fails is replaced by one like it; after a test key that works, real cards come next.
  const [mode, setMode] = useState<PaymentMode>(firstMode(current));
  const [key, setKey] = useState('');
  const [slip, setSlip] = useState<string | null>(null);
  const check = useKeyCheck();
  const { use } = useSetupCalls();
  const trimmed = key.trim();

  const change = (typed: string): void => {
    setKey(typed);
    setSlip(null);
    check.reset();
    use.reset();
  };
  const checkKey = (): void => {
    const read = readStripeKey(trimmed);
    use.reset();
    if (read.isUsable) check.mutate(trimmed);
    else setSlip(notAKeyWords[read.instead]());
  };
  const takeCards = async (): Promise<void> => {
    const isBackToTest = current?.mode === 'live' && check.data?.mode === 'test';
    if (isBackToTest && !(await confirm(backToTest()))) return;
    use.mutate({ secret_key: trimmed, ...(isBackToTest && { is_test_wanted: true }) }, { onSuccess: onDone });
  };

  const refusal = check.error ?? use.error;
  const fieldRefusal = refusal instanceof ApiError ? refusal.errors['secret_key']?.[0] : undefined;
  return (
    <section className={classes.panel}>
      <h2>{current ? m.payment_setup_change_key() : m.payment_setup_begin()}</h2>
      <ModeChoice mode={mode} onChoose={setMode} />
      <ol>
        <li>
          <p>{m.payment_setup_make_key()}</p>
          <OutsideLink to={stripePages.newKey(mode, 'Hatch')} isMain={trimmed === ''}>
            {m.payment_setup_open_new_key()}
          </OutsideLink>
          <NeededRights />
        </li>
        <li>
          <KeyForm
            value={key}
            mode={mode}
            error={slip ?? fieldRefusal}
            isChecking={check.isPending}
            isChecked={check.data !== undefined}
            onChange={change}
            onSubmit={checkKey}
            onCancel={onCancel}
          />
        </li>
      </ol>
      <div aria-live="polite">
        {check.isPending && (
          <p className={classes.working}>
            <Loader size="sm" aria-hidden="true" /> {m.payment_setup_checking()}
          </p>
        )}
        {refusal && !fieldRefusal && <Alert color="bad">{refusalWords(refusal)}</Alert>}
        {check.data && (
          <KeyResult
            result={check.data}
            current={current}
            isOtherMode={check.data.mode !== mode}
            isTaking={use.isPending}
            onTake={() => void takeCards()}
            onCheckAgain={() => check.mutate(trimmed)}
          />
        )}
      </div>
    </section>
  );
}

function firstMode(current: KeySet | null): PaymentMode {
  if (!current) return 'test';
  return current.problem ? current.mode : 'live';
}

function backToTest() {
  return {
    title: m.payment_setup_to_test_title(),
    body: m.payment_setup_to_test_means(),
    action: m.payment_setup_to_test(),
    isDangerous: true,
  };
}

function ModeChoice({ mode, onChoose }: { mode: PaymentMode; onChoose: (mode: PaymentMode) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label={m.payment_setup_which_mode()}
        value={mode}
        onChange={(chosen) => onChoose(chosen === 'live' ? 'live' : 'test')}
        data={[
          { value: 'test', label: m.payment_setup_choose_test() },
          { value: 'live', label: m.payment_setup_choose_live() },
        ]}
      />
      <p>{mode === 'test' ? m.payment_setup_choose_test_hint() : m.payment_setup_choose_live_hint()}</p>
    </>
  );
}
