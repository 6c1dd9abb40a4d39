import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { randomNumbers } from '../api/faults.ts';
import { apiVersion } from '../api/validation.ts';
import { listensTo } from '../objects/events.ts';
import type { Books, LocalEvent, World } from '../world.ts';

/** An event on its way to one endpoint. */
export interface Delivery {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  /** `held` waits for `release`; `failed` is tried again when it is due, until `abandoned`. */
  state: 'waiting' | 'held' | 'delivered' | 'failed' | 'dropped' | 'abandoned';
  attempts: { at: number; status: number | null; error?: string }[];
  /** When it is sent, in milliseconds since 1970. */
  dueAt: number;
}

/** What is done with the next events instead of sending them at once. */
export interface DeliveryRule {
  /** `charge.*` and `*` are patterns; any event if left out. */
  type?: string;
  action: 'drop' | 'hold' | 'delay' | 'duplicate';
  /** Of `delay`: in milliseconds of the local Stripe's clock. */
  milliseconds?: number;
  /** How many deliveries; all from now on if left out. */
  times?: number;
  /** By chance, the same for the same seed: from 0 to 1. Always if left out. */
  probability?: number;
  seed?: number;
}

export interface Webhooks {
  /** Queues an event for every endpoint that listens to it. */
  publish(books: Books, event: LocalEvent): void;
  plan(rule: DeliveryRule): void;
  /** Ends all rules; what is held stays held. */
  clear(): void;
  /** Sends what is held: in order, backwards, or in an order drawn from the seed. */
  release(order?: 'forwards' | 'backwards' | { seed: number }): Promise<void>;
  /** Sends an event again to every endpoint that listens to it, also one that was dropped. */
  redeliver(event: string): Promise<void>;
  /** Sends what is due by the clock. */
  sendDue(): void;
  /** Waits until nothing is on its way. What is held, or due later, does not count. */
  settled(): Promise<void>;
  list(): readonly Delivery[];
  close(): Promise<void>;
}

const minute = 60_000;
/** The waits between tries; after the last, Stripe gives up. */
const waits = [5 * minute, 30 * minute, 120 * minute, 300 * minute, 600 * minute, 720 * minute, 720 * minute];
const longestAnswer = 20_000;

interface Target {
  books: Books;
  event: LocalEvent;
}

export function createWebhooks(world: World): Webhooks {
  const queue = createQueue(world);
  const deliveries = queue.deliveries;
  const rules = createRules();
  const sendAll = async (chosen: readonly Delivery[]): Promise<void> => {
    await Promise.all(chosen.map((delivery) => queue.send(delivery)));
  };
  return {
    publish(books, event) {
      for (const endpoint of listeners(books, event)) {
        const rule = rules.take(event.type);
        const delivery = queue.add(books, event, endpoint);
        if (rule?.action === 'drop') delivery.state = 'dropped';
        else if (rule?.action === 'hold') delivery.state = 'held';
        else if (rule?.action === 'delay') delivery.dueAt = world.now() + (rule.milliseconds ?? 0);
        if (delivery.state === 'waiting' && delivery.dueAt <= world.now()) void queue.send(delivery);
        if (rule?.action === 'duplicate') void queue.send(queue.add(books, event, endpoint));
      }
    },
    plan: rules.add,
    clear: rules.clear,
    async release(order = 'forwards') {
      const held = [...deliveries.values()].filter(({ state }) => state === 'held');
      if (typeof order === 'object') shuffle(held, randomNumbers(order.seed));
      await sendAll(order === 'backwards' ? held.toReversed() : held);
    },
    async redeliver(id) {
      const books = [...world.books.values()].find(({ tables }) => tables.event.has(id));
      const event = books?.tables.event.get(id);
      if (!books || !event) throw new Error(`No event ${id}`);
      await sendAll(listeners(books, event).map((endpoint) => queue.add(books, event, endpoint)));
    },
    sendDue() {
      for (const delivery of deliveries.values()) {
        const isTried = delivery.state === 'waiting' || delivery.state === 'failed';
        if (isTried && delivery.dueAt <= world.now()) void queue.send(delivery);
      }
    },
    settled: queue.settled,
    list: () => [...deliveries.values()],
    close: queue.close,
  };
}

