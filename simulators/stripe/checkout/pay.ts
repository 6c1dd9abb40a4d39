import type Stripe from 'stripe';
import { attempt, type Attempt, refuseAuthentication } from '../objects/attempts.ts';
import { emit } from '../objects/events.ts';
import { createIntent } from '../objects/intents.ts';
import { createMethod } from '../objects/payment-methods.ts';
import { buttonMethod, cardByNumber, type TestCard } from '../objects/test-cards.ts';
import type { Books, World } from '../world.ts';
import { idIn } from '../world.ts';
import { customerDetails } from './sessions.ts';

/** What the payer sends from the page. */
export interface PageForm {
  /** A button's name, `card` with the fields below, or the id of a saved method. */
  method: string;
  email: string;
  name: string;
  number: string;
  /** As `12/34`. */
  expiry: string;
  cvc: string;
  /** Keep the card for the customer's next order. */
  save: boolean;
  /** Of Pay by Bank: what the payer does at the bank. */
  bank: 'approve' | 'later' | 'refuse';
}

/** Where the payer goes next, or what the page says instead. */
export type PageResult = { to: string } | { problem: string };

/** Pays a session as its page does: makes the intent at the first try, and completes the session if that worked. */
export function paySession(world: World, books: Books, session: Stripe.Checkout.Session, form: PageForm): PageResult {
  const email = session.customer_email ?? (form.email || customerEmail(books, session));
  if (session.amount_total === 0) return { to: complete(world, books, session, email, form.name) };
  const method = methodOf(world, books, session, form, email);
  if ('problem' in method) return method;
  const intent = intentOf(world, books, session);
  if (form.method === 'pay_by_bank' && form.bank === 'refuse') {
    return { problem: 'The payment was not approved at the bank. Try again, or choose another way to pay.' };
  }
  const keep = form.save || Boolean(intent.setup_future_usage);
  if (keep) method.allow_redisplay = form.save ? 'always' : 'limited';
  const isSlow =
    form.method === 'pay_by_bank' && (form.bank === 'later' || world.settings.bankPayments === 'processing');
  const result = attempt(world, books, intent, method, { keep, isSlow });
  session.customer_details = customerDetails(email, form.name || null);
  return afterAttempt(world, books, session, intent, result);
}

/** What follows when the bank has asked the cardholder. */
export function answerBank(world: World, books: Books, intent: Stripe.PaymentIntent, isApproved: boolean): Attempt {
  const method = books.tables.payment_method.get(idIn(intent.payment_method) ?? '');
  if (intent.status !== 'requires_action' || !method) {
    return { result: 'failed', error: { type: 'invalid_request_error', message: 'The bank does not ask any more.' } };
  }
  if (!isApproved) {
    refuseAuthentication(world, books, intent);
    const message = intent.last_payment_error?.message ?? '';
    return { result: 'failed', error: { type: 'invalid_request_error', message } };
  }
  const keep = method.allow_redisplay !== 'unspecified';
  return attempt(world, books, intent, method, { wasAsked: true, keep });
}

export function afterAttempt(
  world: World,
  books: Books,
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent,
  attempt: Attempt,
): PageResult {
  if (attempt.result === 'failed') return { problem: attempt.error.message };
  if (attempt.result === 'asks') return { to: intent.next_action?.redirect_to_url?.url ?? '' };
  if (attempt.result === 'succeeded') session.payment_status = 'paid';
  const { email, name } = session.customer_details ?? { email: null, name: null };
  return { to: complete(world, books, session, email, name) };
}

