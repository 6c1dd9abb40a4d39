import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSignInProviderClient, classifySignInProviderFailure } from '#accounts/server/social/provider-client.ts';
import type { SignInProvider } from '#accounts/server/social/providers.ts';
import { type ForgingProvider, startForgingProvider } from '#accounts/testing/forging-provider.ts';
import { startTestProvider, type TestProvider } from '#accounts/testing/oidc-provider.ts';

const origin = 'http://localhost:4100';
const attempt = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(43) };
let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
  provider.admitShop(origin);
});
beforeEach(() => provider.fail(null));
afterAll(() => provider.close());

const client = createSignInProviderClient(`${origin}/auth/callback`, { requestSeconds: 0.2, callMs: 1_000 });
const known = (change: Partial<SignInProvider> = {}): SignInProvider => ({
  id: randomUUID(),
  kind: 'other',
  name: 'Example ID',
  issuer: provider.issuer,
  clientId: provider.clientId,
  secrets: { clientSecret: provider.clientSecret, privateKey: null },
  teamId: null,
  keyId: null,
  ...change,
});
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: unknown) => classifySignInProviderFailure(error),
  );
/** A server that takes connections, and sends `bytes` to each. */
async function sending(bytes: string): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}).write(bytes));
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address ? address.port : 0}`;
}

test('a provider that knows the shop is recognised', async () => {
  expect(await failureOf(client.probe(known()))).toBe('none');
});

test.each<[string, () => Partial<SignInProvider>, string]>([
  ['a wrong secret', () => ({ secrets: { clientSecret: 'wrong', privateKey: null } }), 'client_refused'],
  ['another client', () => ({ clientId: 'another' }), 'client_refused'],
  ['no secret', () => ({ secrets: { clientSecret: null, privateKey: null } }), 'client_refused'],
  ['nobody there', () => ({ issuer: 'http://localhost:9' }), 'away'],
  ['a name that does not exist', () => ({ issuer: 'https://nowhere.invalid' }), 'away'],
  ['another address of its own', () => ({ issuer: `${provider.issuer}/tenant` }), 'no_provider'],
])('%s: %s', async (_, change, failure) => {
  expect(await failureOf(client.probe(known(change())))).toBe(failure);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'],
])('a provider that sends %s is waited for so long, and counts as away', async (_, bytes) => {
  const issuer = await sending(bytes);
  const asked = performance.now();
  expect(await failureOf(client.pageOf(known({ issuer }), attempt))).toBe('away');
  expect(performance.now() - asked).toBeLessThan(5_000);
});

test.each([
  [500, 'away'],
  [503, 'away'],
  [429, 'away'],
  [404, 'no_provider'],
  [302, 'no_provider'],
] as const)('a provider that answers %i is %s', async (status, failure) => {
  provider.fail(status);
  expect(await failureOf(client.pageOf(known(), attempt))).toBe(failure);
});

test('a page that is no description of a provider is none', async () => {
  const html = '<!doctype html>';
  const issuer = await sending(
    `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: ${html.length}\r\n\r\n${html}`,
  );
  expect(await failureOf(client.pageOf(known({ issuer }), attempt))).toBe('no_provider');
});

test('after it was away, the next attempt asks again', async () => {
  provider.fail(503);
  expect(await failureOf(client.pageOf(known(), attempt))).toBe('away');
  provider.fail(null);
  expect(await client.pageOf(known(), attempt)).toContain(`${provider.issuer}/auth?`);
});

test('a code that the provider does not know is refused, and says nothing against the provider', async () => {
  expect(await failureOf(client.exchange(known(), attempt, { code: 'none', iss: provider.issuer }))).toBe('refused');
});

test('an answer without the identity that the provider promises, or with another, is refused', async () => {
  expect(await failureOf(client.exchange(known(), attempt, { code: 'none' }))).toBe('refused');
  const iss = 'https://elsewhere.example';
  expect(await failureOf(client.exchange(known(), attempt, { code: 'none', iss }))).toBe('refused');
});

describe('an ID token', () => {
  let forging: ForgingProvider;
  beforeAll(async () => {
    forging = await startForgingProvider();
  });
  afterAll(() => forging.close());
  // Only what the token says counts here.
  const patient = createSignInProviderClient(`${origin}/auth/callback`);
  const exchange = (how: Parameters<ForgingProvider['forge']>[0]) => {
    forging.forge({ ...how, claims: { nonce: attempt.nonce, ...how.claims } });
    const { issuer, clientId } = forging;
    const secrets = { clientSecret: 'secret', privateKey: null };
    return patient.exchange(known({ issuer, clientId, secrets }), attempt, { code: 'code' });
  };
  const seconds = () => Math.floor(Date.now() / 1000);

  test('that is right says who it is', async () => {
    expect(await exchange({})).toEqual({
      issuer: forging.issuer,
      subject: 'ada',
      email: 'ada@example.com',
      isEmailConfirmed: true,
      name: 'Ada',
    });
  });

  test.each<[string, Parameters<ForgingProvider['forge']>[0]]>([
    ['of nobody', { claims: { sub: '' } }],
    ['of a blank', { claims: { sub: ' ' } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['of another provider', { claims: { iss: 'https://elsewhere.example' } }],
    ['for another shop', { claims: { aud: 'another' } }],
    ['of another sign-in', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a beginning', { claims: { iat: undefined } }],
    ['with another signature', { token: (token) => `${token.slice(0, -8)}AAAAAAAA` }],
    ['with other words', { token: (token) => token.replace(/\.[^.]+\./, `.${btoa('{"sub":"ada"}')}.`) }],
    ['without a signature', { token: (token) => token.replace(/[^.]+$/, '') }],
    ['that is no token', { token: () => 'none' }],
    ['that is no text', { token: () => '***.***.***' }],
    ['that is empty', { token: () => '' }],
    ['with a head that is none', { token: (token) => token.replace(/^[^.]+/, 'e30') }],
  ])('%s is refused, and says nothing against the provider', async (_, how) => {
    expect(await failureOf(exchange(how))).toBe('refused');
  });

  test.each<[string, () => Parameters<ForgingProvider['forge']>[0]]>([
    ['that ended long ago', () => ({ claims: { iat: seconds() - 7200, exp: seconds() - 3600 } })],
    ['of the future', () => ({ claims: { iat: seconds() + 3600, exp: seconds() + 7200 } })],
  ])('%s tells of a wrong clock', async (_, how) => {
    expect(await failureOf(exchange(how()))).toBe('clock');
  });
});
