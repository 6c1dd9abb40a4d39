import { Alert } from '@mantine/core';
import { Link } from 'wouter';
import { m } from '#messages';
import type { CardPaymentState } from '#payment/setup-contract.ts';
import { keyProblemWords } from '#payment/key-problem-words.ts';
import { unchargedOrdersWords } from '#payment/web/payment-words.ts';
import type { Store } from '#store/contract.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { cardProviderOf } from '#platform/card-providers.ts';
import { api } from '#platform/web/api.ts';
import type { ReactNode } from 'react';
import classes from '#payment/web/mode-band.module.css';

export function TestMoneyBand({ store }: { store: Store }) {
  const known = useCardPaymentState(store);
  const mode = known ? modeOf(store, known) : null;
  return mode === 'test' || mode === 'sandbox' ? <CardModeBand mode={mode} isOffered /> : null;
}

function modeOf(store: Store, known: CardPaymentState): CardMode {
  return known.mode ?? (store.card_provider === 'sandbox' ? 'sandbox' : null);
}

export function CardPaymentsBand({ store }: { store: Store }) {
  const known = useCardPaymentState(store);
  if (!known) return null;
  const mode = modeOf(store, known);
  return (
    <>
      <CardModeBand mode={mode} isOffered={store.card_provider !== null}>
        <Link href="/admin/payments/setup">
          {mode === null || mode === 'sandbox' ? m.payment_setup_link() : m.payment_setup_link_open()}
        </Link>
      </CardModeBand>
      {known.problem && (
        <Alert color="bad" mb="md" title={keyProblemWords(known.problem)}>
          {known.uncharged.length > 0 && unchargedOrdersWords(known)}{' '}
          <Link href="/admin/payments/setup">{m.payment_setup_link_solve()}</Link>
        </Alert>
      )}
    </>
  );
}

/**
 * The mode and the problem of a store's card payments; undefined until read. A change of keys changes the store's
 * version, so that the state is read again.
 */
export function useCardPaymentState({ id, version, card_provider }: Store): CardPaymentState | undefined {
  const { data } = useQuery({
    queryKey: ['card-payments', id, version],
    queryFn: async ({ signal }) =>
      (await api('GET /v1/stores/{id}/card-payments', { id }, { signal, timeout: 20_000 })).data,
    placeholderData: keepPreviousData,
    refetchInterval: card_provider !== null && cardProviderOf(card_provider).hasKeys ? 30_000 : 5 * 60_000,
  });
  return data;
}

/** The way in which the shop takes cards. `sandbox`: only simulated ones; null: none. */
type CardMode = 'live' | 'test' | 'sandbox' | null;

interface ModeBandProps {
  mode: CardMode;
  isOffered: boolean;
  children?: ReactNode;
}

/** The card mode as a band: green for real money, striped yellow for tests. */
export function CardModeBand({ mode, isOffered, children }: ModeBandProps) {
  const state = mode === null || isOffered ? (mode ?? 'none') : 'withdrawn';
  return (
    <div className={classes.band} data-mode={state}>
      <strong>{names[mode ?? 'none']()}</strong>
      <span>{meanings[state]()}</span>
      {children}
    </div>
  );
}

const names = {
  live: () => m.payment_mode_live(),
  test: () => m.payment_mode_test(),
  sandbox: () => m.payment_mode_sandbox(),
  none: () => m.payment_mode_none(),
};

const meanings = {
  live: () => m.payment_mode_live_means(),
  test: () => m.payment_mode_test_means(),
  sandbox: () => m.payment_mode_sandbox_means(),
  none: () => m.payment_mode_none_means(),
  withdrawn: () => m.payment_mode_withdrawn_means(),
};
