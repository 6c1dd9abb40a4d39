import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cashBasket } from '#testing/cash-basket.ts';
import { admin, openShop, type Shop } from '#testing/running-shop.ts';
import { asStarted } from '../bench/as-started.ts';
import { evenly, percentile, residentMegabytes } from '../bench/figures.ts';
import type { AnswerCounts, AttackTarget } from './attack/attackers.ts';
import {
  attacks,
  type Attack,
  type AttackMeasurement,
  attackTableRow,
  attackTableHead,
  failureReason,
} from './attack/attacks.ts';

/**
 * Runs the attacks of a single stranger on a shop, and measures how its customers are affected: `npm run soak -- attack
 * [NAME…]`. It starts its own shop and attacks no other. It prints the table of `docs/security.md`, and returns false
 * if a row misses its goal. An order may take at most twice its time without the attack (p50), and none may be refused.
 * The event loop may be at most 20 ms late (p99). The attacker may get no more than `attacks.ts` allows.
 */
export async function attackShop(names: string[]): Promise<boolean> {
  const unknown = names.filter((name) => !attacks.some((attack) => attack.name === name));
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')} is no attack, and no other shop is attacked than the one that this starts.`);
    console.error(`Attacks: ${attacks.map(({ name }) => name).join(', ')}`);
    return false;
  }
  const delayPort = await freePort();
  const { environment, flags } = asStarted;
  const shop = await openShop(
    { ...environment, PAYMENT_SANDBOX: '1', PUSHER_APP_KEY: key, ATTACK_DELAY_PORT: String(delayPort) },
    [],
    [...flags, '--import', fileURLToPath(new URL('attack/loop-delay.ts', import.meta.url))],
  );
  try {
    if (new URL(shop.url).hostname !== 'localhost') throw new Error(`${shop.url} is not this machine.`);
    const chosen = attacks.filter(({ name }) => names.length === 0 || names.includes(name));
    return await attackAll(shop, chosen, delayPort);
  } finally {
    await shop.stop();
  }
}

/** The rate of the measured customers' orders (per second). */
const customersPerSecond = 8;
const key = 'attacked-shop';

async function attackAll(shop: Shop, chosen: readonly Attack[], delayPort: number): Promise<boolean> {
  const { url, api, storeId, adminToken, processId } = shop;
  // Test shops have no limits, so the attacked shop gets the limits of a newly created shop.
  const limits = { max_open_orders_per_person: 5, max_orders_per_address_hour: 30 };
  await api('PATCH', `/v1/stores/${storeId}`, limits, adminToken);
  const basket = await cashBasket(shop);
  const device = await signIn(url, null);
  const customers = createCustomers(url, basket);
  await customers(3);
  let red = 0;
  console.log(attackTableHead);
  for (const [at, attack] of chosen.entries()) {
    const quiet = await customers(4);
    const before = residentMegabytes(processId());
    await readDelay(delayPort);
    const target: AttackTarget = {
      url,
      socketUrl: `${url.replace('http', 'ws')}/app/${key}?protocol=7`,
      basket,
      email: admin.email,
      from: `203.0.113.${at + 1}`,
      seconds: attack.seconds,
    };
    let isOver = false;
    const attacking = attackOnce(attack, target).finally(() => (isOver = true));
    const under: number[] = [];
    while (!isOver) under.push(...(await customers(1)));
    const got = await attacking;
    const late = await readDelay(delayPort);
    const memory = residentMegabytes(processId()) - before;
    const took = under.filter((one) => !Number.isNaN(one));
    const lost = under.length - took.length;
    const half = { quiet: percentile(quiet, 50), under: percentile(took, 50) };
    const measured: AttackMeasurement = { attack, ...half, late, lost, got, memory };
    if (failureReason(measured) !== null) red += 1;
    console.log(attackTableRow(measured));
    // The pause lets the shop's queues drain, so that an attack does not spoil the next attack's measurement.
    await sleep(1_500);
  }
  const isOwnerIn = (await signIn(url, device)) !== null;
  console.log(`\nThe owner signs in after all of it: ${isOwnerIn ? 'yes' : 'NO'}`);
  console.log(`${chosen.length - red} of ${chosen.length} attacks green`);
  return red === 0 && isOwnerIn;
}

function attackOnce({ name }: Attack, target: AttackTarget): Promise<AnswerCounts> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('attack/attacker.ts', import.meta.url)));
    child.once('message', (got) => resolve(got as AnswerCounts));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The attack "${name}" ended with ${code}.`)));
    child.send({ name, target });
  });
}

/**
 * Returns a function that places orders for a number of seconds. Each order comes from a new customer, with another
 * address and phone. The function resolves to the orders' durations (ms); NaN for a refused order.
 */
function createCustomers(url: string, basket: Record<string, unknown>) {
  let last = 0;
  const order = async (): Promise<number> => {
    last += 1;
    const contact = { name: 'Ada Byron', phone: `07${String(800_000_000 + last)}` };
    const started = performance.now();
    const answer = await fetch(`${url}/v1/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${last % 250}` },
      body: JSON.stringify({ ...basket, contact, session: randomUUID() }),
    });
    const text = await answer.text();
    if (answer.status === 201) return performance.now() - started;
    console.error(`A customer's order was refused: ${answer.status} ${text}`);
    return Number.NaN;
  };
  return (seconds: number) => evenly(customersPerSecond * seconds, seconds, order);
}

/** Signs the owner in. Returns the token that makes the browser a known device; null: the sign-in was refused. */
async function signIn(url: string, device: string | null): Promise<string | null> {
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': '192.0.2.251',
      ...(device !== null && { 'x-known-device': device }),
    },
    body: JSON.stringify(admin),
  });
  if (!answer.ok) return null;
  return ((await answer.json()) as { device_token?: string }).device_token ?? '';
}

/** The event loop's delay (ms), at the 99th percentile since the last call. */
async function readDelay(delayPort: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${delayPort}`)).text());
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
