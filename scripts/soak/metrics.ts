import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#database/embedded/access.ts';
import { openShop } from '#testing/running-shop.ts';
import { checkRush, printChecks, startRush } from './rush.ts';

/**
 * Lets Debian's Prometheus scrape a shop and evaluate its rules while customers order: `npm run soak -- metrics
 * [seconds]`, 60 by default. Checks that scrapes succeed within a second, that rules are evaluated, that orders are
 * counted, and that the number of series stays the same.
 */
export async function soakMetrics([seconds = '60']: string[]): Promise<boolean> {
  const port = await findFreePort();
  const shop = await openShop({ LOG_LEVEL: 'silent', METRICS_PORT: String(port) });
  const prometheus = await startPrometheus(port);
  try {
    await untilFound(() => prometheus.number('count(hatch_shop_orders)'));
    const series = await prometheus.number(allSeries);
    const rush = await startRush(shop);
    for (let left = Number(seconds); left > 0; left -= 5) {
      await sleep(5_000);
      process.stdout.write(`\r${left - 5} seconds left, ${rush.answered.size} orders `);
    }
    console.log();
    await rush.stop();
    // The pause lets Prometheus scrape once more after the last orders.
    await sleep(2 * every);
    const within = `[${seconds}s]`;
    const slowest = await prometheus.number(`max_over_time(scrape_duration_seconds{job="hatch"}${within})`);
    const ordered = await prometheus.number('sum(hatch_orders_total{state="placed"})');
    const rules = await prometheus.rules();
    return printChecks([
      ...(await checkRush(shop, rush)),
      ['every scrape succeeded', (await prometheus.number(`min_over_time(up{job="hatch"}${within})`)) === 1],
      [`slowest scrape ${Math.round(slowest * 1000)} ms`, slowest < 1],
      [`${ordered} orders counted`, ordered === rush.answered.size],
      [`${series} series, as many as before`, series === (await prometheus.number(allSeries))],
      [`${rules.length} rules judged`, rules.length > 10 && rules.every(({ health }) => health === 'ok')],
    ]);
  } finally {
    await prometheus.stop();
    await shop.stop();
  }
}

/** The query counts the shop's series, except the one that exists only while an order waits. */
const allSeries = 'count({__name__=~"hatch_.+", __name__!="hatch_shop_orders_answer_left_seconds"})';

/** The scrape interval (ms). */
const every = 1_000;

interface Rule {
  name: string;
  health: string;
}

async function startPrometheus(target: number) {
  const folder = await mkdtemp(join(tmpdir(), 'hatch-prometheus-'));
  const config = await readFile('deploy/metrics/prometheus.yaml', 'utf8');
  const changed = config.replaceAll('15s', `${every}ms`).replace('127.0.0.1:9464', `127.0.0.1:${target}`);
  await writeFile(join(folder, 'prometheus.yaml'), changed);
  await cp('deploy/metrics/alerts.yaml', join(folder, 'alerts.yaml'));
  const port = await findFreePort();
  const flags = {
    'config.file': join(folder, 'prometheus.yaml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': `127.0.0.1:${port}`,
    'log.level': 'error',
  };
  const child = spawn(
    'prometheus',
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', reject);
  });
  ended.catch((error: unknown) => console.error(error));
  const ask = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json()) as { data: T };
    return answer.data;
  };
  return {
    /** Runs a query; NaN: no such series. */
    async number(query: string): Promise<number> {
      const { result } = await ask<{ result: { value: [number, string] }[] }>(
        `query?query=${encodeURIComponent(query)}`,
      );
      return Number(result[0]?.value[1] ?? Number.NaN);
    },
    async rules(): Promise<Rule[]> {
      const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules');
      return groups.flatMap(({ rules }) => rules);
    },
    async stop() {
      child.kill();
      await ended.catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilFound(read: () => Promise<number>): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    if ((await read().catch(() => Number.NaN)) > 0) return;
    await sleep(500);
  }
  throw new Error('Prometheus did not scrape the shop within half a minute.');
}
