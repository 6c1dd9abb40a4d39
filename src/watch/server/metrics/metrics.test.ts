import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '#database/embedded/access.ts';
import { orderChannels, orderStatuses, printStatuses } from '#database/column-values.ts';
import { inTransaction } from '#database/transaction.ts';
import { publishOrderSteps } from '#ordering/server/order-counts.ts';
import { startAppOn, startTestApp, type TestApp } from '#testing/test-app.ts';
import { describeMetrics } from '#watch/server/metrics/metrics.ts';

const token = 'a-token-of-sixteen-or-more';
let app: TestApp;
let staff: string;
beforeAll(async () => {
  app = await startTestApp({}, { METRICS_TOKEN: token });
  staff = await app.signIn('admin');
});
afterAll(() => app.close());

/** The samples of a scrape, by name with labels. */
async function scrape(url: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
  const answer = await fetch(`${url}/metrics`, { headers });
  const text = await answer.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const samples = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  return { status: answer.status, type: answer.headers.get('content-type'), text, samples };
}

/** A scrape's answer is shared for a second. */
const untilFresh = (of = app) => void (of.clock.now = new Date(of.clock.now.getTime() + 1_000));

async function place(): Promise<string> {
  const placed = await app.request('POST', '/v1/orders', { body: app.orderBody() });
  expect(placed.status).toBe(201);
  return placed.body.data.id as string;
}