function complete(
  world: World,
  books: Books,
  session: Stripe.Checkout.Session,
  email: string | null,
  name: string | null,
): string {
  session.status = 'complete';
  session.url = null;
  session.customer_details = customerDetails(email, name || null);
  for (const discount of session.discounts ?? []) {
    const coupon = books.tables.coupon.get(idIn(discount.coupon) ?? '');
    if (!coupon) continue;
    coupon.times_redeemed += 1;
    if (coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions) coupon.valid = false;
  }
  emit(world, books, 'checkout.session.completed', session);
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function intentOf(world: World, books: Books, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const known = books.tables.payment_intent.get(idIn(session.payment_intent) ?? '');
  if (known) return known;
  const secret = books.sessions.get(session.id);
  const given = secret?.intent ?? {};
  const intent = createIntent(world, books, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? 'gbp',
    captureMethod: given.capture_method,
    methodTypes: session.payment_method_types,
    options: secret?.options,
    customer: idIn(session.customer),
    description: given.description,
    metadata: given.metadata,
    receiptEmail: given.receipt_email,
    setupFutureUsage: given.setup_future_usage,
    statementDescriptorSuffix: given.statement_descriptor_suffix,
    isDynamic: true,
  });
  session.payment_intent = intent.id;
  books.sessionOfIntent.set(intent.id, session);
  return intent;
}

function methodOf(
  world: World,
  books: Books,
  session: Stripe.Checkout.Session,
  form: PageForm,
  email: string,
): Stripe.PaymentMethod | { problem: string } {
  if (form.method.startsWith('pm_')) {
    const saved = savedMethods(books, session).find(({ id }) => id === form.method);
    return saved ?? { problem: 'This card is not saved any more.' };
  }
  const payer = { name: form.name || undefined, email: email || undefined };
  if (form.method === 'card') {
    const problem = cardProblem(world, form);
    const card = cardByNumber(form.number);
    if (problem || !card) return { problem: problem ?? '' };
    const [month, year] = expiryOf(form.expiry);
    return createMethod(world, books, card, { ...payer, expiryMonth: month, expiryYear: year });
  }
  const card = buttonCard(session, form.method);
  return card ? createMethod(world, books, card, payer) : { problem: 'This way to pay is not offered.' };
}

/** Link pays by itself where it is offered, and by the card behind it where only cards are. */
function buttonCard(session: Stripe.Checkout.Session, button: string): TestCard | undefined {
  if (!buttonsOf(session).includes(button)) return undefined;
  if (button === 'apple_pay' || button === 'google_pay') return buttonMethod(button);
  if (button === 'pay_by_bank') return buttonMethod('pay_by_bank');
  if (session.payment_method_types.includes('link')) return buttonMethod('link');
  return { ...buttonMethod('link'), type: 'card', wallet: 'link' };
}

/** The ways to pay beside typing a card in. */
export function buttonsOf(session: Stripe.Checkout.Session): string[] {
  const types = session.payment_method_types;
  const isLinkShown = session.wallet_options?.link?.display !== 'never';
  return [
    ...(types.includes('card') ? ['apple_pay', 'google_pay'] : []),
    ...((types.includes('card') || types.includes('link')) && isLinkShown ? ['link'] : []),
    ...(types.includes('pay_by_bank') ? ['pay_by_bank'] : []),
  ];
}

/** The customer's cards that this page may show. */
export function savedMethods(books: Books, session: Stripe.Checkout.Session): Stripe.PaymentMethod[] {
  const customer = idIn(session.customer);
  const filters = session.saved_payment_method_options?.allow_redisplay_filters ?? [];
  return [...books.tables.payment_method.values()].filter(
    (method) =>
      customer !== null && method.customer === customer && filters.some((kind) => kind === method.allow_redisplay),
  );
}

function cardProblem(world: World, form: PageForm): string | undefined {
  if (!form.number) return 'Your card number is incomplete.';
  if (!cardByNumber(form.number)) return 'Your card number is invalid: use a test card.';
  const [month, year] = expiryOf(form.expiry);
  if (month < 1 || month > 12 || !year) return "Your card's expiration date is incomplete.";
  if (world.now() >= Date.UTC(year, month)) return "Your card's expiration year is in the past.";
  if (!/^\d{3,4}$/.test(form.cvc)) return "Your card's security code is incomplete.";
  return undefined;
}

function expiryOf(text: string): [month: number, year: number] {
  const [, month = '0', year = '0'] = /^\s*(\d{1,2})\s*\/\s*(\d{2})\s*$/.exec(text) ?? [];
  return [Number(month), Number(year) && 2000 + Number(year)];
}

function customerEmail(books: Books, session: Stripe.Checkout.Session): string {
  return books.tables.customer.get(idIn(session.customer) ?? '')?.email ?? '';
}
