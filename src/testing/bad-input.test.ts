import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiErrors } from '#api-errors.ts';
import { countChanges, wholeShop } from '#testing/count-changes.ts';
import * as hostile from '#testing/hostile-values.ts';
import { makeSample, withChange, type Components, type JsonSchema, type Place } from '#testing/sample-body.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

interface Operation {
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
}
interface Call {
  method: string;
  path: string;
  operation: Operation;
}
interface Attempt {
  method: string;
  path: string;
  body?: string;
  type?: string | null;
  headers?: OutgoingHttpHeaders;
}

let app: TestApp;
let calls: Call[];
let components: Components;
let orderId: string;
let orderSession: string;
let changesSoFar: () => Promise<number>;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const random = hostile.randomFrom(20261121);
const pick = <T>(values: readonly T[], count: number): T[] =>
  values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ value }) => value);

beforeAll(async () => {
  app = await startTestApp();
  const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  orderId = placed.body.data.id;
  orderSession = placed.body.data.session;
  const document = (await app.request('GET', '/v1/openapi.json')).body;
  components = document.components.schemas;
  calls = Object.entries<Record<string, Operation>>(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'patch', 'delete'].includes(method))
        .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    // Deletions come last, so that the other calls still find something.
    .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  changesSoFar = await countChanges(app.database.db, keptByRefusals);
});
afterAll(async () => {
  agent.destroy();
  await app.close();
});

/** What a refused request must not change. Queues and throttles are left out, because others change them meanwhile. */
const keptByRefusals = {
  ...wholeShop,
  orders: ['id', 'status'],
  users: [],
  order_history: [],
  payments: [],
  prints: [],
  audit_log: 'done',
  app_releases: [],
} as const;

describe.each(['a guest', 'an admin'] as const)('bad input from %s', (role) => {
  test('is refused in the common form, reveals nothing internal, and changes nothing', async () => {
    let token = role === 'an admin' ? await app.signIn('admin') : null;
    const wrong: string[] = [];
    let tried = 0;
    let before = await changesSoFar();
    for (const call of calls) {
      const isOpen = role === 'an admin' || call.operation.security.some((way) => Object.keys(way).length === 0);
      for (const attempt of isOpen ? attemptsAt(call) : attemptsAt(call).slice(0, 3)) {
        tried += 1;
        let answer = await send(attempt, token);
        let after = await changesSoFar();
        // A sweep may have followed an accepted call meanwhile: a refused one that changes something does so each time.
        for (let again = 0; again < 2 && answer.status >= 400 && after !== before; again += 1) {
          before = after;
          answer = await send(attempt, token);
          after = await changesSoFar();
        }
        const fault = faultOf(answer) ?? (answer.status >= 400 && after !== before ? 'changed something' : null);
        if (fault) wrong.push(`${fault}: ${describeAttempt(attempt)} → ${answer.status} ${answer.text.slice(0, 200)}`);
        before = after;
        if (answer.status === 401 && token) {
          token = await app.signIn('admin');
          before = await changesSoFar();
        }
      }
    }
    expect(wrong.slice(0, 20)).toEqual([]);
    expect(tried).toBeGreaterThan(role === 'an admin' ? 1000 : 300);
    // There are thousands of attempts, which take long on a busy machine.
  }, 300_000);
});

function attemptsAt(call: Call): Attempt[] {
  return [...badBodies(call), ...badQueries(call), ...badPaths(call), ...badHeaders(call)];
}

function badBodies(call: Call): Attempt[] {
  const { method, operation } = call;
  const path = realPath(call.path);
  const types = Object.entries(operation.requestBody?.content ?? {});
  const schema = types.find(([type]) => type === 'application/json')?.[1].schema;
  if (types.length === 0) return method === 'GET' ? [{ method, path }] : [{ method, path, body: '{"x":"\\u0000"}' }];
  if (!schema) {
    const files = types.flatMap(([type]) =>
      ['', 'no such file', '\u0000\uffff'].map((body) => ({ method, path, body, type })),
    );
    return [...files, ...pick(wholeBodies, 4).map((body) => ({ method, path, body }))];
  }
  const sample = makeSample(schema, components, idFor);
  const changed = sample.places.flatMap((place) =>
    [...hostileFor(place), ...(place.path.length > 0 ? [undefined] : [])].map((value) => ({
      method,
      path,
      body: JSON.stringify(withChange(freshSample(schema), place.path, value)) ?? '',
    })),
  );
  const whole = freshSample(schema);
  return [
    ...pick(changed, 60),
    ...pick(wholeBodies, 4).map((body) => ({ method, path, body })),
    ...[
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      null,
    ].map((type) => ({ method, path, body: JSON.stringify(whole), type })),
    { method, path, body: 'a=%00&b=%ff', type: 'application/x-www-form-urlencoded' },
  ];
}

const freshSample = (schema: JsonSchema) => makeSample(schema, components, idFor).value;

