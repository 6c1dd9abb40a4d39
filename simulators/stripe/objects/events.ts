import type Stripe from 'stripe';
import type { Books, LocalEvent, World } from '../world.ts';
import { seconds } from '../world.ts';

/** Records that something happened to an object, with a copy of it as it is now, and tells the endpoints. */
export function emit(
  world: World,
  books: Books,
  type: Stripe.Event.Type,
  object: object,
  before?: Readonly<Record<string, unknown>>,
): void {
  const endpoints = [...books.tables.webhook_endpoint.values()].filter((endpoint) => listensTo(endpoint, type));
  const event: LocalEvent = {
    id: world.newId('evt'),
    object: 'event',
    api_version: null,
    created: seconds(world),
    // Every object that an event can be about has the index signature of none of them.
    data: structuredClone({
      object,
      ...(before && { previous_attributes: before }),
    }) as unknown as Stripe.Event.Data,
    livemode: books.livemode,
    pending_webhooks: endpoints.length,
    request: { id: world.request?.id ?? null, idempotency_key: world.request?.idempotencyKey ?? null },
    type,
  };
  books.tables.event.set(event.id, event);
  world.published(books, event);
}

export function listensTo(endpoint: Stripe.WebhookEndpoint, type: string): boolean {
  return (
    endpoint.status === 'enabled' && (endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(type))
  );
}
