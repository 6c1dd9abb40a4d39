import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { type CheckoutRequest, ProviderRefusal } from '#payment/server/provider.ts';
import { askStripeSerially } from '#payment/server/stripe/ask-stripe.ts';
import { couponParams } from '#payment/server/stripe/checkout-params.ts';

type Params = Stripe.Checkout.SessionCreateParams;

export async function createDiscountCoupon(stripe: Stripe, request: CheckoutRequest): Promise<string | null> {
  const discount = couponParams(request);
  if (!discount) return null;
  const key = `${request.idempotencyKey}:coupon`;
  const { id } = await askStripeSerially(() => stripe.coupons.create(discount, { idempotencyKey: key }));
  return id;
}

/**
 * Opens the page on which a payment is approved. An optional part that Stripe refuses is left out, because a mail
 * address, saved cards or an unknown method must not prevent the payment. Throws the errors of `askStripe`.
 */
export async function openStripePage(
  stripe: Stripe,
  params: Params,
  idempotencyKey: string,
): Promise<{ id: string; url: string }> {
  const left: string[] = [];
  let [asked, key] = [params, idempotencyKey];
  for (;;) {
    try {
      const { id, url } = await createSession(stripe, asked, key);
      if (!url) throw new ProviderRefusal(`the session ${id} has no page`);
      return { id, url };
    } catch (error) {
      const parameter = error instanceof ProviderRefusal ? error.parameter : null;
      const fewer = parameter === null ? null : without(asked, parameter);
      if (!fewer) throw error;
      asked = fewer;
      // Stripe repeats a refusal for the same key, so the next key contains the left-out parameters. They are hashed,
      // because Stripe accepts at most 255 characters.
      left.push(parameter ?? '');
      key = `${idempotencyKey}:${createHash('sha256').update(left.join()).digest('base64url')}`;
    }
  }
}

function createSession(stripe: Stripe, params: Params, idempotencyKey: string): Promise<Stripe.Checkout.Session> {
  return askStripeSerially(() => stripe.checkout.sessions.create(params, { idempotencyKey }));
}

/** The page's parameters without the refused one; null if the page needs the refused parameter. */
function without(params: Params, parameter: string): Params | null {
  const { customer_email, saved_payment_method_options, ...others } = params;
  if (parameter === 'customer_email' && customer_email !== undefined) {
    return { ...others, ...(saved_payment_method_options && { saved_payment_method_options }) };
  }
  if (parameter.startsWith('saved_payment_method_options') && saved_payment_method_options !== undefined) {
    return { ...others, ...(customer_email !== undefined && { customer_email }) };
  }
  const method = refusedMethod(params, parameter);
  return method === null || method === 'card' ? null : withoutMethod(params, method);
}

/** The payment method that was refused, found by its name or by its index in the allowed methods; null: no method. */
function refusedMethod({ allowed_payment_method_types: allowed }: Params, parameter: string): string | null {
  const [, named] = /^payment_method_options\[(\w+)\]/.exec(parameter) ?? [];
  const [, place] = /^allowed_payment_method_types\[(\d+)\]/.exec(parameter) ?? [];
  const method = named ?? (place === undefined ? undefined : allowed?.[Number(place)]);
  return method !== undefined && allowed?.some((one) => one === method) ? method : null;
}

/**
 * The parameters without a refused payment method. Removing only the method's options would not do, because the options
 * decide whether its money is held.
 */
function withoutMethod(params: Params, method: string): Params {
  const { payment_method_options: options } = params;
  const left = Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => name !== method));
  return {
    ...params,
    allowed_payment_method_types: params.allowed_payment_method_types?.filter((one) => one !== method) ?? [],
    ...(options && { payment_method_options: left }),
  };
}
