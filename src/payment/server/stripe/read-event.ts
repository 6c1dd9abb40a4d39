import type { Stripe } from 'stripe';
import type { ProviderEvent } from '#payment/server/provider.ts';
import { stripeIdOf, stripeMetadataNames, type KeyModeAndAccount } from '#payment/server/stripe/read-session.ts';

interface EventObject {
  id?: string;
  object?: string;
  payment_intent?: string | { id: string } | null;
  metadata?: Record<string, string> | null;
  amount_total?: number | null;
  amount?: number | null;
  currency?: string | null;
}

/**
 * Reads a signed event of Stripe. The event's object is as old as the event: its ids serve to fetch the object again,
 * and its other values are only recorded.
 */
export function readStripeEvent(event: Stripe.Event, { account }: KeyModeAndAccount): ProviderEvent {
  // The cast is right for any object of Stripe, because all fields of the type are optional.
  const about = event.data.object as EventObject;
  const isItself = about.object === 'checkout.session' || about.object === 'payment_intent';
  // A trial payment of the set-up belongs to no order, so it gets no reference.
  const isTrial = about.metadata?.[stripeMetadataNames.trial] !== undefined;
  return {
    id: event.id,
    type: event.type,
    object: about.id ?? null,
    reference: isTrial ? null : isItself ? (about.id ?? null) : stripeIdOf(about.payment_intent),
    paymentId: about.metadata?.[stripeMetadataNames.payment] ?? null,
    account: event.account ?? account,
    mode: event.livemode ? 'live' : 'test',
    amount: about.amount_total ?? about.amount ?? null,
    currency: about.currency?.toUpperCase() ?? null,
    at: new Date(event.created * 1000),
  };
}
