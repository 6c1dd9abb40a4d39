import type Stripe from 'stripe';
import { StripeFailure, invalid, missing, wrongState } from '../api/failure.ts';
import { found, isWithin, newestFirst, pageOf } from '../api/lists.ts';
import { type Call, type Route, route } from '../api/route.ts';
import { smallest } from '../checkout/check-session.ts';
import { followIntent } from '../checkout/sessions.ts';
import { checkIsActivated } from '../objects/account.ts';
import { attempt } from '../objects/attempts.ts';
import { cancel, capture } from '../objects/capture.ts';
import { createIntent, readMetadata } from '../objects/intents.ts';
import { findMethod } from '../objects/payment-methods.ts';
import { createRefund } from '../objects/refunds.ts';
import { idIn } from '../world.ts';

/** Intents, charges and refunds. */
export const paymentRoutes: Route[] = [
  route('POST /v1/payment_intents', 'payment_intent_write', 'PaymentIntentCreateParams', create),
  route<Stripe.PaymentIntentListParams>(
    'GET /v1/payment_intents',
    'payment_intent_read',
    'PaymentIntentListParams',
    ({ books, params }) => {
      const rows = newestFirst(books.tables.payment_intent);
      const asked = rows.filter(
        (intent) =>
          isWithin(intent.created, params.created) &&
          (params.customer === undefined || idIn(intent.customer) === params.customer),
      );
      return pageOf(asked, '/v1/payment_intents', params, 'payment_intent');
    },
  ),
  route('GET /v1/payment_intents/:id', 'payment_intent_read', 'PaymentIntentRetrieveParams', (call) => intentOf(call)),
  route('POST /v1/payment_intents/:id/confirm', 'payment_intent_write', 'PaymentIntentConfirmParams', confirm),
  route<Stripe.PaymentIntentCaptureParams>(
    'POST /v1/payment_intents/:id/capture',
    'payment_intent_write',
    'PaymentIntentCaptureParams',
    (call) => {
      const intent = intentOf(call);
      const { amount_to_capture: amount, metadata, final_capture: isFinal } = call.params;
      if (isFinal === false)
        throw invalid('This PaymentIntent does not support multicapture.', { param: 'final_capture' });
      capture(call.world, call.books, intent, amount);
      Object.assign(intent.metadata, readMetadata(metadata || {}));
      followIntent(call.world, call.books, intent);
      return intent;
    },
  ),
  route<Stripe.PaymentIntentCancelParams>(
    'POST /v1/payment_intents/:id/cancel',
    'payment_intent_write',
    'PaymentIntentCancelParams',
    (call) => {
      const intent = intentOf(call);
      cancel(call.world, call.books, intent, call.params.cancellation_reason ?? null);
      return intent;
    },
  ),
  route<Stripe.ChargeListParams>('GET /v1/charges', 'charge_read', 'ChargeListParams', ({ books, params }) => {
    const rows = newestFirst(books.tables.charge);
    const asked = rows.filter(
      (charge) =>
        isWithin(charge.created, params.created) &&
        (params.customer === undefined || idIn(charge.customer) === params.customer) &&
        (params.payment_intent === undefined || idIn(charge.payment_intent) === params.payment_intent),
    );
    return pageOf(asked, '/v1/charges', params, 'charge');
  }),
  route('GET /v1/charges/:id', 'charge_read', 'ChargeRetrieveParams', ({ books, id }) =>
    found(books.tables.charge, 'charge', id),
  ),
  route<Stripe.RefundCreateParams>('POST /v1/refunds', 'charge_write', 'RefundCreateParams', (call) =>
    createRefund(call.world, call.books, call.params),
  ),
  route<Stripe.RefundListParams>('GET /v1/refunds', 'charge_read', 'RefundListParams', ({ books, params }) => {
    const rows = newestFirst(books.tables.refund);
    const asked = rows.filter(
      (refund) =>
        isWithin(refund.created, params.created) &&
        (params.charge === undefined || idIn(refund.charge) === params.charge) &&
        (params.payment_intent === undefined || idIn(refund.payment_intent) === params.payment_intent),
    );
    return pageOf(asked, '/v1/refunds', params, 'refund');
  }),
  route('GET /v1/refunds/:id', 'charge_read', 'RefundRetrieveParams', ({ books, id }) =>
    found(books.tables.refund, 'refund', id),
  ),
];

