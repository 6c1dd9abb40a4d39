import { sql } from 'kysely';
import type { PaymentContext } from '#payment/server/context.ts';
import {
  type PaymentEventHandler,
  findEventHandler,
  findPaymentsOfEvents,
  eventColumns,
  type EventPayment,
  type PaymentEventRow,
} from '#payment/server/events/event-rows.ts';
import { reconcilePayment } from '#payment/server/reconcile.ts';

export interface EventWorker {
  /** Handles the stored events soon; the caller does not wait. */
  wake(): void;
  /** Handles every event that is due; returns how many. */
  work(): Promise<number>;
  stop(): Promise<void>;
}

const batch = 500;
/** The number of orders that are handled concurrently; each one needs an answer of the provider. */
const atOnce = 4;
const second = 1_000;
const minute = 60 * second;
/** Milliseconds after which the lease of events ends, if their instance stopped before it handled them. */
const lease = 2 * minute;
/** Milliseconds for which an event about an unknown payment is retried: the payment may not be committed yet. */
const retryUnknownForMs = 10 * minute;
/** Milliseconds for which an event that fails is retried. The sweep of payments has no such limit. */
const retryFailedForMs = 3 * 24 * 60 * minute;

type Verdict = { outcome: 'applied' | 'unknown' | 'failed' } | { again: number };

/**
 * Creates the worker that handles stored events. Any number of instances share the events. An event that fails, or is
 * about an unknown payment, is retried with backoff. Events about one order are handled together, so that the provider
 * is asked once for all of them.
 */
export function createEventWorker(context: PaymentContext, handlers: readonly PaymentEventHandler[]): EventWorker {
  const { log } = context.services;
  let running: Promise<number> | null = null;
  let isWanted = false;
  let isStopped = false;

  const run = async (): Promise<number> => {
    let count = 0;
    for (;;) {
      isWanted = false;
      const events = await takeDue(context);
      count += events.length;
      if (events.length > 0) await settle(context, await handleBatch(context, handlers, events, () => isStopped));
      // No `await` may stand between the decision to end and the clearing of `running`, because a `wake` between them
      // would be lost.
      if (isStopped || (events.length < batch && !isWanted)) running = null;
      if (!running) return count;
    }
  };
  const work = () => {
    isWanted = true;
    running ??= run().catch((error: unknown) => {
      running = null;
      throw error;
    });
    return running;
  };
  return {
    wake() {
      if (isStopped) return;
      if (running) isWanted = true;
      else setImmediate(() => void work().catch((error: unknown) => log.error({ err: error }, 'payment events')));
    },
    work,
    async stop() {
      isStopped = true;
      await running?.catch(() => undefined);
    },
  };
}

async function takeDue({ services }: PaymentContext): Promise<PaymentEventRow[]> {
  const now = services.now();
  const { rows } = await sql<PaymentEventRow>`
    update payment_events set tries = tries + 1, check_at = ${new Date(now.getTime() + lease)}
    where (provider, id) in (
      select provider, id from payment_events where check_at <= ${now} order by check_at limit ${batch} for update skip locked
    )
    returning ${sql.join(eventColumns.map((column) => sql.ref(column)))}`.execute(services.db);
  return rows;
}

async function handleBatch(
  context: PaymentContext,
  handlers: readonly PaymentEventHandler[],
  events: readonly PaymentEventRow[],
  isStopped: () => boolean,
): Promise<Map<PaymentEventRow, Verdict>> {
  // If this instance stops before it begins an event, the event keeps `again: 0`, so it is due at once for other
  // instances.
  const verdicts = new Map<PaymentEventRow, Verdict>(events.map((event) => [event, { again: 0 }]));
  const judge = async (group: readonly PaymentEventRow[], work: () => Promise<'applied' | 'unknown'>) => {
    const outcome = await work().catch((error: unknown) => {
      const [{ id, type } = { id: '', type: '' }] = group;
      context.services.log.warn({ err: error, event: id, type }, 'a message about a payment was not handled');
      return 'failed' as const;
    });
    for (const event of group) verdicts.set(event, verdictOn(event, outcome, context.services.now()));
  };
  const work: (() => Promise<void>)[] = [];
  const about: PaymentEventRow[] = [];
  for (const event of events) {
    const handler = findEventHandler(event, handlers);
    if (handler) work.push(() => judge([event], () => handler.handle(context, event)));
    else about.push(event);
  }
  for (const group of groupByOrder(await findPaymentsOfEvents(context.services.db, about))) {
    work.push(() => judge(group.events, () => handleGroup(context, group)));
  }
  await inParallel(work, isStopped);
  return verdicts;
}

interface Group {
  orderId: string | null;
  events: PaymentEventRow[];
  named: Map<string, string[]>;
}

/** Makes one group per order; an event about an unknown payment is a separate group. */
function groupByOrder(found: Map<PaymentEventRow, EventPayment | null>): Group[] {
  const groups = new Map<string, Group>();
  for (const [event, payment] of found) {
    const key = payment?.order_id ?? `message ${event.id}`;
    const group: Group = groups.get(key) ?? { orderId: payment?.order_id ?? null, events: [], named: new Map() };
    group.events.push(event);
    if (payment) {
      const references = group.named.get(payment.id) ?? [];
      if (event.reference !== null && !references.includes(event.reference)) references.push(event.reference);
      group.named.set(payment.id, references);
    }
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function handleGroup(context: PaymentContext, { orderId, named }: Group): Promise<'applied' | 'unknown'> {
  if (orderId === null) return 'unknown';
  await reconcilePayment(context, orderId, { named });
  return 'applied';
}

function verdictOn(
  { tries, received_at, reference, payment_id }: PaymentEventRow,
  outcome: 'applied' | 'unknown' | 'failed',
  now: Date,
): Verdict {
  if (outcome === 'applied') return { outcome };
  const age = now.getTime() - received_at.getTime();
  const pause = 2 * second * 4 ** Math.min(tries - 1, 6);
  if (outcome === 'failed') return age < retryFailedForMs ? { again: Math.min(pause, 10 * minute) } : { outcome };
  // Only an event that names a payment can be early: its payment may not be committed yet.
  const mayBeEarly = reference !== null || payment_id !== null;
  return mayBeEarly && age < retryUnknownForMs ? { again: Math.min(pause, 2 * minute) } : { outcome };
}

async function settle({ services }: PaymentContext, verdicts: Map<PaymentEventRow, Verdict>): Promise<void> {
  const now = services.now();
  const rows = [...verdicts].map(([{ provider, id }, verdict]) => ({
    provider,
    id,
    outcome: 'outcome' in verdict ? verdict.outcome : null,
    check_at: 'again' in verdict ? new Date(now.getTime() + verdict.again) : null,
  }));
  await sql`
    update payment_events as event
    set outcome = verdict.outcome, check_at = verdict.check_at,
      handled_at = case when verdict.outcome is not null then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as verdict (provider text, id text, outcome text, check_at timestamptz)
    where event.provider = verdict.provider and event.id = verdict.id`.execute(services.db);
}

async function inParallel(work: readonly (() => Promise<void>)[], isStopped: () => boolean): Promise<void> {
  const next = work.values();
  const lane = async () => {
    for (const one of next) {
      if (isStopped()) return;
      await one();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
