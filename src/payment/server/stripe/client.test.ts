import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openStripe, stripeVersion } from '#payment/server/stripe/client.ts';

test('calls go to the given address with the pinned version, and a failed one is not repeated', async () => {
  const requests: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const server = createServer(({ url, headers }, answer) => {
    requests.push({ url, headers });
    answer.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"type":"api_error"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const stripe = openStripe('sk_test_1', new URL(`http://127.0.0.1:${port}`));
    await expect(stripe.checkout.sessions.retrieve('cs_test_1')).rejects.toMatchObject({ statusCode: 500 });
    expect(requests).toMatchObject([
      {
        url: '/v1/checkout/sessions/cs_test_1',
        headers: { authorization: 'Bearer sk_test_1', 'stripe-version': stripeVersion },
      },
    ]);
  } finally {
    server.close();
  }
});

test('without another address they go to Stripe', () => {
  const stripe = openStripe('sk_test_1', null);
  expect(stripe.getApiField('host')).toBe('api.stripe.com');
  expect(stripe.getApiField('protocol')).toBe('https');
});
