import type Stripe from 'stripe';
import { invalid } from '../api/failure.ts';
import { found, newestFirst, pageOf } from '../api/lists.ts';
import { type Call, type Route, route } from '../api/route.ts';
import { readMetadata } from '../objects/intents.ts';
import { seconds } from '../world.ts';

const url = '/v1/webhook_endpoints';
const mostEndpoints = 16;

/** The endpoints that events are sent to. */
export const webhookRoutes: Route[] = [
  route(`POST ${url}`, 'webhook_write', 'WebhookEndpointCreateParams', create),
  route<Stripe.WebhookEndpointListParams>(
    `GET ${url}`,
    'webhook_read',
    'WebhookEndpointListParams',
    ({ books, params }) => pageOf(newestFirst(books.tables.webhook_endpoint), url, params, 'webhook_endpoint'),
  ),
  route(`GET ${url}/:id`, 'webhook_read', 'WebhookEndpointRetrieveParams', (call) => endpointOf(call)),
  route<Stripe.WebhookEndpointUpdateParams>(
    `POST ${url}/:id`,
    'webhook_write',
    'WebhookEndpointUpdateParams',
    (call) => {
      const endpoint = endpointOf(call);
      const { params } = call;
      if (params.url !== undefined) {
        checkUrl(call, params.url);
        endpoint.url = params.url;
      }
      if (params.enabled_events !== undefined) endpoint.enabled_events = params.enabled_events;
      if (params.description !== undefined) endpoint.description = params.description || null;
      if (params.disabled !== undefined) endpoint.status = params.disabled ? 'disabled' : 'enabled';
      if (params.metadata !== undefined) Object.assign(endpoint.metadata, readMetadata(params.metadata || {}));
      return endpoint;
    },
  ),
  route(`DELETE ${url}/:id`, 'webhook_write', null, (call) => {
    const endpoint = endpointOf(call);
    call.books.tables.webhook_endpoint.delete(endpoint.id);
    return { id: endpoint.id, object: 'webhook_endpoint', deleted: true };
  }),
];

function endpointOf({ books, id }: Call<unknown>): Stripe.WebhookEndpoint {
  return found(books.tables.webhook_endpoint, 'webhook endpoint', id);
}

/** The secret is in this answer only. */
function create(call: Call<Stripe.WebhookEndpointCreateParams>): Stripe.WebhookEndpoint {
  const { world, books, params } = call;
  checkUrl(call, params.url);
  if (params.connect) throw invalid('The local Stripe has no Connect webhooks.', { param: 'connect' });
  if (books.tables.webhook_endpoint.size >= mostEndpoints) {
    throw invalid(`You have reached the maximum of ${mostEndpoints} test webhook endpoints.`);
  }
  const endpoint: Stripe.WebhookEndpoint = {
    id: world.newId('we'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: seconds(world),
    description: params.description || null,
    enabled_events: params.enabled_events,
    livemode: books.livemode,
    metadata: readMetadata(params.metadata || {}),
    status: 'enabled',
    url: params.url,
  };
  const secret = world.newId('whsec', 32);
  books.secrets.set(endpoint.id, secret);
  books.tables.webhook_endpoint.set(endpoint.id, endpoint);
  return { ...endpoint, secret };
}

const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function checkUrl({ world, books }: Call<unknown>, address: string): void {
  const common = { code: 'url_invalid', param: 'url' };
  if (!/^https?:\/\/[^\s/]+/.test(address) || !URL.canParse(address)) {
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', common);
  }
  if (books.livemode && !address.startsWith('https:')) throw invalid('Invalid URL: URL must be HTTPS.', common);
  if (world.settings.refusesLocalEndpoints && local.test(new URL(address).hostname)) {
    throw invalid(
      'Invalid URL: URL must be publicly accessible. Consider using a tool like the Stripe CLI to test webhooks locally: https://github.com/stripe/stripe-cli',
      common,
    );
  }
}
