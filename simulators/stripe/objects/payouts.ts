import type Stripe from 'stripe';
import type { Books, World } from '../world.ts';
import { seconds } from '../world.ts';
import { emit } from './events.ts';
import { record } from './ledger.ts';

const day = 86_400;

/** Pays out once a day what has become available; yesterday's payouts reach the bank. */
export function runPayouts(world: World, books: Books): void {
  const now = seconds(world);
  for (const payout of books.tables.payout.values()) {
    if (payout.status !== 'in_transit' || now < payout.arrival_date) continue;
    payout.status = 'paid';
    payout.reconciliation_status = 'completed';
    emit(world, books, 'payout.paid', payout, { status: 'in_transit' });
    emit(world, books, 'payout.reconciliation_completed', payout);
  }
  const startOfDay = Math.floor(now / day) * day;
  const wasToday = [...books.tables.payout.values()].some((payout) => payout.created >= startOfDay);
  if (!wasToday) payOut(world, books);
}

/** Pays out what is available now; null if that is nothing. */
export function payOut(world: World, books: Books): Stripe.Payout | null {
  const due = [...books.tables.balance_transaction.values()].filter(
    ({ id, status }) => status === 'available' && !books.paidOut.has(id),
  );
  const amount = due.reduce((sum, transaction) => sum + transaction.net, 0);
  if (amount <= 0 || !books.account.payouts_enabled) return null;
  const created = seconds(world);
  const payout: Stripe.Payout = {
    id: world.newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: Math.floor(created / day) * day + day,
    automatic: true,
    balance_transaction: null,
    created,
    currency: 'gbp',
    description: 'STRIPE PAYOUT',
    destination: `ba_${books.account.id.slice('acct_'.length)}`,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: books.livemode,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'in_progress',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
  books.tables.payout.set(payout.id, payout);
  const own = record(world, books, {
    amount: -amount,
    fee: 0,
    currency: 'gbp',
    source: payout.id,
    type: 'payout',
    description: 'STRIPE PAYOUT',
    availableAtOnce: true,
  });
  payout.balance_transaction = own.id;
  for (const { id } of [...due, own]) books.paidOut.set(id, payout.id);
  emit(world, books, 'payout.created', payout);
  return payout;
}
