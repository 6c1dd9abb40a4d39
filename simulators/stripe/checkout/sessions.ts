import type Stripe from 'stripe';
import { invalid } from '../api/failure.ts';
import { checkIsActivated } from '../objects/account.ts';
import { cancel } from '../objects/capture.ts';
import { emit } from '../objects/events.ts';
import { configurationId, readMetadata } from '../objects/intents.ts';
import type { Books, World } from '../world.ts';
import { idIn, seconds } from '../world.ts';
import { checkSession } from './check-session.ts';
import { readLines, type Totals } from './lines.ts';

type Params = Stripe.Checkout.SessionCreateParams;

const day = 86_400;
/** What the account's configuration offers to a shop in the United Kingdom. */
const offered = ['card', 'link', 'pay_by_bank'];

export function createSession(world: World, books: Books, params: Params): Stripe.Checkout.Session {
  checkIsActivated(books);
  checkSession(world, books, params);
  const coupon = books.tables.coupon.get(params.discounts?.[0]?.coupon ?? '');
  const totals = readLines(world, books, params.line_items ?? [], coupon);
  const session = newSession(world, books, params, totals);
  books.sessions.set(session.id, {
    lines: totals.lines,
    intent: params.payment_intent_data ?? {},
    options: params.payment_method_options ?? {},
  });
  books.tables['checkout.session'].set(session.id, session);
  return session;
}

function methodTypes({ settings }: World, params: Params): string[] {
  const allowed = params.allowed_payment_method_types;
  const excluded = params.excluded_payment_method_types ?? [];
  // What cannot be held is not offered for an intent that is held with any method.
  const isAllHeld = params.payment_intent_data?.capture_method === 'manual';
  const types = offered.filter(
    (type) =>
      !settings.methodsOff.includes(type) &&
      (!allowed || allowed.some((name) => name === type)) &&
      !excluded.some((name) => name === type) &&
      !(isAllHeld && type === 'pay_by_bank'),
  );
  if (types.length === 0) {
    throw invalid('No valid payment method types for this Checkout Session.', {
      param: 'allowed_payment_method_types',
    });
  }
  return types;
}

function newSession(world: World, books: Books, params: Params, totals: Totals): Stripe.Checkout.Session {
  const id = world.newId(`cs_${books.livemode ? 'live' : 'test'}`, 58);
  const created = seconds(world);
  const saved = params.saved_payment_method_options;
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? true },
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: totals.subtotal,
    amount_total: totals.total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: totals.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: params.custom_text?.after_submit || null,
      shipping_address: params.custom_text?.shipping_address || null,
      submit: params.custom_text?.submit || null,
      terms_of_service_acceptance: params.custom_text?.terms_of_service_acceptance || null,
    },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer ? null : (params.customer_creation ?? 'if_required'),
    customer_details: params.customer_email ? customerDetails(params.customer_email, null) : null,
    customer_email: params.customer_email ?? null,
    discounts: (params.discounts ?? []).map(({ coupon }) => ({ coupon: coupon ?? null, promotion_code: null })),
    expires_at: params.expires_at ?? created + day,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: books.livemode,
    locale: params.locale ?? null,
    managed_payments: { enabled: false },
    metadata: readMetadata(params.metadata),
    mode: 'payment',
    origin_context: params.origin_context ?? null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: { id: configurationId(books), parent: null },
    payment_method_options: sessionOptions(params),
    payment_method_types: methodTypes(world, params),
    payment_status: totals.total === 0 ? 'no_payment_required' : 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: params.phone_number_collection?.enabled ?? false },
    recovered_from: null,
    saved_payment_method_options: params.customer
      ? {
          allow_redisplay_filters: saved?.allow_redisplay_filters ?? ['always'],
          payment_method_remove: saved?.payment_method_remove ?? 'disabled',
          payment_method_save: saved?.payment_method_save ?? null,
        }
      : null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: params.submit_type ?? null,
    subscription: null,
    success_url: params.success_url ?? null,
    total_details: { amount_discount: totals.discount, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${world.origin}/c/pay/${id}`,
    wallet_options: params.wallet_options?.link?.display
      ? { link: { display: params.wallet_options.link.display } }
      : null,
  };
}

function sessionOptions(params: Params): Stripe.Checkout.Session.PaymentMethodOptions {
  const { card, link } = params.payment_method_options ?? {};
  return {
    card: {
      ...(card?.capture_method && { capture_method: card.capture_method }),
      request_three_d_secure: card?.request_three_d_secure ?? 'automatic',
      ...(card?.setup_future_usage && { setup_future_usage: card.setup_future_usage }),
    },
    ...(link && { link: { ...(link.capture_method && { capture_method: link.capture_method }) } }),
  };
}

export function customerDetails(email: string | null, name: string | null): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: { city: null, country: name ? 'GB' : null, line1: null, line2: null, postal_code: null, state: null },
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

/** Ends an open session: nobody can pay it any more. */
export function expireSession(world: World, books: Books, session: Stripe.Checkout.Session): void {
  if (session.status !== 'open') {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  }
  session.status = 'expired';
  session.url = null;
  const intent = books.tables.payment_intent.get(idIn(session.payment_intent) ?? '');
  if (intent) cancel(world, books, intent, 'expired');
  emit(world, books, 'checkout.session.expired', session);
}

export function expireSessions(world: World, books: Books): void {
  for (const session of books.tables['checkout.session'].values()) {
    if (session.status === 'open' && session.expires_at <= seconds(world)) expireSession(world, books, session);
  }
}

/** Says in an intent's session that it is paid, once it is. */
export function followIntent(world: World, books: Books, intent: Stripe.PaymentIntent, wasProcessing = false): void {
  const session = books.sessionOfIntent.get(intent.id);
  if (!session) return;
  const isPaid = intent.status === 'succeeded';
  if (isPaid) session.payment_status = 'paid';
  if (!wasProcessing) return;
  const type = isPaid ? 'checkout.session.async_payment_succeeded' : 'checkout.session.async_payment_failed';
  emit(world, books, type, session);
}
