import { sql } from 'kysely';
import type { Db } from '#database/schema.ts';
import type { FoundKeyProblem } from '#payment/server/keys/check-key.ts';
import { webhookUrl } from '#payment/server/keys/webhook-endpoint.ts';
import {
  canReturnFromStripe,
  type KeySetRow,
  type KeySetCache,
  selectOpenKeySets,
} from '#payment/server/keys/key-sets.ts';
import { readUnchargedOrders } from '#payment/server/keys/record-key-problem.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import type { CardPaymentState, KeyCheck, KeySet, PaymentSetup } from '#payment/setup-contract.ts';

/** Milliseconds within which a webhook normally arrives after its event. */
const messageTimeout = 60_000;

export async function readPaymentSetup(db: Db, services: KeyServices, now: Date): Promise<PaymentSetup> {
  const rows = await selectOpenKeySets(db).orderBy('id', 'desc').execute();
  const current = rows.find(({ replaced_at }) => replaced_at === null);
  const earlier = rows.flatMap((row) => (row.replaced_at === null ? [] : [{ row, replaced_at: row.replaced_at }]));
  return {
    source: services.config.STRIPE_SECRET_KEY === undefined ? 'office' : 'environment',
    current: current ? await presentKeySet(db, services, current, now) : null,
    earlier: await Promise.all(
      earlier.map(async ({ row, replaced_at }) => ({
        ...heads(row),
        problem: keyProblemOf(row, services.keySets),
        replaced_at: replaced_at.toISOString(),
        unfinished: await countUnfinished(db, row.id),
      })),
    ),
  };
}

/**
 * A board's view of card payments: the mode and the problem of the keys, and the store's orders that cannot be charged
 * because of a key problem.
 */
export async function readCardPaymentState(
  db: Db,
  services: Pick<KeyServices, 'config' | 'keySets'>,
  storeId: string,
): Promise<CardPaymentState> {
  const rows = await selectOpenKeySets(db).orderBy('id', 'desc').execute();
  const troubled = rows.filter((row) => keyProblemOf(row, services.keySets) !== null);
  const uncharged = (await Promise.all(troubled.map(({ id }) => readUnchargedOrders(db, id)))).flat();
  const current = rows.find(({ replaced_at }) => replaced_at === null);
  const about = current && problemOf(current, services) ? current : troubled[0];
  return {
    mode: current?.mode ?? null,
    problem: about ? problemOf(about, services) : null,
    uncharged: uncharged
      .filter(({ store_id }) => store_id === storeId)
      .map(({ id, number }) => ({ order_id: id, order_number: String(number) })),
  };
}

async function presentKeySet(db: Db, services: KeyServices, row: KeySetRow, now: Date): Promise<KeySet> {
  return {
    ...heads(row),
    source: row.source,
    account: row.account,
    created_at: row.created_at.toISOString(),
    problem: problemOf(row, services),
    webhook: {
      state: await webhookState(db, services, row, now),
      url: row.endpoint_url ?? webhookUrl(services),
      heard_at: row.heard_at?.toISOString() ?? null,
    },
    trial: row.trial && {
      state: row.trial.state,
      amount: row.trial.amount,
      currency: row.trial.currency,
      redirect_url: row.trial.state === 'open' ? row.trial.redirect_url : null,
      at: row.trial.at,
    },
  };
}

function heads({ id, mode, account_name, key_hint }: KeySetRow) {
  return { id, mode, account_name, key_hint };
}

/**
 * The problem of a key set: the problem of its key. A live key without a problem has the problem `no_address` if
 * Stripe's page could not send customers back to the shop.
 */
function problemOf(row: KeySetRow, { config, keySets }: Pick<KeyServices, 'config' | 'keySets'>): KeySet['problem'] {
  const isOffered = row.replaced_at === null && row.mode === 'live';
  const problem = keyProblemOf(row, keySets);
  if (problem || !isOffered || canReturnFromStripe(config)) return problem;
  return { kind: 'no_address', rights: [], since: row.created_at.toISOString() };
}

function keyProblemOf({ id, problem, created_at }: KeySetRow, keySets: KeySetCache): KeySet['problem'] {
  const isHere = keySets.usable().some((set) => set.id === id);
  if (!isHere) return { kind: 'not_here', rights: [], since: created_at.toISOString() };
  return problem && { ...presentKeyProblem(problem), since: problem.since };
}

export function presentKeyProblem({ kind, rights = [], said }: FoundKeyProblem): NonNullable<KeyCheck['problem']> {
  return { kind, rights, ...(said !== undefined && { said }) };
}

async function webhookState(
  db: Db,
  services: KeyServices,
  row: KeySetRow,
  now: Date,
): Promise<KeySet['webhook']['state']> {
  const isByHand = services.config.STRIPE_WEBHOOK_SECRET.length > 0;
  if (row.endpoint_id === null && !isByHand) return webhookUrl(services) === null ? 'off' : 'missing';
  const missed = await firstMessageMissed(db, row);
  if (missed !== null && now.getTime() - missed > messageTimeout) return 'silent';
  return row.heard_at === null ? 'waiting' : 'heard';
}

/**
 * The time, in epoch milliseconds, of the oldest change of a payment or trial whose webhook is missing; null: none. A
 * webhook is missing if the last webhook arrived more than a minute before the change. The newest change would not do,
 * because its webhook may still be on the way.
 */
async function firstMessageMissed(db: Db, { id, heard_at, trial }: KeySetRow): Promise<number | null> {
  const after = (heard_at?.getTime() ?? 0) + messageTimeout;
  const payment = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.min('updated_at').as('at'))
    .where('key_set', '=', id)
    .where('status', '!=', 'pending')
    .where('updated_at', '>', new Date(after))
    .executeTakeFirst();
  const isTried = trial?.state === 'paid' || trial?.state === 'refunded';
  const times = [payment?.at?.getTime() ?? null, isTried ? Date.parse(trial.at) : null];
  const missed = times.flatMap((at) => (at !== null && at > after ? [at] : []));
  return missed.length === 0 ? null : Math.min(...missed);
}

async function countUnfinished(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payments
    where key_set = ${id} and (status in ('pending', 'authorised') or owed is not null)`.execute(db);
  return rows[0]?.count ?? 0;
}
