import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { type LocalStripe, type LocalStripeOptions, startLocalStripe } from './local-stripe.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; api_version: string };
}

/**
 * A client of the local Stripe as the product has one, a place that webhooks reach, and a clock that stands still.
 * Closing it fails if a request or an answer was not as the types of the `stripe` package say.
 */
export interface TestingShop extends LocalStripe {
  client: Stripe;
  clientFor(key: string, config?: Stripe.StripeConfig): Stripe;
  /** Registers the place for webhooks; every event from then on is received there. */
  listen(events?: Stripe.WebhookEndpointCreateParams.EnabledEvent[]): Promise<{ secret: string; id: string }>;
  received: Received[];
  /** What the place answers to the next events; 200 when there is nothing left. */
  answers: number[];
  /** In milliseconds. */
  clock: { now: number };
}

export async function startTestingShop(options: LocalStripeOptions = {}): Promise<TestingShop> {
  const clock = { now: Date.UTC(2026, 10, 24, 18, 0) };
  const local = await startLocalStripe({ now: () => clock.now, ...options });
  const received: Received[] = [];
  const answers: number[] = [];
  const place = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body, event: JSON.parse(body) as Received['event'] });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve));
  // The place listens on a port.
  const { port } = place.address() as AddressInfo;
  const clientFor = (key: string, config: Stripe.StripeConfig = {}) =>
    new Stripe(key, {
      host: local.host,
      port: local.port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      ...config,
    });
  const client = clientFor(local.secretKey);
  return {
    ...local,
    client,
    clientFor,
    received,
    answers,
    clock,
    async listen(events = ['*']) {
      const endpoint = await client.webhookEndpoints.create({
        url: `http://127.0.0.1:${port}/webhook`,
        enabled_events: events,
        api_version: '2026-10-28.endive',
      });
      return { id: endpoint.id, secret: endpoint.secret ?? '' };
    },
    async close() {
      const violations = local.control.takeViolations();
      await local.close();
      place.closeAllConnections();
      await new Promise((resolve) => place.close(resolve));
      if (violations.length > 0) throw new Error(`Not as Stripe's types say: ${JSON.stringify(violations, null, 2)}`);
    },
  };
}

/** The parameters of a session for one order, in pence. */
export function orderSession(
  total = 1250,
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    success_url: 'http://127.0.0.1:1/return?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:1/order',
    line_items: [
      { price_data: { currency: 'gbp', unit_amount: total, product_data: { name: 'Margherita' } }, quantity: 1 },
    ],
    payment_method_options: { card: { capture_method: 'manual' }, link: { capture_method: 'manual' } },
    ...more,
  };
}

/** Sends the form of a session's page, as a browser does. Returns where it goes next, or what the page says. */
export async function payOnPage(
  session: { url: string | null },
  fields: Record<string, string> = {},
): Promise<{ to: string | null; page: string }> {
  return sendForm(session.url ?? '', {
    method: 'card',
    email: 'payer@example.com',
    name: 'Test Payer',
    number: '4242 4242 4242 4242',
    expiry: '12/34',
    cvc: '123',
    ...fields,
  });
}

/** The bank's page: `approve` or `fail`. */
export async function answerBankPage(
  url: string | null,
  answer: 'approve' | 'fail',
): Promise<{ to: string | null; page: string }> {
  return sendForm(url ?? '', { answer });
}

async function sendForm(url: string, fields: Record<string, string>): Promise<{ to: string | null; page: string }> {
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
  return { to: answer.headers.get('location'), page: await answer.text() };
}
