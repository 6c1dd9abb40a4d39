import type Stripe from 'stripe';
import type { Books, World } from '../world.ts';
import { seconds } from '../world.ts';
import { emit } from './events.ts';

/** What an intent is made of; the rest are Stripe's own choices. */
export interface NewIntent {
  amount: number;
  currency: string;
  captureMethod?: Stripe.PaymentIntent.CaptureMethod | undefined;
  methodTypes: string[];
  options?: Stripe.Checkout.SessionCreateParams.PaymentMethodOptions | undefined;
  customer?: string | null | undefined;
  description?: string | undefined;
  metadata?: Stripe.MetadataParam | undefined;
  receiptEmail?: string | undefined;
  setupFutureUsage?: Stripe.PaymentIntent.SetupFutureUsage | undefined;
  statementDescriptorSuffix?: string | undefined;
  isDynamic: boolean;
}

export function createIntent(world: World, books: Books, given: NewIntent): Stripe.PaymentIntent {
  const id = world.newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: given.isDynamic ? { allow_redirects: 'always', enabled: true } : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.captureMethod ?? 'automatic_async',
    client_secret: world.newId(`${id}_secret`, 25),
    confirmation_method: 'automatic',
    created: seconds(world),
    currency: given.currency,
    customer: given.customer ?? null,
    customer_account: null,
    description: given.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: books.livemode,
    managed_payments: { enabled: false },
    metadata: readMetadata(given.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: given.isDynamic ? { id: configurationId(books), parent: null } : null,
    payment_method_options: intentOptions(given),
    payment_method_types: given.methodTypes,
    payment_record: null,
    processing: null,
    receipt_email: given.receiptEmail ?? null,
    review: null,
    setup_future_usage: given.setupFutureUsage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: given.statementDescriptorSuffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
  books.tables.payment_intent.set(id, intent);
  emit(world, books, 'payment_intent.created', intent);
  return intent;
}

/** The id of the account's one configuration of payment methods. */
export function configurationId(books: Books): string {
  return `pmc_${books.account.id.slice('acct_'.length)}`;
}

/** Metadata as Stripe keeps it: text, without the keys that were sent empty. */
export function readMetadata(sent: Stripe.MetadataParam | null | undefined): Stripe.Metadata {
  const kept = Object.entries(sent ?? {}).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(kept.map(([key, value]) => [key, String(value)]));
}

function intentOptions(given: NewIntent): Stripe.PaymentIntent.PaymentMethodOptions {
  const { card, link, pay_by_bank: bank } = given.options ?? {};
  const options: Stripe.PaymentIntent.PaymentMethodOptions = {};
  if (given.methodTypes.includes('card')) {
    options.card = {
      ...(card?.capture_method && { capture_method: card.capture_method }),
      installments: null,
      mandate_options: null,
      network: null,
      request_three_d_secure: card?.request_three_d_secure ?? 'automatic',
      ...(card?.setup_future_usage && { setup_future_usage: card.setup_future_usage }),
    };
  }
  if (given.methodTypes.includes('link')) {
    options.link = {
      ...(link?.capture_method && { capture_method: link.capture_method }),
      persistent_token: null,
    };
  }
  if (given.methodTypes.includes('pay_by_bank')) options.pay_by_bank = { ...bank };
  return options;
}
