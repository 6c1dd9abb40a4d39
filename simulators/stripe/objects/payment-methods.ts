import type Stripe from 'stripe';
import { createHash } from 'node:crypto';
import { invalid, missing } from '../api/failure.ts';
import type { Books, World } from '../world.ts';
import { seconds } from '../world.ts';
import { emit } from './events.ts';
import { cardByName, type TestCard } from './test-cards.ts';

export interface Payer {
  name?: string | undefined;
  email?: string | undefined;
  expiryMonth?: number;
  expiryYear?: number;
}

/** Makes the payment method that a test card stands for. */
export function createMethod(world: World, books: Books, card: TestCard, payer: Payer = {}): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: world.newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: payer.email ?? null,
      name: payer.name ?? null,
      phone: null,
      tax_id: null,
    },
    created: seconds(world),
    customer: null,
    customer_account: null,
    livemode: books.livemode,
    metadata: {},
    type: card.type,
    ...(card.type === 'card' && { card: cardOf(card, payer) }),
    ...(card.type === 'link' && { link: { email: payer.email ?? null } }),
    ...(card.type === 'pay_by_bank' && { pay_by_bank: {} }),
  };
  books.tables.payment_method.set(method.id, method);
  books.cards.set(method.id, card);
  return method;
}

/** The method with an id; a name for tests such as `pm_card_visa` makes a new one. */
export function findMethod(world: World, books: Books, id: string): Stripe.PaymentMethod {
  const known = books.tables.payment_method.get(id);
  if (known) return known;
  const card = books.livemode ? undefined : cardByName(id);
  if (!card) throw missing('PaymentMethod', id, 'payment_method', 400);
  return createMethod(world, books, card);
}

/** Keeps a method for a customer. */
export function attachMethod(world: World, books: Books, method: Stripe.PaymentMethod, customer: string): void {
  if (method.customer === customer) return;
  const card = books.cards.get(method.id);
  if (card?.type !== 'card' && card?.type !== 'link') {
    throw invalid('The payment method type cannot be attached to a customer.', { param: 'payment_method' });
  }
  method.customer = customer;
  emit(world, books, 'payment_method.attached', method);
}

/** Removes a method from its customer; it can never be used again. */
export function detachMethod(world: World, books: Books, method: Stripe.PaymentMethod): void {
  const customer = method.customer;
  if (customer === null) {
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.', {
      param: 'payment_method',
    });
  }
  method.customer = null;
  emit(world, books, 'payment_method.detached', method, { customer });
}

function cardOf(card: TestCard, payer: Payer): Stripe.PaymentMethod.Card {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: card.country,
    display_brand: card.brand,
    exp_month: payer.expiryMonth ?? 12,
    exp_year: payer.expiryYear ?? 2034,
    fingerprint: createHash('sha256').update(card.number).digest('base64').replace(/\W/g, '').slice(0, 16),
    funding: card.funding,
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: card.wallet
      ? { dynamic_last4: card.wallet === 'link' ? null : '4242', type: card.wallet, [card.wallet]: {} }
      : null,
  };
}
