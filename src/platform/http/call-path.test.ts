import { expect, test } from 'vitest';
import { allowedMethodsOf } from '#platform/http/call-path.ts';

const methodsOf = allowedMethodsOf([
  'GET /v1/orders',
  'POST /v1/orders',
  'POST /v1/orders/quote',
  'GET /v1/orders/{id}',
  'POST /v1/orders/{id}/accept',
]);

test.each([
  ['/v1/orders?page=2', ['GET', 'POST']],
  ['/v1/orders/quote', ['POST']],
  ['/v1/orders/quote/', ['POST']],
  ['/v1/orders/01a1fe5e', ['GET']],
  ['/v1/orders/01a1fe5e/accept', ['POST']],
  ['/v1/orders/01a1fe5e/else', []],
  ['/v2/orders', []],
])('%s takes %j', (url, methods) => {
  expect(methodsOf(url)).toEqual(methods);
});
