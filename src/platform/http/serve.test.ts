import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type AfterCommitEffect, runAfterCommitEffects } from '#platform/http/audited-call.ts';
import { type CallHost, ownOrigin, throwIfEndpointsLackRoutes, serveEndpoints } from '#platform/http/serve.ts';
import { createClientAddressReader } from '#platform/server/client-address.ts';

const contract = {
  'POST /v1/things': { access: 'guest', summary: 'Makes a thing.', response: z.object({ made: z.boolean() }) },
  'GET /v1/things/{id}': { access: 'guest', summary: 'Reads a thing.', response: null },
} as const;

function open() {
  const done: string[] = [];
  const logged: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => logged.push(line) } } });
  const host: CallHost<object, object> = {
    authenticate: async () => null,
    database: {},
    readPast: (_gone, work) => work({}),
    transaction: async (log, work) => {
      const effects: AfterCommitEffect[] = [];
      const value = await work({}, (effect) => void effects.push(effect));
      done.push('committed');
      await runAfterCommitEffects(effects, log);
      return value;
    },
    notes: { write: async () => {}, note: () => {} },
    audit: async () => undefined,
    now: () => new Date(),
    clients: createClientAddressReader(),
    findId: {},
  };
  return { app, host, done, logged };
}

test('what fails after the commit is logged, what comes after it is done, and the answer stands', async () => {
  const { app, host, done, logged } = open();
  serveEndpoints(app, host, contract, {
    'POST /v1/things': async ({ afterCommit }) => {
      afterCommit(() => {
        throw new Error('at once');
      });
      afterCommit(async () => {
        throw new Error('later');
      });
      afterCommit(() => void done.push('told'));
      return { made: true };
    },
    'GET /v1/things/{id}': () => undefined,
  });
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/v1/things', payload: {} });
  expect([statusCode, body]).toEqual([200, '{"made":true}']);
  expect(done).toEqual(['committed', 'told']);
  expect(logged.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).toEqual([
    'at once',
    'later',
  ]);
});

test('what an endpoint has committed by itself is followed up, also where it fails afterwards', async () => {
  const { app, host, done } = open();
  const own = { 'POST /v1/things': { ...contract['POST /v1/things'], ownTransaction: true } } as const;
  serveEndpoints(app, host, own, {
    'POST /v1/things': async ({ afterCommit }) => {
      afterCommit(() => void done.push('told'));
      throw new Error('reading the changed row failed');
    },
  });
  expect((await app.inject({ method: 'POST', url: '/v1/things', payload: {} })).statusCode).toBe(500);
  expect(done).toEqual(['told']);
});

test('an endpoint without a handler neither compiles nor starts', () => {
  const { app, host } = open();
  const handlers = { 'POST /v1/things': () => ({ made: true }) };
  // @ts-expect-error -- the other endpoint's handler is missing
  expect(() => serveEndpoints(app, host, contract, handlers)).toThrow('GET /v1/things/{id} has no handler');
});

test('an endpoint that nothing serves ends the start', () => {
  const { app, host } = open();
  const { 'POST /v1/things': post } = contract;
  serveEndpoints(app, host, { 'POST /v1/things': post }, { 'POST /v1/things': () => ({ made: true }) });
  expect(() => throwIfEndpointsLackRoutes(app, ['POST /v1/things'])).not.toThrow();
  expect(() => throwIfEndpointsLackRoutes(app, ['POST /v1/things', 'GET /v1/things/{id}'])).toThrow(
    'GET /v1/things/{id}',
  );
});

const socket = { localAddress: '203.0.113.7', localPort: 3000 };

test.each([
  ['localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  // Another port outside of a container.
  ['192.168.1.20:8080', 'http://192.168.1.20:8080'],
  ['10.1.2.3:3000', 'http://10.1.2.3:3000'],
  ['172.20.0.1:3000', 'http://172.20.0.1:3000'],
  ['172.32.0.1:3000', 'http://203.0.113.7:3000'],
  ['169.254.9.9:3000', 'http://169.254.9.9:3000'],
  ['100.64.0.1:3000', 'http://100.64.0.1:3000'],
  ['100.128.0.1:3000', 'http://203.0.113.7:3000'],
  ['[fd00::7]:3000', 'http://[fd00::7]:3000'],
  ['[fe80::1]:3000', 'http://[fe80::1]:3000'],
  ['[2001:db8::1]:3000', 'http://203.0.113.7:3000'],
  ['203.0.113.7', 'http://203.0.113.7'],
  ['evil.example', 'http://203.0.113.7:3000'],
  ['192.168.1.20.evil.example', 'http://203.0.113.7:3000'],
  ['localhost.evil.example', 'http://203.0.113.7:3000'],
  ['198.51.100.9', 'http://203.0.113.7:3000'],
  ['localhost@evil.example', 'http://203.0.113.7:3000'],
  ['not a host', 'http://203.0.113.7:3000'],
  ['', 'http://203.0.113.7:3000'],
])('of a request to "%s" that came in at 203.0.113.7:3000 is %s', (host, origin) => {
  expect(ownOrigin({ protocol: 'http', host, socket })).toBe(origin);
});

test('has the scheme of the request, and an address of version 4 or 6', () => {
  const host = 'evil.example';
  expect(ownOrigin({ protocol: 'https', host, socket: { localAddress: '::1', localPort: 80 } })).toBe(
    'https://[::1]:80',
  );
  const mapped = { localAddress: '::ffff:203.0.113.7', localPort: 443 };
  expect(ownOrigin({ protocol: 'https', host, socket: mapped })).toBe('https://203.0.113.7');
});
