import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import type { PaymentSetup } from '#payment/setup-contract.ts';
import { ModeBand } from '#payment/web/mode-band.tsx';
import { KeyProblemAlert } from '#payment/web/setup/key-problem.tsx';
import { NewKey } from '#payment/web/setup/new-key.tsx';
import classes from '#payment/web/setup/setup.module.css';
import { SetupSteps } from '#payment/web/setup/setup-steps.tsx';
import { useSetup } from '#payment/web/setup/use-setup.ts';
import { isCardCurrency } from '#store/card-provider.ts';
import type { Store } from '#store/contract.ts';
import { dateWords } from '#platform/date-words.ts';
import { problemWords } from '#payment/key-problem-words.ts';

/** Where the owner gives the shop its key at Stripe, tries it, and sees whether all of it works. */
export function PaymentSetupPage({ store }: { store: Store }) {
  const query = useSetup();
  return (
    <OfficePage
      title={m.office_page_payment_setup()}
      hint={m.payment_setup_hint()}
      actions={
        <Button component={Link} href="/admin/payments" variant="default">
          {m.office_page_payments()}
        </Button>
      }
    >
      {query.isPending && <Waiting />}
      {query.isError && !query.data && <Trouble error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Setup store={store} setup={query.data} />}
    </OfficePage>
  );
}

function Setup({ store, setup }: { store: Store; setup: PaymentSetup }) {
  const { current, earlier, source } = setup;
  const [isChanging, setChanging] = useState(false);
  const isNewKeyShown = source === 'office' && (current === null || isChanging);
  const change = source === 'office' ? () => setChanging(true) : null;
  return (
    <>
      <ModeBand
        mode={current?.mode ?? (store.card_provider === 'sandbox' ? 'sandbox' : null)}
        isOffered={store.card_provider !== null}
      />
      {!isCardCurrency(store.currency) && (
        <Alert color="bad" mb="md">
          {m.store_card_currency({ currency: store.currency })}
        </Alert>
      )}
      {current?.problem && <KeyProblemAlert current={current} onChange={change} />}
      {source === 'environment' && (
        <p>{current ? m.payment_setup_environment() : m.payment_setup_environment_waiting()}</p>
      )}
      {isNewKeyShown && (
        <NewKey current={current} onDone={() => setChanging(false)} onCancel={current && (() => setChanging(false))} />
      )}
      {current && !isNewKeyShown && <SetupSteps store={store} current={current} onChange={change} />}
      {earlier.length > 0 && <EarlierKeys earlier={earlier} store={store} className={classes.panel ?? ''} />}
    </>
  );
}

interface EarlierKeysProps {
  earlier: PaymentSetup['earlier'];
  store: Store;
  className: string;
}

/** Keys that another one replaced, while something of theirs is not finished. */
function EarlierKeys({ earlier, store, className }: EarlierKeysProps) {
  return (
    <section className={className}>
      <h2>{m.payment_setup_earlier()}</h2>
      <p>{m.payment_setup_earlier_hint()}</p>
      <ul>
        {earlier.map((set) => (
          <li key={set.id}>
            {rowWords(set, store)} {set.problem && <strong>{problemWords(set.problem)}</strong>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function rowWords(set: PaymentSetup['earlier'][number], { timezone }: Store): string {
  const said = {
    mode: modeWords[set.mode](),
    account: set.account_name ?? m.payment_setup_account_unknown(),
    hint: set.key_hint,
    date: dateWords(set.replaced_at, timezone),
  };
  return set.unfinished > 0
    ? m.payment_setup_earlier_row({ ...said, count: set.unfinished })
    : m.payment_setup_earlier_row_closing(said);
}

const modeWords = {
  live: () => m.payment_mode_live(),
  test: () => m.payment_mode_test(),
};
