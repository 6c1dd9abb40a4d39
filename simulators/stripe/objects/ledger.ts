import type Stripe from 'stripe';
import type { Books, World } from '../world.ts';
import { idIn, seconds } from '../world.ts';
import { emit } from './events.ts';

const day = 86_400;

/** What Stripe keeps of a payment in the United Kingdom: 1.5 % and 20p, in pence. */
export function feeOf(amount: number): number {
  return Math.round(amount * 0.015) + 20;
}

interface Movement {
  /** In pence: what the source adds to the balance before the fee; negative if it takes away. */
  amount: number;
  fee: number;
  feeFor?: string;
  currency: string;
  source: string;
  type: Stripe.BalanceTransaction.Type;
  category?: string;
  description: string | null;
  availableAtOnce?: boolean;
}

/** Writes down a movement of money. It can be paid out from the start of the third day after. */
export function record(world: World, books: Books, movement: Movement): Stripe.BalanceTransaction {
  const created = seconds(world);
  const transaction: Stripe.BalanceTransaction = {
    id: world.newId('txn'),
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: movement.availableAtOnce ? created : Math.ceil(created / day) * day + 2 * day,
    balance_type: 'payments',
    created,
    currency: movement.currency,
    description: movement.description,
    exchange_rate: null,
    fee: movement.fee,
    fee_details:
      movement.fee === 0
        ? []
        : [
            {
              amount: movement.fee,
              application: null,
              currency: movement.currency,
              description: movement.feeFor ?? 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: movement.amount - movement.fee,
    reporting_category: movement.category ?? movement.type,
    source: movement.source,
    status: movement.availableAtOnce ? 'available' : 'pending',
    type: movement.type,
  };
  books.tables.balance_transaction.set(transaction.id, transaction);
  return transaction;
}

/** The captured charge's own movement, with the fee. */
export function recordCharge(world: World, books: Books, charge: Stripe.Charge): void {
  const isCard = charge.payment_method_details?.type === 'card';
  charge.balance_transaction = record(world, books, {
    amount: charge.amount_captured,
    fee: feeOf(charge.amount_captured),
    currency: charge.currency,
    source: charge.id,
    type: isCard ? 'charge' : 'payment',
    category: 'charge',
    description: charge.description,
    availableAtOnce: books.cards.get(charge.payment_method ?? '')?.after === 'available_at_once',
  }).id;
}

/** Makes due movements available, and gives charges their movement that were captured at once and had none yet. */
export function settleMovements(world: World, books: Books): void {
  const now = seconds(world);
  for (const charge of books.tables.charge.values()) {
    const isBooked = idIn(charge.balance_transaction) !== null;
    if (isBooked || !charge.captured || charge.status !== 'succeeded') continue;
    if (world.now() < charge.created * 1000 + world.settings.balanceTransactionAfter) continue;
    recordCharge(world, books, charge);
    emit(world, books, 'charge.updated', charge, { balance_transaction: null });
  }
  for (const transaction of books.tables.balance_transaction.values()) {
    if (transaction.status === 'pending' && transaction.available_on <= now) transaction.status = 'available';
  }
}

/** The balance as Stripe answers it. */
export function balanceOf(books: Books): Stripe.Balance {
  const sum = (status: string) =>
    [...books.tables.balance_transaction.values()]
      .filter((transaction) => transaction.status === status)
      .reduce((total, transaction) => total + transaction.net, 0);
  const amount = (net: number) => [{ amount: net, currency: 'gbp', source_types: { card: net } }];
  return {
    object: 'balance',
    available: amount(sum('available')),
    livemode: books.livemode,
    pending: amount(sum('pending')),
  };
}
