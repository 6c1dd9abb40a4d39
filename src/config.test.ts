import { describe, expect, test } from 'vitest';
import { readConfig } from '#config.ts';

test.each([
  ['a live key and Stripe itself', { STRIPE_SECRET_KEY: 'rk_live_51AbC' }],
  ['a test key and a local Stripe', { STRIPE_SECRET_KEY: 'sk_test_51', STRIPE_API_BASE: 'http://127.0.0.1:12111' }],
  ['a local Stripe by its name', { STRIPE_API_BASE: 'http://localhost:12111' }],
  ['a local hook for alerts', { ALERT_WEBHOOK_URL: 'http://localhost:8080/hook' }],
  ['a local Google and Apple', { OIDC_GOOGLE_ISSUER: 'http://localhost:4000', OIDC_APPLE_ISSUER: 'http://[::1]:4001' }],
])('%s can be used', (_name, environment) => {
  expect(readConfig(environment)).toMatchObject(environment);
});

test('several webhook secrets are separated by commas', () => {
  expect(readConfig({ STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b' }).STRIPE_WEBHOOK_SECRET).toEqual([
    'whsec_a',
    'whsec_b',
  ]);
});

test.each([
  [{ STRIPE_SECRET_KEY: 'pk_live_51AbC' }, 'STRIPE_SECRET_KEY: must be a secret or restricted key'],
  [{ STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
  [{ STRIPE_API_BASE: 'stripe' }, 'STRIPE_API_BASE: must look like'],
  [{ STRIPE_API_BASE: 'ftp://127.0.0.1' }, 'STRIPE_API_BASE: must look like'],
  [{ STRIPE_API_BASE: 'http://stripe.example.com' }, 'STRIPE_API_BASE must be on this machine'],
  [{ STRIPE_API_BASE: 'https://stripe.example.com' }, 'STRIPE_API_BASE must be on this machine'],
  [{ STRIPE_API_BASE: 'http://127.0.0.1.example.com' }, 'STRIPE_API_BASE must be on this machine'],
  [
    { STRIPE_SECRET_KEY: 'rk_live_51AbC', STRIPE_API_BASE: 'https://localhost:12111' },
    'STRIPE_SECRET_KEY is a live key',
  ],
  [
    { STRIPE_SECRET_KEY: 'sk_live_51AbC', STRIPE_API_BASE: 'http://127.0.0.1:12111' },
    'STRIPE_SECRET_KEY is a live key',
  ],
  [{ OIDC_GOOGLE_ISSUER: 'https://accounts.google.com' }, 'OIDC_GOOGLE_ISSUER: must be on this machine'],
  [{ OIDC_APPLE_ISSUER: 'http://localhost.example.com' }, 'OIDC_APPLE_ISSUER: must be on this machine'],
  [{ PUSH_TEST_SERVICE: 'https://localhost:8443' }, 'Set PUSH_TEST_SERVICE and PUSH_TEST_CERTIFICATE together'],
  [{ PUSH_TEST_SERVICE: 'https://10.0.0.7', PUSH_TEST_CERTIFICATE: 'x.pem' }, 'PUSH_TEST_SERVICE: '],
  [
    { PUSH_TEST_SERVICE: 'https://localhost:1', PUSH_TEST_CERTIFICATE: 'x.pem', NODE_ENV: 'production' },
    'PUSH_TEST_SERVICE is for tests',
  ],
  [{ ALERT_WEBHOOK_URL: 'http://alerts.example/hook' }, 'ALERT_WEBHOOK_URL must begin with https://.'],
  [{ S3_ENDPOINT: 'http://minio:9000' }, 'S3_ENDPOINT must begin with https://.'],
  [{ APP_URL: 'https://shop.example.com/pizza' }, 'APP_URL: must be an address without a path'],
  [{ APP_URL: 'https://shop.example.com/?shop=1' }, 'APP_URL: must be an address without a path'],
  [{ APP_URL: 'https://shop.example.com/#menu' }, 'APP_URL: must be an address without a path'],
  [{ APP_URL: 'https://me:secret@shop.example.com' }, 'APP_URL: must be an address without a path'],
  [{ APP_URL: 'ftp://shop.example.com' }, 'APP_URL: '],
  [{ APP_URL: 'shop.example.com' }, 'APP_URL: '],
  [{ DATABASE_URL: 'postgres://u:p@one,two/hatch' }, 'This setting cannot be used: DATABASE_URL: must name one host'],
  [{ DATABASE_URL: 'postgres://u:p@one:5432,two:5432/hatch' }, 'DATABASE_URL: must name one host'],
  [{ DATABASE_URL: 'postgres://u:p@/hatch?host=one,two' }, 'DATABASE_URL: must name one host'],
  [{ DATABASE_URL: 'postgres://u:p@localhost/hatch?host=one%2Ctwo' }, 'DATABASE_URL: must name one host'],
  [{ DATABASE_URL: 'postgres://u:p@host:port/hatch' }, 'DATABASE_URL: must look like postgres://'],
  [{ DATABASE_URL: 'postgres://h/x', DATABASE_DIRECT_URL: 'postgres://a,b/x' }, 'DATABASE_DIRECT_URL: must name one'],
  [{ DATABASE_DIRECT_URL: 'postgres://u:p@host/hatch' }, 'set DATABASE_URL as well'],
  [{ METRICS_TOKEN: 'too short' }, 'METRICS_TOKEN: must have at least 16 characters'],
  [{ METRICS_PORT: '70000' }, 'METRICS_PORT: must be a port'],
  [{ METRICS_PORT: 'x' }, 'METRICS_PORT: must be a port'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT must be another port than PORT'],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY: must have at least 32 characters'],
])('%o stops the start', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

test.each([
  'postgres://u:p@host:5432/hatch',
  'postgresql://u:p@[::1]:5432/hatch?sslmode=require',
  'postgres://u:p%2C@localhost/hatch?host=%2Fvar%2Frun%2Fpostgresql',
  'socket:/var/run/postgresql?db=hatch',
  '/var/run/postgresql hatch',
])('%s is one database', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

test.each([
  [{}, undefined, '127.0.0.1'],
  [{ METRICS_PORT: '' }, undefined, '127.0.0.1'],
  [{ METRICS_PORT: '9464' }, 9464, '127.0.0.1'],
  [{ METRICS_PORT: '9464', METRICS_TOKEN: 'a-token-of-16-or-more' }, 9464, '0.0.0.0'],
  [{ METRICS_PORT: '9464', METRICS_TOKEN: 'a-token-of-16-or-more', HOST: '10.0.0.7' }, 9464, '10.0.0.7'],
])('the metrics of %o are at port %s of %s', (environment, port, host) => {
  const { METRICS_PORT, metricsHost } = readConfig(environment);
  expect([METRICS_PORT, metricsHost]).toEqual([port, host]);
});

test('a refusal does not quote the key', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://u:secret@a:1,b:2/hatch' })).not.toThrow('secret');
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'pk_live_51AbC' })).not.toThrow('51AbC');
});

describe('a PUSHER_APP_SECRET that can be guessed', () => {
  const settings = (APP_URL: string, PUSHER_APP_SECRET: string) => readConfig({ APP_URL, PUSHER_APP_SECRET });

  test.each(['https://shop.example', 'http://192.168.1.20:3000'])('ends the start of a shop at %s', (url) => {
    expect(() => settings(url, 'fifteen-letters')).toThrow('PUSHER_APP_SECRET must have at least 16 characters');
    expect(settings(url, 'sixteen--letters').warnings).toEqual([]);
  });

  test.each(['', 'http://localhost:3000', 'http://127.0.0.1:3000'])(
    'is warned of where nobody else comes: "%s"',
    (url) => {
      expect(settings(url, 'short').warnings).toEqual([expect.stringContaining('at least 16 characters')]);
    },
  );
});

describe('TRUSTED_PROXIES', () => {
  test.each(['0.0.0.0/0', '::/0', '10.0.0.7, 0.0.0.0/0', '128.0.0.0/1', '64.0.0.0/7', '2000::/3'])(
    'is warned of where anybody may then name any client: "%s"',
    (list) => {
      const { warnings } = readConfig({ TRUSTED_PROXIES: list });
      expect(warnings).toEqual([expect.stringContaining('anybody there may say that they are any other client')]);
      expect(warnings[0]).toContain(list.split(', ').at(-1));
      expect(warnings[0]).not.toContain('10.0.0.7');
    },
  );

  test('has one warning for all of them', () => {
    expect(readConfig({ TRUSTED_PROXIES: '0.0.0.0/0, ::/0' }).warnings).toEqual([
      expect.stringContaining('has 0.0.0.0/0, ::/0, in which'),
    ]);
  });

  test.each(['', '10.0.0.7', '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16', 'fc00::/7, fd00::/8', '203.0.113.0/24'])(
    'is not warned of where only proxies are: "%s"',
    (list) => {
      expect(readConfig({ TRUSTED_PROXIES: list }).warnings).toEqual([]);
    },
  );
});
