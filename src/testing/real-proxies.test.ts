import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { contract } from '#contract.ts';
import { connectToApp, nextEvent } from '#realtime/testing/clients.ts';
import type { Endpoints } from '#platform/http/endpoint.ts';
import { findFreePort } from '#database/embedded/access.ts';
import { usesProgram } from '#testing/stand-ins.ts';
import { startTestApp, type TestApp } from '#testing/test-app.ts';

/** The files that the documentation gives for proxies. */
const blocks = [...(await readFile('docs/operations.md', 'utf8')).matchAll(/```\n([^`]*)```/g)].map(
  ([, text = '']) => text,
);
const caddyfile = blocks.find((text) => text.includes('reverse_proxy')) ?? '';
const nginxConf = blocks.find((text) => text.includes('proxy_pass')) ?? '';

const lines: string[] = [];
const programs = ['caddy', 'nginx'].filter(usesProgram);
let app: TestApp;
let token: string;
beforeAll(async () => {
  const limits = { max_orders_per_address_hour: 30 };
  const keys = { PUSHER_APP_ID: 'test', PUSHER_APP_KEY: 'test-key', PUSHER_APP_SECRET: 'sixteen--letters' };
  app = await startTestApp(limits, { APP_URL: 'https://pizza.example.com', ...keys }, (line) => lines.push(line));
  token = await app.signIn('admin');
});
afterAll(() => app.close());

test('the documentation has both, and lets nginx pass on the largest file that a call takes', () => {
  expect([caddyfile, nginxConf]).toEqual(Array(2).fill(expect.stringContaining('127.0.0.1:3000')));
  const limits = Object.values(contract as Endpoints).flatMap(({ upload }) => upload?.limit ?? []);
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginxConf) ?? [];
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(Math.max(...limits));
});

describe.each(programs)('%s as documented', (program) => {
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    const text = program === 'caddy' ? caddyfile : nginxConf;
    proxy = await startProxy(program, text);
  });
  afterAll(() => proxy.stop());

  test('passes the address of the client on, so that each customer has the limit of one', async () => {
    const before = lines.length;
    const statuses = await orders(proxy.url, 31);
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([30, 429]);
    const refused = lines.slice(before).filter((line) => line.includes('"status":429'));
    expect(refused).toEqual([expect.stringContaining(`"client":"${outside}"`)]);
    expect(lines.join('')).not.toContain('X-Forwarded-For');
  });

  test('passes sockets on', async () => {
    const client = connectToApp(proxy.url, token);
    onTestFinished(() => client.disconnect());
    const channel = client.subscribe(`private-stores.${app.shop.storeId}.orders`);
    await expect(nextEvent(channel, 'pusher:subscription_succeeded')).resolves.toBeDefined();
  });

  test('passes a large picture on', async () => {
    const response = await fetch(`${proxy.url}/v1/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
      body: new Uint8Array(7 * 1024 * 1024),
    });
    // It is no picture, which the shop itself says.
    expect([response.status, (await response.json()) as unknown]).toEqual([
      415,
      expect.objectContaining({ code: 'unsupported_media_type' }),
    ]);
  });
});

test.each(programs.filter((program) => program === 'nginx'))(
  '%s with the headers for sockets only refuses nobody, and is warned of',
  async (program) => {
    const proxy = await startProxy(program, nginxConf.replaceAll(/^.*(Host|X-Forwarded-\w+) \$.*$/gm, ''));
    onTestFinished(() => proxy.stop());
    expect(new Set(await orders(proxy.url, 40))).toEqual(new Set([201]));
    expect(lines.filter((line) => line.includes('X-Forwarded-For'))).toHaveLength(1);
    const { body } = await app.request('GET', '/v1/proxies/unknown', { token });
    expect(body.data).toEqual({ addresses: [], without_clients: ['127.0.0.1'] });
  },
);

/** An address of this machine that is not its loopback one: what connects to it comes from there. */
const outside =
  Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

let phones = 0;
async function orders(url: string, times: number): Promise<number[]> {
  await app.database.db.deleteFrom('order_origins').execute();
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) {
    phones += 1;
    const contact = { name: 'Ada', phone: `07700 ${String(phones).padStart(6, '0')}`, email: 'ada@example.com' };
    const response = await fetch(`${url}/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(app.orderBody({ contact })),
    });
    await response.text();
    statuses.push(response.status);
  }
  return statuses;
}

/** Runs a proxy with the file of the documentation, on a free port without TLS. */
async function startProxy(program: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'hatch-proxy-'));
  const port = await findFreePort();
  const file = join(folder, 'proxy.conf');
  const here = text.replaceAll('127.0.0.1:3000', new URL(app.url).host);
  await writeFile(file, program === 'caddy' ? caddy(here, port) : nginx(here, port, folder));
  const args = program === 'caddy' ? ['run', '--adapter', 'caddyfile', '--config', file] : ['-c', file, '-p', folder];
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const url = `http://${outside}:${port}`;
  await vi.waitFor(() => fetch(`${url}/live`), { timeout: 10_000, interval: 50 });
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const caddy = (text: string, port: number) =>
  `{\n  admin off\n}\n${text.replace('pizza.example.com', `http://:${port}`)}`;

function nginx(text: string, port: number, folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return [
    // Its workers write into the folder, which is this user's.
    process.getuid?.() === 0 ? 'user root;' : '',
    `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}`,
    `http { access_log off; ${paths.join(' ')}`,
    text.replace('listen 80;', `listen ${port};`),
    '}',
  ].join('\n');
}