/** What waits, and one line in which everything is sent, so that the order is the one that was asked for. */
function createQueue(world: World) {
  const deliveries = new Map<string, Delivery>();
  const targets = new Map<string, Target>();
  const aborted = new AbortController();
  let line: Promise<void> = Promise.resolve();
  return {
    deliveries,
    add(books: Books, event: LocalEvent, endpoint: Stripe.WebhookEndpoint): Delivery {
      const delivery: Delivery = {
        id: world.newId('del'),
        event: event.id,
        type: event.type,
        endpoint: endpoint.id,
        state: 'waiting',
        attempts: [],
        dueAt: world.now(),
      };
      deliveries.set(delivery.id, delivery);
      targets.set(delivery.id, { books, event });
      return delivery;
    },
    send(delivery: Delivery): Promise<void> {
      const target = targets.get(delivery.id);
      if (!target) throw new Error(`No delivery ${delivery.id}`);
      delivery.state = 'waiting';
      delivery.dueAt = Number.POSITIVE_INFINITY;
      line = line.then(() => attemptDelivery(world, delivery, target, aborted.signal));
      return line;
    },
    async settled(): Promise<void> {
      let seen: Promise<void> | undefined;
      while (seen !== line) {
        seen = line;
        await seen;
      }
    },
    async close(): Promise<void> {
      aborted.abort();
      await line;
    },
  };
}

function createRules() {
  let rules: (DeliveryRule & { isDrawn: () => boolean })[] = [];
  return {
    add(rule: DeliveryRule): void {
      const random = randomNumbers(rule.seed ?? 0);
      rules.push({ ...rule, isDrawn: () => rule.probability === undefined || random() < rule.probability });
    },
    clear(): void {
      rules = [];
    },
    /** The first rule for a type, used once. */
    take(type: string): DeliveryRule | undefined {
      const found = rules.find((rule) => fits(rule.type ?? '*', type) && rule.isDrawn());
      if (found?.times !== undefined) {
        found.times -= 1;
        if (found.times <= 0) rules = rules.filter((other) => other !== found);
      }
      return found;
    },
  };
}

function listeners(books: Books, event: LocalEvent): Stripe.WebhookEndpoint[] {
  return [...books.tables.webhook_endpoint.values()].filter((endpoint) => listensTo(endpoint, event.type));
}

async function attemptDelivery(
  world: World,
  delivery: Delivery,
  { books, event }: Target,
  signal: AbortSignal,
): Promise<void> {
  const endpoint = books.tables.webhook_endpoint.get(delivery.endpoint);
  const at = world.now();
  if (signal.aborted || !endpoint || endpoint.status !== 'enabled') {
    delivery.state = 'abandoned';
    return;
  }
  const payload = JSON.stringify({ ...event, api_version: endpoint.api_version ?? apiVersion }, null, 2);
  try {
    const answer = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': sign(payload, books.secrets.get(endpoint.id) ?? '', Math.floor(at / 1000)),
      },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestAnswer)]),
    });
    await answer.arrayBuffer();
    delivery.attempts.push({ at, status: answer.status });
    delivery.state = answer.ok ? 'delivered' : 'failed';
  } catch (error) {
    delivery.attempts.push({ at, status: null, error: String(error) });
    delivery.state = 'failed';
  }
  if (delivery.state === 'delivered') {
    event.pending_webhooks = Math.max(event.pending_webhooks - 1, 0);
    return;
  }
  const wait = waits[delivery.attempts.length - 1];
  if (wait === undefined) delivery.state = 'abandoned';
  else delivery.dueAt = at + wait;
}

/** The header that proves that a payload is Stripe's. */
export function sign(payload: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

function fits(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

function shuffle<Row>(rows: Row[], random: () => number): void {
  for (let at = rows.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [rows[at], rows[other]] = [rows[other] as Row, rows[at] as Row];
  }
}