describe('a scrape', () => {
  test('counts orders by channel and state, and how long the shop took to accept', async () => {
    const before = (await scrape(app.url)).samples;
    const id = await place();
    await place();
    app.clock.now = new Date(app.clock.now.getTime() + 70_000);
    expect((await app.request('POST', `/v1/orders/${id}/accept`, { token: staff, body: {} })).status).toBe(200);
    untilFresh();
    const { samples } = await scrape(app.url);
    const grown = (name: string) => (samples.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(samples.get('hatch_shop_orders{channel="web",state="accepted"}')).toBe(1);
    expect(samples.get('hatch_shop_orders{channel="web",state="placed"}')).toBe(1);
    expect(samples.get('hatch_shop_orders_unanswered')).toBe(1);
    expect(samples.get('hatch_shop_orders_unanswered_oldest_seconds')).toBe(71);
    expect(samples.get('hatch_shop_orders_answer_left_seconds')).toBeGreaterThan(0);
    expect(grown('hatch_orders_total{channel="web",state="placed"}')).toBe(2);
    expect(grown('hatch_orders_total{channel="web",state="accepted"}')).toBe(1);
    expect(grown('hatch_order_accept_seconds_bucket{le="60",channel="web"}')).toBe(0);
    expect(grown('hatch_order_accept_seconds_bucket{le="120",channel="web"}')).toBe(1);
    expect(grown('hatch_database_transactions_total{outcome="committed"}')).toBeGreaterThan(0);
  });

  test('counts a step once it is committed, and not where it is rolled back', async () => {
    const count = async () => {
      untilFresh();
      return (await scrape(app.url)).samples.get('hatch_orders_total{channel="phone",state="packed"}');
    };
    const step = (ending: () => void) =>
      inTransaction(app.database.db, async () => {
        publishOrderSteps({ channel: 'phone', placed_at: null }, [{ from: 'accepted', to: 'packed' }], app.clock.now);
        ending();
      });
    const refuse = () => {
      throw new Error('refused');
    };
    await expect(step(refuse)).rejects.toThrow('refused');
    expect(await count()).toBe(0);
    await step(() => {});
    expect(await count()).toBe(1);
  });

  test('has help and type for each, and labels of fixed lists alone', async () => {
    const { text, samples, type } = await scrape(app.url);
    expect(type).toContain('text/plain; version=0.0.4');
    for (const { name, kind } of describeMetrics()) {
      expect(text).toContain(`# TYPE ${name} ${kind}\n`);
      expect(text).toMatch(new RegExp(`# HELP ${name} \\S`));
    }
    const values: Record<string, readonly string[]> = {
      channel: orderChannels,
      state: [
        ...orderStatuses,
        ...printStatuses,
        'pending',
        'authorised',
        'owed',
        'waiting',
        'active',
        'failed',
        'refused',
        'busy',
        'idle',
      ],
      pool: ['orders', 'past'],
      outcome: ['committed', 'rolled_back', 'retried'],
    };
    for (const sample of [...samples.keys()].filter((each) => each.startsWith('hatch_'))) {
      for (const [, label = '', value] of sample.matchAll(/(\w+)="([^"]*)"/g)) {
        if (label === 'le' || label === 'version') continue;
        expect(values[label], sample).toContain(value);
      }
    }
    expect(text).not.toMatch(/Ada|Byron|07700|example\.com|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  test('is in OpenMetrics when asked, and in the other format afterwards', async () => {
    const asked = {
      authorization: `Bearer ${token}`,
      accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5',
    };
    const open = await scrape(app.url, asked);
    expect(open.type).toContain('application/openmetrics-text; version=1.0.0');
    expect(open.text).toMatch(/# EOF\n$/);
    expect(open.text).toContain('# TYPE hatch_orders counter\nhatch_orders_total{');
    untilFresh();
    expect((await scrape(app.url)).text).toContain('# TYPE hatch_orders_total counter\nhatch_orders_total{');
  });

  test('is read once for all who ask within a second', async () => {
    untilFresh();
    const reads = await Promise.all(Array.from({ length: 8 }, () => scrape(app.url)));
    expect(new Set(reads.map(({ text }) => text)).size).toBe(1);
  });
});

describe('who may read them', () => {
  test.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer another-token-of-any-length' }],
    ['a member of staff', { authorization: '' }],
  ])('%s is refused', async (who, headers) => {
    const sent = who === 'a member of staff' ? { authorization: `Bearer ${staff}` } : headers;
    const answer = await fetch(`${app.url}/metrics`, { headers: sent });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).not.toContain('hatch_');
  });

  test('without settings there are none', async () => {
    const plain = await startTestApp();
    onTestFinished(() => plain.close());
    expect((await fetch(`${plain.url}/metrics`)).status).toBe(404);
  });

  test('a port of their own is open on this machine alone, and closed with the shop', async () => {
    const port = await findFreePort();
    const own = await startTestApp({}, { METRICS_PORT: String(port) });
    const url = `http://127.0.0.1:${port}`;
    expect((await scrape(url, {})).samples.get('hatch_shop_orders_unanswered')).toBe(0);
    expect((await fetch(`${url}/v1/stores`)).status).toBe(404);
    expect((await fetch(`${own.url}/metrics`)).status).toBe(404);
    expect(own.services.config.metricsHost).toBe('127.0.0.1');
    await own.close();
    await expect(fetch(`${url}/metrics`)).rejects.toThrow('fetch failed');
  });

  test('a port of their own asks for the token if there is one', async () => {
    const port = await findFreePort();
    const own = await startTestApp({}, { METRICS_PORT: String(port), METRICS_TOKEN: token });
    onTestFinished(() => own.close());
    expect((await scrape(`http://127.0.0.1:${port}`, {})).status).toBe(401);
    expect((await scrape(`http://127.0.0.1:${port}`)).status).toBe(200);
  });
});

test('two instances tell the same of the shop, and each its own sockets', async () => {
  const second = await startAppOn({ ...app.database, drop: async () => {} }, app.shop, { METRICS_TOKEN: token });
  onTestFinished(() => second.close());
  const ofShop = ({ samples }: Awaited<ReturnType<typeof scrape>>) =>
    Object.fromEntries([...samples].filter(([name]) => /^hatch_shop_(?!database_bytes)/.test(name)));
  // Mails of earlier orders are sent meanwhile.
  const other = await vi.waitFor(async () => {
    untilFresh();
    second.clock.now = app.clock.now;
    const [one, two] = await Promise.all([scrape(app.url), scrape(second.url)]);
    expect(ofShop(two)).toEqual(ofShop(one));
    return two;
  }, 20_000);
  expect(Object.keys(ofShop(other)).length).toBeGreaterThan(40);
  expect(other.samples.has('hatch_sockets')).toBe(true);
});

test('a database that hangs makes a scrape 503 with words, and no order waits for scrapes', async () => {
  const own = await startTestApp({}, { METRICS_TOKEN: token });
  onTestFinished(() => own.close());
  const held = await own.database.pool.connect();
  await held.query('begin');
  // The metrics read disputes, and an order does not.
  await held.query('lock table payment_disputes in access exclusive mode');
  const scrapes = Promise.all([scrape(own.url), scrape(own.url), scrape(own.url)]);
  const placed = await own.request('POST', '/v1/orders', { body: own.orderBody() });
  expect(placed.status).toBe(201);
  for (const { status, text } of await scrapes) {
    expect([status, text]).toEqual([503, expect.stringContaining('did not answer in time')]);
  }
  await held.query('rollback');
  held.release();
  untilFresh(own);
  expect((await scrape(own.url)).status).toBe(200);
});

test('docs/watching.md has every metric', async () => {
  const text = await readFile('docs/watching.md', 'utf8');
  const rows = text.match(/^\| `hatch_.*$/gm) ?? [];
  expect(rows).toEqual(
    describeMetrics().map(
      ({ name, kind, labels, help }) => `| \`${name}\` | ${kind} | ${labels.join(', ')} | ${help} |`,
    ),
  );
});
