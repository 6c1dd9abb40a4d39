import { Alert, Button, Group, Loader, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import type { PaymentMode } from '#database/column-values.ts';
import {
  wrongKeyWords,
  keyPermissionWords,
  providerMessageWords,
  enteredKeyProblemWords,
} from '#payment/key-problem-words.ts';
import type { KeyCheck, KeySet } from '#payment/setup-contract.ts';
import { readStripeKey } from '#payment/stripe-key.ts';
import { stripeDashboardUrls } from '#payment/stripe-dashboard-urls.ts';
import { NewTabLink } from '#ui/web/office/office-page.tsx';
import classes from '#payment/web/setup/setup.module.css';
import { keyRemedyWords, useKeyCheck, useSetupCalls } from '#payment/web/setup/key-problem.tsx';
import { ApiError } from '#platform/web/api.ts';
import { stripeRightNames } from '#payment/stripe-rights.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { CardModeBand } from '#payment/web/card-payments-band.tsx';

interface NewKeyProps {
  current: KeySet | null;
  onDone: () => void;
  /** null: there are no keys to go back to. */
  onCancel: (() => void) | null;
}

/** The steps of a new key: create it at Stripe, paste it, check its rights, and take cards with it. */
export function NewKeyPanel({ current, onDone, onCancel }: NewKeyProps) {
  // The preselected mode: `test` if there is no key yet, the key's own mode if it has a problem, otherwise `live`.
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
    else setSlip(wrongKeyWords[read.instead]());
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
          <NewTabLink to={stripeDashboardUrls.newKey(mode, 'Hatch')} isMain={trimmed === ''}>
            {m.payment_setup_open_new_key()}
          </NewTabLink>
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

/** The list of rights that the key needs; the link to Stripe's page preselects them. */
function NeededRights() {
  return (
    <details>
      <summary>{m.payment_setup_rights_summary()}</summary>
      <ul className={classes.rights}>
        {stripeRightNames.map((name) => (
          <li key={name}>{keyPermissionWords(name)}</li>
        ))}
      </ul>
      <p>{m.payment_setup_rights_rest()}</p>
    </details>
  );
}

interface KeyFormProps {
  value: string;
  mode: PaymentMode;
  error: string | undefined;
  isChecking: boolean;
  isChecked: boolean;
  onChange: (typed: string) => void;
  onSubmit: () => void;
  /** null: there are no keys to go back to. */
  onCancel: (() => void) | null;
}

/** The field for the key. Browsers do not store it. */
function KeyForm({ value, mode, error, isChecking, isChecked, onChange, onSubmit, onCancel }: KeyFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextInput
        label={m.payment_setup_paste()}
        description={m.payment_setup_paste_hint()}
        placeholder={`rk_${mode}_…`}
        value={value}
        error={error}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap="xs" mt="sm">
        <Button
          type="submit"
          disabled={value.trim() === ''}
          loading={isChecking}
          variant={isChecked ? 'default' : 'filled'}
        >
          {m.payment_setup_check()}
        </Button>
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            {m.platform_cancel()}
          </Button>
        )}
      </Group>
    </form>
  );
}

interface KeyResultProps {
  result: KeyCheck;
  current: KeySet | null;
  isOtherMode: boolean;
  isTaking: boolean;
  onTake: () => void;
  onCheckAgain: () => void;
}

function KeyResult({ result, current, isOtherMode, isTaking, onTake, onCheckAgain }: KeyResultProps) {
  const { mode, problem, rights } = result;
  const account = result.account_name ?? result.account ?? m.payment_setup_account_unknown();
  return (
    <div>
      <CardModeBand mode={mode} isOffered={!problem || problem.kind === 'some_pages_refused'} />
      {isOtherMode && (
        <Alert color="warm" mb="md">
          {mode === 'test' ? m.payment_setup_is_test_key() : m.payment_setup_is_live_key()}
        </Alert>
      )}
      {problem && <TypedKeyProblem problem={problem} mode={mode} onCheckAgain={onCheckAgain} />}
      {problem?.kind !== 'keys_refused' && problem?.kind !== 'address_refused' && (
        <>
          <h3>{m.payment_setup_result({ account })}</h3>
          <ul className={classes.rights}>
            {rights.map(({ name, row, access, is_given }) => (
              <li key={name} data-given={is_given || undefined} data-missing={!is_given || undefined}>
                <Icon name={is_given ? 'check' : 'close'} />
                <span>{m.payment_keys_right({ row, access })}</span>
                {!is_given && <span className="visually-hidden">{m.payment_setup_right_missing()}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {!problem && (
        <>
          {current && <p>{result.joins ? m.payment_setup_joins() : m.payment_setup_joins_not()}</p>}
          <Button mt="md" loading={isTaking} onClick={onTake}>
            {mode === 'test' ? m.payment_setup_take_test() : m.payment_setup_take_live()}
          </Button>
        </>
      )}
    </div>
  );
}

interface TypedKeyProblemProps {
  problem: NonNullable<KeyCheck['problem']>;
  mode: KeyCheck['mode'];
  onCheckAgain: () => void;
}

function TypedKeyProblem({ problem, mode, onCheckAgain }: TypedKeyProblemProps) {
  const isInactive = problem.kind === 'not_activated';
  return (
    <Alert color="bad" mb="md" title={enteredKeyProblemWords(problem)}>
      {providerMessageWords(problem) && <p>{providerMessageWords(problem)}</p>}
      {problem.kind !== 'keys_refused' && keyRemedyWords[problem.kind](problem.rights)}
      <Group gap="xs" mt="sm">
        <NewTabLink to={isInactive ? stripeDashboardUrls.activate : stripeDashboardUrls.keys(mode)}>
          {isInactive ? m.payment_setup_open_activate() : m.payment_setup_open_keys()}
        </NewTabLink>
        <Button variant="default" onClick={onCheckAgain}>
          {m.payment_setup_look_again()}
        </Button>
      </Group>
    </Alert>
  );
}
