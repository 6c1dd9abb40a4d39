import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usesProgram } from '#testing/stand-ins.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

const folder = 'deploy/metrics';
const token = 'a-token-of-sixteen-or-more';
let app: TestApp;
let scraped: string;
beforeAll(async () => {
  app = await startTestApp({}, { METRICS_TOKEN: token });
  scraped = await (await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
});
afterAll(() => app.close());

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** The expressions of the rules and of the dashboard. */
async function expressions(): Promise<string[]> {
  const rules = await readFile(`${folder}/alerts.yaml`, 'utf8');
  const ofRules = [...rules.matchAll(/^ +expr: (?:>-\n)?((?:.+\n)(?: {10}.+\n)*)/gm)].map(([, text = '']) =>
    text.trim(),
  );
  const { panels } = JSON.parse(await readFile(`${folder}/dashboard.json`, 'utf8')) as Dashboard;
  return [...ofRules, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
}

const metric = /\b(?:hatch|process|nodejs)_\w+/g;

test('every metric of the rules and the dashboard exists', async () => {
  const found = await expressions();
  expect(found.length).toBeGreaterThan(40);
  const types = new Map(
    [...scraped.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const known = new Set(
    [...types].flatMap(([name, type]) => [
      name,
      ...(type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : []),
    ]),
  );
  const named = found.flatMap((text) => text.match(metric) ?? []);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('numbers of the shop are never summed over instances', async () => {
  const ofShop = (await expressions()).filter((text) => text.includes('hatch_shop_'));
  expect(ofShop.length).toBeGreaterThan(15);
  for (const text of ofShop) {
    expect(text).toMatch(/^(max|min)\b/);
    expect(text).not.toMatch(/\b(sum|avg|count)\s*(by \((?!instance\b)[^)]*\)\s*)?\([^)]*hatch_shop_/);
  }
});

test('every rule says its severity and what is the matter', async () => {
  const rules = (await readFile(`${folder}/alerts.yaml`, 'utf8')).split(/^ {6}- alert: /m).slice(1);
  expect(rules.length).toBeGreaterThan(10);
  for (const rule of rules) {
    expect(rule).toMatch(/severity: (critical|warning)/);
    expect(rule).toMatch(/summary: '.+'/);
  }
});

describe.each(['promtool'].filter(usesProgram))('%s', () => {
  const promtool = async (...args: string[]) => promisify(execFile)('promtool', args);

  test('finds no fault in the metrics', async () => {
    const running = promisify(execFile)('promtool', ['check', 'metrics']);
    running.child.stdin?.end(scraped);
    // It says what it finds, and fails.
    expect(await running).toEqual({ stdout: '', stderr: '' });
  });

  test('takes the configuration and the rules, and they alert when they should', async () => {
    expect((await promtool('check', 'config', `${folder}/prometheus.yaml`)).stdout).toContain('SUCCESS');
    expect((await promtool('check', 'rules', `${folder}/alerts.yaml`)).stdout).toContain('SUCCESS');
    expect((await promtool('test', 'rules', `${folder}/alerts.test.yaml`)).stdout).toContain('SUCCESS');
  });
});
