import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db } from '#database/schema.ts';
import { endKeySetIfDone } from '#payment/server/keys/end-key-set.ts';
import { ensureWebhookEndpoint } from '#payment/server/keys/webhook-endpoint.ts';
import type { KeySetRow } from '#payment/server/keys/key-sets.ts';
import { readProbePage } from '#payment/server/keys/read-probe-page.ts';
import { shouldOpenProbePage, chooseKeyProblem, readRefusedPaymentPages } from '#payment/server/keys/refused-pages.ts';
import { recordKeyProblem } from '#payment/server/keys/record-key-problem.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { keyCheckLeaseMs } from '#payment/server/keys/watch-keys.ts';
import { continueTrialPayment } from '#payment/server/keys/trial-payment.ts';
import { checkProviderKey } from '#payment/server/keys/check-key.ts';

const minute = 60_000;
/**
 * Milliseconds until the next check of a set with a problem, of a replaced set that cannot end yet, and of the current
 * set.
 */
const again = { troubled: 2 * minute, replaced: 15 * minute, current: 24 * 60 * minute };

/**
 * Due work that checks key sets: whether the keys work, whether the webhook endpoint exists, whether a trial has a
 * result, and whether a replaced set can end.
 */
export function keySetCheckWork(services: KeyServices): DueWork<boolean> {
  return {
    name: 'key sets',
    due: (at) => sql<boolean>`
      exists (select from payment_key_sets where check_at <= ${at} or endpoint_check_at <= ${at})`,
    work: () => checkKeySets(services),
  };
}

export async function checkKeySets(services: KeyServices): Promise<void> {
  for (const row of await takeDue(services)) {
    await checkSet(services, row).catch((error: unknown) =>
      services.log.warn({ err: error, key_set: row.id }, 'a key set could not be checked; it will be tried again'),
    );
  }
  await lookForEndpoints(services);
}

/**
 * Recreates deleted endpoints and enables disabled ones, for sets whose webhooks are late. Replaced sets, and sets with
 * a problem, are left out.
 */
async function lookForEndpoints(services: KeyServices): Promise<void> {
  const rows = await services.db
    .updateTable('payment_key_sets')
    .set({ endpoint_check_at: null })
    .where('endpoint_check_at', '<=', services.now())
    .where('ended_at', 'is', null)
    .returningAll()
    .execute();
  for (const row of rows) {
    const set = services.keySets.usable().find(({ id }) => id === row.id);
    if (!set || row.replaced_at !== null || row.problem !== null) continue;
    await ensureWebhookEndpoint(services, set, row).catch((error: unknown) =>
      services.log.warn({ err: error, key_set: row.id }, 'the webhook endpoint could not be looked for'),
    );
  }
}

/** Checks one key set at once, unless it is being checked already. Throws the error that prevents the check. */
export async function checkKeySetNow(services: KeyServices, id: string): Promise<void> {
  const now = services.now();
  const isFree = openIds(services)
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('check_at', 'is', null),
        eb('check_at', '<=', now),
        eb('check_at', '>', new Date(now.getTime() + keyCheckLeaseMs)),
        eb(sql`trial->>'state'`, 'in', ['open', 'paid']),
      ]),
    );
  const [row] = await take(services, isFree);
  if (row) await checkSet(services, row);
}

async function checkSet(services: KeyServices, row: KeySetRow): Promise<void> {
  const began = services.now();
  let isWell = false;
  try {
    isWell = await checkOrEnd(services, row);
  } finally {
    const kind = row.replaced_at === null ? 'current' : 'replaced';
    await setNextCheck(services, row, new Date(began.getTime() + again[isWell ? kind : 'troubled']));
  }
}

/** Checks a key set, or ends a replaced one. Returns false if the set has a problem. */
async function checkOrEnd(services: KeyServices, row: KeySetRow): Promise<boolean> {
  if (row.replaced_at !== null && (await endKeySetIfDone(services, row))) return true;
  const set = services.keySets.usable().find(({ id }) => id === row.id);
  // The secrets of the set are on another machine, whose instance checks the set.
  if (!set) return false;
  if (row.trial?.state === 'open' || row.trial?.state === 'paid') {
    await continueTrialPayment(services, set, row.trial);
    // A trial may stay open for a day. Meanwhile the keys are checked only if they have a problem, or if customers'
    // pages are refused.
    if (row.problem === null && !shouldOpenProbePage(row.refused_pages, services.now())) return true;
  }
  const {
    account,
    accountName,
    problem: found,
  } = await checkProviderKey(set.stripe, set.mode, await readProbePage(services));
  // The refusals are read again, because customers' pages may have been refused since the check began.
  const refused = await readRefusedPaymentPages(services.db, row.id);
  const problem = chooseKeyProblem(found, row.problem, refused, services.now());
  await recordKeyProblem(services, row.id, problem);
  if (account !== null) await noteAccount(services.db, row.id, account, accountName);
  if (problem) return false;
  if (row.replaced_at === null) await ensureWebhookEndpoint(services, set, row);
  return true;
}

/** Sets the time of the next check, unless another change has set it since the check began. */
async function setNextCheck({ db }: KeyServices, { id, check_at }: KeySetRow, next: Date): Promise<void> {
  await db
    .updateTable('payment_key_sets')
    .set({ check_at: next })
    .where('id', '=', id)
    .where('check_at', '=', check_at)
    .where('ended_at', 'is', null)
    .execute();
}

async function noteAccount(db: Db, id: string, account: string, name: string | null): Promise<void> {
  await db
    .updateTable('payment_key_sets')
    .set({ account, account_name: name })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('account', 'is distinct from', account), eb('account_name', 'is distinct from', name)]))
    .execute();
}

function takeDue(services: KeyServices): Promise<KeySetRow[]> {
  return take(services, openIds(services).where('check_at', '<=', services.now()));
}

function openIds({ db }: KeyServices) {
  return db.selectFrom('payment_key_sets').select('id').where('ended_at', 'is', null);
}

/**
 * Leases key sets for a check, so that no other instance checks them. If this process stops, another instance checks
 * them after `keyCheckLeaseMs`.
 */
async function take({ db, now }: KeyServices, wanted: ReturnType<typeof openIds>): Promise<KeySetRow[]> {
  return db
    .updateTable('payment_key_sets')
    .set({ check_at: new Date(now().getTime() + keyCheckLeaseMs) })
    .where('id', 'in', wanted.orderBy('id').forUpdate().skipLocked())
    .returningAll()
    .execute();
}
