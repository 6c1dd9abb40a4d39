import type { ReactNode } from 'react';
import { m } from '#messages';
import classes from '#payment/web/mode-band.module.css';

/** `sandbox`: the shop's own made-up cards; null: no cards are taken. */
export type CardMode = 'live' | 'test' | 'sandbox' | null;

interface ModeBandProps {
  mode: CardMode;
  /** Whether customers are offered cards in this mode. */
  isOffered: boolean;
  children?: ReactNode;
}

/** Whether card payments are real, as a band across a page: green while real money comes in, striped yellow for tests. */
export function ModeBand({ mode, isOffered, children }: ModeBandProps) {
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
