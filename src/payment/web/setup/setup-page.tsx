import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { m } from '#messages';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import type { PaymentSetup } from '#payment/setup-contract.ts';
import { ModeBand } from '#payment/web/mode-band.tsx';
import { EarlierKeys } from '#payment/web/setup/earlier-keys.tsx';
import { KeyProblemAlert } from '#payment/web/setup/key-problem.tsx';
import { NewKey } from '#payment/web/setup/new-key.tsx';
import classes from '#payment/web/setup/setup.module.css';
import { SetupSteps } from '#payment/web/setup/setup-steps.tsx';
import { useSetup } from '#payment/web/setup/use-setup.ts';
import { isCardCurrency } from '#store/card-provider.ts';
import type { Store } from '#store/contract.ts';

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
