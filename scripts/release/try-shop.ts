import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#database/embedded/access.ts';
import { weekdays } from '#database/page-values.ts';
import { waitUntil } from '#testing/shop-server.ts';

type Call = readonly [string, ...string[]];

export interface HatchProgram {
  start: Call;
  /** The command that runs `hatch`, without further arguments. */
  command: Call;
  port: number;
}

export interface TrialResult {
  /** The time from the start until the shop can be set up (ms). */
  ready: number;
  number: string;
}

/** The trial's PATH has only these programs. A started shop needs no others, because Node is part of the tree. */
const programs = ['sh', 'readlink', 'dirname'];
const nobody = 65_534;

/** Tries out an unpacked Hatch as a user who may write to the data folder only. */
export async function tryUnpackedRelease(hatch: string): Promise<TrialResult> {
  const home = mkdtempSync(join(tmpdir(), 'hatch-try-'));
  chmodSync(home, 0o755);
  const [path, data] = [join(home, 'bin'), join(home, 'data')];
  for (const folder of [path, data]) mkdirSync(folder);
  for (const name of programs)
    symlinkSync(spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(), join(path, name));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, nobody, nobody);
  const asNobody = isRoot ? ['/usr/bin/setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  const port = await findFreePort();
  const command: Call = ['env', '-i', `PATH=${path}`, `DATA_DIR=${data}`, `PORT=${port}`, ...asNobody, hatch];
  try {
    return await runTrialShop({ start: [...command, 'start', '--empty'], command, port });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/**
 * Starts the shop, sets it up with the code that `hatch status` shows, places a cash order, and stops the shop. Throws
 * each failure with the shop's log.
 */
export async function runTrialShop({ start, command, port }: HatchProgram): Promise<TrialResult> {
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(start[0], start.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit');
  try {
    await waitUntil('The shop did not open within a minute.', async () => {
      if (child.exitCode !== null) throw new Error(`The shop ended with ${child.exitCode}.`);
      return fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    const ask = (...words: string[]) => JSON.parse(runOrThrow([...command, ...words, '--json'])) as unknown;
    const { setup } = ask('status') as { setup: { code: string } | null };
    if (setup === null) throw new Error('hatch status shows no code.');
    if ((await fetch(`${url}/setup`)).status !== 200) throw new Error('/setup is not shown.');
    const ready = performance.now() - started;
    const number = await orderInNewShop(url, setup.code);
    ask('order', number);
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`It stopped with ${code}.`);
    return { ready, number };
  } catch (error) {
    child.kill('SIGTERM');
    await ended;
    throw new Error(`${String(error)}\n${said}`, { cause: error });
  }
}

function runOrThrow([program, ...args]: Call): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Sets up a shop and places an order by the API, as an owner would on the first day. Returns the order's number. */
async function orderInNewShop(url: string, code: string): Promise<string> {
  let token = '';
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} is ${answer.status}: ${text}`);
    return JSON.parse(text) as { token: string; data: { id: string; number: string } & { id: string }[] };
  };
  const owner = { name: 'Nonna', email: 'nonna@example.com', password: 'four words of my own' };
  ({ token } = await call('POST', '/v1/setup', { code, owner, store: { name: 'Nonna’s', phone: '01632 960001' } }));
  const storeId = (await call('GET', '/v1/stores')).data[0]?.id ?? '';
  const operational_hours = weekdays.map((day) => ({ day, open: '05:00', close: '05:00' }));
  const live = { is_accepting_orders: true, guest_checkout: true };
  await call('PATCH', `/v1/stores/${storeId}`, { operational_hours, last_order_minutes: 0, ...live });
  const menuId = (await call('GET', `/v1/menus/store/${storeId}?all=1`)).data[0]?.id ?? '';
  const category = await call('POST', '/v1/categories', { menu_id: menuId, name: 'Pizza' });
  const item = await call('POST', '/v1/items', { name: 'Margherita', price: 950, store_id: storeId });
  await call('POST', `/v1/categories/${category.data.id}/items/add`, { items: [item.data.id] });
  token = '';
  const order = await call('POST', '/v1/orders', {
    store_id: storeId,
    session: randomUUID(),
    fulfilment_type: 'collection',
    requested_for: null,
    contact: { name: 'Ada Byron', phone: '07700 900123' },
    payment_method: 'cash',
    lines: [{ item_id: item.data.id, quantity: 1, options: [] }],
  });
  return order.data.number;
}