function intentOf({ books, id }: Call<unknown>): Stripe.PaymentIntent {
  return found(books.tables.payment_intent, 'payment_intent', id, 'intent');
}

function create(call: Call<Stripe.PaymentIntentCreateParams>): object {
  const { world, books, params } = call;
  checkIsActivated(books);
  checkAmount(params);
  if (params.customer !== undefined && !books.tables.customer.has(params.customer)) {
    throw missing('customer', params.customer, 'customer', 400);
  }
  const allowed = params.allowed_payment_method_types;
  const intent = createIntent(world, books, {
    amount: params.amount,
    currency: params.currency.toLowerCase(),
    captureMethod: params.capture_method,
    methodTypes: ['card', 'link', 'pay_by_bank'].filter((type) => !allowed || allowed.some((name) => name === type)),
    options: { card: { ...(params.payment_method_options?.card && cardOptions(params.payment_method_options.card)) } },
    customer: params.customer,
    description: params.description,
    metadata: params.metadata,
    receiptEmail: params.receipt_email,
    setupFutureUsage: params.setup_future_usage,
    statementDescriptorSuffix: params.statement_descriptor_suffix,
    isDynamic: params.automatic_payment_methods?.enabled ?? true,
  });
  if (params.confirm) return tryToPay(call, intent, params.payment_method);
  if (params.payment_method !== undefined) {
    intent.payment_method = findMethod(world, books, params.payment_method).id;
    intent.status = 'requires_confirmation';
  }
  return intent;
}

function cardOptions(card: Stripe.PaymentIntentCreateParams.PaymentMethodOptions.Card) {
  return { ...(card.capture_method === 'manual' && { capture_method: 'manual' as const }) };
}

function checkAmount({ amount, currency }: Stripe.PaymentIntentCreateParams): void {
  if (!Number.isInteger(amount) || amount < 1) {
    throw invalid(
      'The amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to save a Payment Method for future use without an immediate payment, use a Setup Intent instead: https://docs.stripe.com/payments/setup-intents',
      { code: 'parameter_invalid_integer', param: 'amount' },
    );
  }
  if (currency.toLowerCase() === 'gbp' && amount < smallest) {
    throw invalid('Amount must be at least £0.30 gbp', { code: 'amount_too_small', param: 'amount' });
  }
}

function confirm(call: Call<Stripe.PaymentIntentConfirmParams>): object {
  const intent = intentOf(call);
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw wrongState(
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action, requires_payment_method.`,
    );
  }
  const method = call.params.payment_method ?? idIn(intent.payment_method) ?? undefined;
  return tryToPay(call, intent, method);
}

function tryToPay(
  { world, books, params }: Call<Pick<Stripe.PaymentIntentConfirmParams, 'off_session' | 'return_url'>>,
  intent: Stripe.PaymentIntent,
  methodId: string | undefined,
): object {
  if (methodId === undefined) {
    throw wrongState(
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
    );
  }
  const method = findMethod(world, books, methodId);
  const owner = idIn(method.customer);
  if (owner !== null && owner !== idIn(intent.customer)) {
    throw invalid(
      `The PaymentMethod ${method.id} does not belong to the Customer you supplied ${idIn(intent.customer) ?? ''}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
      { param: 'payment_method', payment_intent: structuredClone(intent) },
    );
  }
  const result = attempt(world, books, intent, method, {
    offSession: params.off_session === true,
    keep: Boolean(intent.setup_future_usage),
    returnUrl: params.return_url,
  });
  if (result.result === 'failed') throw new StripeFailure(402, result.error);
  followIntent(world, books, intent);
  return intent;
}