const wholeBodies = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"a":NaN}',
  '\u0000',
  hostile.extraFields,
  '['.repeat(50_000) + ']'.repeat(50_000),
  '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000),
];

function hostileFor({ kind, path }: Place): unknown[] {
  if (path.length === 0) return pick(hostile.hostileShapes, 3);
  const always: unknown[] = ['a\u0000b', '\ud800', ...pick(hostile.hostileShapes, 1)];
  if (kind === 'number') return [...pick(hostile.hostileNumbers, 4), ...pick(always, 1)];
  if (kind === 'time') return [...pick(hostile.hostileTimes, 4), ...pick(always, 1)];
  if (kind === 'date') return [...pick(hostile.hostileDates, 3), ...pick(always, 1)];
  if (kind === 'id') return [randomUUID(), orderId, app.shop.pizza, ...pick(always, 1)];
  if (kind === 'text') return [...always.slice(0, 2), ...pick(hostile.hostileTexts, 3)];
  return pick([...always, ...hostile.hostileTexts], 2);
}

function badQueries({ method, path, operation }: Call): Attempt[] {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const values = [
    '%00',
    '%ED%A0%80',
    '%ZZ',
    '1e999',
    '-1',
    '99999999999999999999',
    'x'.repeat(8_000),
    encodeURIComponent("'; drop table orders; --"),
    '0000-01-01',
    '9999-12-31',
    randomUUID(),
  ];
  const address = realPath(path);
  return names.flatMap((name) =>
    [...values.map((value) => `${name}=${value}`), `${name}[$ne]=1`, `${name}=1&${name}=2`].map((query) => ({
      method,
      path: `${address}?${query}`,
    })),
  );
}

function badPaths({ method, path }: Call): Attempt[] {
  if (!path.includes('{')) return [];
  const values = ['%00', '%ED%A0%80', '%ZZ', '..%2f..%2fetc', 'x'.repeat(300), "'%20or%201=1--", '0', randomUUID()];
  return values.map((value) => ({ method, path: path.replaceAll(/\{\w+\}/g, value) }));
}

function badHeaders({ method, path }: Call): Attempt[] {
  const headers = [
    { 'x-order-session': "' or 1=1 --" },
    { 'x-order-session': 'x'.repeat(4_000) },
    { 'x-order-session': 'caf\u00e9' },
    { authorization: 'Bearer \u00ff' },
    { authorization: 'Basic eDp5' },
  ];
  return pick(headers, 2).map((own) => ({
    method: 'GET',
    path: method === 'GET' ? realPath(path) : path,
    headers: own,
  }));
}

/** The path with real ids filled in. */
function realPath(path: string): string {
  const [, , area = ''] = path.split('/');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'sessionId') return orderSession;
    if (name === 'storeId') return app.shop.storeId;
    return idFor(area) ?? randomUUID();
  });
}

function idFor(field: string): string | undefined {
  const { shop } = app;
  const known: Record<string, string> = {
    stores: shop.storeId,
    store_id: shop.storeId,
    menus: shop.menuId,
    menu_id: shop.menuId,
    categories: shop.categoryId,
    ids: shop.categoryId,
    items: shop.pizza,
    item_id: shop.pizza,
    itemIds: shop.pizza,
    options: shop.size.large,
    option_id: shop.size.large,
    optionIds: shop.size.large,
    shown_when_option_id: shop.size.large,
    'option-groups': shop.size.group,
    option_groups: shop.size.group,
    option_group_id: shop.size.group,
    optionGroupIds: shop.size.group,
    orders: orderId,
  };
  return known[field];
}

const inside =
  /node_modules|\.ts:\d|\bat .+\(|select .+ from |insert into|syntax error|violates|SQLSTATE|ECONN|invalid byte/i;

function faultOf({ status, text }: { status: number; text: string }): string | null {
  if (status >= 500) return 'failed';
  if (status < 400) return null;
  if (inside.test(text)) return 'leaks';
  try {
    const { message, code } = JSON.parse(text) as { message?: unknown; code?: unknown };
    if (typeof message !== 'string' || message === '') return 'has no message';
    if (typeof code !== 'string' || !(code in apiErrors)) return 'has no known code';
    return apiErrors[code as keyof typeof apiErrors].status === status ? null : 'code and status differ';
  } catch {
    return 'is no JSON';
  }
}

function describeAttempt({ method, path, type, body, headers }: Attempt): string {
  return `${method} ${path.slice(0, 200)} ${JSON.stringify(headers ?? {}).slice(0, 100)} ${type ?? ''} ${(body ?? '').slice(0, 400)}`;
}

/** Uses node:http, because fetch would correct addresses and headers. */
function send(attempt: Attempt, token: string | null): Promise<{ status: number; text: string }> {
  const { method, path, body, type = 'application/json', headers } = attempt;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      app.url + path,
      {
        method,
        agent,
        // The unparsed address: the URL parser would resolve `..%2f` and the like itself.
        path,
        headers: {
          ...(body !== undefined && type !== null && { 'content-type': type }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
