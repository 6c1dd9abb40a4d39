import type Stripe from 'stripe';
import type { Desk, LogEntry, Violation } from './api/answer-call.ts';
import type { Faults } from './api/faults.ts';
import { booksOf, defaultAccount, type Keys } from './api/keys.ts';
import { findIntent, findSession } from './checkout/page-calls.ts';
import { answerBank, type PageForm, type PageResult, afterAttempt, paySession } from './checkout/pay.ts';
import { followIntent } from './checkout/sessions.ts';
import { finishProcessing } from './objects/attempts.ts';
import { closeDispute, type NewDispute, openDispute } from './objects/disputes.ts';
import { payOut } from './objects/payouts.ts';
import { finishRefund } from './objects/refunds.ts';
import type { Webhooks } from './webhooks/deliveries.ts';
import type { Books, Settings } from './world.ts';

/**
 * What a test does to the local Stripe, and sees of it. Each method can be called over HTTP too: `/__control/{name}`.
 */
export interface Control {
  keys: Pick<Keys, 'create' | 'revoke' | 'limitToOthers' | 'change'>;
  faults: Omit<Faults, 'take'>;
  webhooks: Omit<Webhooks, 'publish' | 'close' | 'sendDue'>;
  /** Every call of the API since the start, or since `clearLog`. */
  log: readonly LogEntry[];
  clearLog(): void;
  /** Requests and answers that the types of the `stripe` package do not know. Tests expect none. */
  violations: readonly Violation[];
  /** The violations so far, which are forgotten then. */
  takeViolations(): Violation[];
  /** Changes how payments and refunds go from now on. */
  set(settings: Partial<Settings>): Settings;
  /** Changes an account, such as `{charges_enabled: false}`. */
  setAccount(change: Partial<Stripe.Account>, place?: Place): Stripe.Account;
  /** Moves the clock forward, in milliseconds, and lets what is due happen. Resolves when its events are delivered. */
  advance(milliseconds: number): Promise<void>;
  /** Lets what is due by the clock happen: holds, sessions, payouts, late events. */
  tick(): void;
  /** The objects of an account in one mode, as they are now. For reading. */
  books(place?: Place): Books;
  /** Pays a session as its page does, without the page. */
  pay(session: string, form?: Partial<PageForm>): PageResult;
  /** Answers the bank's question about a session's payment. */
  answerBank(session: string, isApproved: boolean): PageResult;
  /** The bank's late answer about an intent that is processing. */
  finishPayment(intent: string, isPaid: boolean): void;
  /** The end of a pending refund, or the late failure of one that had succeeded. */
  finishRefund(refund: string, status: 'succeeded' | 'failed', reason?: string): void;
  openDispute(charge: string, given?: NewDispute): Stripe.Dispute;
  closeDispute(dispute: string, status: 'won' | 'lost'): void;
  /** Pays out now what is available; null if that is nothing. */
  payOut(place?: Place): Stripe.Payout | null;
}

export interface Place {
  account?: string;
  livemode?: boolean;
}

const noForm: PageForm = {
  method: 'card',
  email: 'payer@example.com',
  name: 'Test Payer',
  number: '4242424242424242',
  expiry: '12/34',
  cvc: '123',
  save: false,
  bank: 'approve',
};

export function createControl(
  desk: Desk,
  webhooks: Webhooks,
  clock: { tick(): void; move(milliseconds: number): void },
): Control {
  const { world, keys, faults } = desk;
  const at = ({ account = defaultAccount, livemode = false }: Place = {}) => booksOf(world, account, livemode);
  return {
    keys,
    faults,
    webhooks,
    log: desk.log,
    clearLog() {
      desk.log.length = 0;
    },
    violations: desk.violations,
    takeViolations: () => desk.violations.splice(0),
    set: (settings) => Object.assign(world.settings, settings),
    setAccount: (change, place) => Object.assign(at(place).account, change),
    async advance(milliseconds) {
      clock.move(milliseconds);
      clock.tick();
      await webhooks.settled();
    },
    tick: clock.tick,
    books: at,
    pay(id, form = {}) {
      desk.followClock();
      const found = findSession(world, id);
      if (!found) throw new Error(`No session ${id}`);
      if (found.session.status !== 'open') return { problem: `The session is ${found.session.status}.` };
      return paySession(world, found.books, found.session, { ...noForm, ...form });
    },
    answerBank(id, isApproved) {
      desk.followClock();
      const found = findSession(world, id);
      const intent = findIntent(world, String(found?.session.payment_intent));
      if (!found || !intent) throw new Error(`No payment of session ${id}`);
      const result = answerBank(world, found.books, intent.intent, isApproved);
      return afterAttempt(world, found.books, found.session, intent.intent, result);
    },
    finishPayment(id, isPaid) {
      const { books, intent } = known(findIntent(world, id), id);
      finishProcessing(world, books, intent, isPaid);
      followIntent(world, books, intent, true);
    },
    finishRefund(id, status, reason) {
      const books = owner(desk, 'refund', id);
      finishRefund(world, books, known(books.tables.refund.get(id), id), status, reason);
    },
    openDispute(id, given) {
      const books = owner(desk, 'charge', id);
      return openDispute(world, books, known(books.tables.charge.get(id), id), given);
    },
    closeDispute(id, status) {
      const books = owner(desk, 'dispute', id);
      closeDispute(world, books, known(books.tables.dispute.get(id), id), status);
    },
    payOut: (place) => payOut(world, at(place)),
  };
}

function owner({ world }: Desk, table: keyof Books['tables'], id: string): Books {
  return known(
    [...world.books.values()].find((books) => books.tables[table].has(id)),
    id,
  );
}

function known<Value>(value: Value | undefined, id: string): Value {
  if (value === undefined) throw new Error(`No object ${id}`);
  return value;
}
