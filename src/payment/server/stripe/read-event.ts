import type { Stripe } from 'stripe';
import type { ProviderEvent } from '#payment/server/provider.ts';
import { idOf, metadataNames, type ReadingKeys } from '#payment/server/stripe/read-session.ts';

/** The fields of an event's object of any kind. */
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
 * A signed event of Stripe as a `ProviderEvent`. Its object is as old as the event: only its ids are used, to fetch it
 * again.
 */
export function readEvent(event: Stripe.Event, { account }: ReadingKeys): ProviderEvent {
  // Every kind of object of Stripe's fits, because nothing in it is required.
  const about = event.data.object as EventObject;
  const isItself = about.object === 'checkout.session' || about.object === 'payment_intent';
  // The test payment of the set-up is of no order, so nobody waits for one.
  const isTrial = about.metadata?.[metadataNames.trial] !== undefined;
  return {
    id: event.id,
    type: event.type,
    object: about.id ?? null,
    reference: isTrial ? null : isItself ? (about.id ?? null) : idOf(about.payment_intent),
    paymentId: about.metadata?.[metadataNames.payment] ?? null,
    account: event.account ?? account,
    mode: event.livemode ? 'live' : 'test',
    amount: about.amount_total ?? about.amount ?? null,
    currency: about.currency?.toUpperCase() ?? null,
    at: new Date(event.created * 1000),
  };
}
