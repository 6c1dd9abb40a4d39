import type { ProviderName } from '#payment/payment-state.ts';
import { inTime, type PaymentProvider } from '#payment/server/provider.ts';
import type { PaymentServices } from '#payment/server/services.ts';

/** What every part of this domain uses. */
export interface PaymentContext {
  services: PaymentServices;
  providers: ReadonlyMap<string, PaymentProvider>;
}

/** The provider by name; each call has a time limit. Throws when no such provider is set up any more. */
export function providerNamed({ providers }: PaymentContext, name: ProviderName): PaymentProvider {
  const provider = providers.get(name);
  if (!provider) throw new Error(`the payment provider ${name} is not set up`);
  return {
    name,
    createCheckout: (request) => inTime(provider.createCheckout(request)),
    fetch: (reference) => inTime(provider.fetch(reference)),
    capture: (reference, key) => inTime(provider.capture(reference, key)),
    void: (reference, key) => inTime(provider.void(reference, key)),
    refund: (reference, key, amount) => inTime(provider.refund(reference, key, amount)),
    readWebhook: (rawBody, header, now) => provider.readWebhook(rawBody, header, now),
  };
}
