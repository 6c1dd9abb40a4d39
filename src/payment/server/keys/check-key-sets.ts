import { sql } from 'kysely';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db } from '#database/schema.ts';
import { endIfDone } from '#payment/server/keys/end-set.ts';
import { ensureEndpoint } from '#payment/server/keys/endpoint.ts';
import type { KeySetRow } from '#payment/server/keys/key-sets.ts';
import { ownPage } from '#payment/server/keys/own-page.ts';
import { areAlike, judgePages, readRefusedPages } from '#payment/server/keys/refused-pages.ts';
import { recordProblem } from '#payment/server/keys/note-problem.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';
import { checkTakes } from '#payment/server/keys/watch-keys.ts';
import { continueTrial } from '#payment/server/keys/trial.ts';
import { checkKey } from '#payment/server/keys/check-key.ts';

const minute = 60_000;
/**
 * Milliseconds until a set's next check: of one with a problem, one that waits for its last payment, and the current
 * one.
 */
const again = { troubled: 2 * minute, replaced: 15 * minute, current: 24 * 60 * minute };

/** Checks each key set when it is due: whether its keys work, its endpoint, its trial, and whether it can end. */
export function keySetWork(services: KeyServices): DueWork<boolean> {
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

/** Of sets whose webhooks are late: an endpoint that was deleted or switched off at the provider is made again. */
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
    await ensureEndpoint(services, set, row).catch((error: unknown) =>
      services.log.warn({ err: error, key_set: row.id }, 'the webhook endpoint could not be looked for'),
    );
  }
}

/** Checks one set at once, unless it is being checked already. Throws the error that prevents it. */
export async function checkSetNow(services: KeyServices, id: string): Promise<void> {
  const now = services.now();
  const isFree = openIds(services)
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('check_at', 'is', null),
        eb('check_at', '<=', now),
        eb('check_at', '>', new Date(now.getTime() + checkTakes)),
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

/** Returns false if it has a problem. */
async function checkOrEnd(services: KeyServices, row: KeySetRow): Promise<boolean> {
  if (row.replaced_at !== null && (await endIfDone(services, row))) return true;
  const set = services.keySets.usable().find(({ id }) => id === row.id);
  // Its secrets are on another machine, which checks it in its turn.
  if (!set) return false;
  if (row.trial?.state === 'open' || row.trial?.state === 'paid') {
    await continueTrial(services, set, row.trial);
    // It may stay open for a day, in which customers pay or cannot.
    if (row.problem === null && !areAlike(row.refused_pages, services.now())) return true;
  }
  const { account, accountName, problem: found } = await checkKey(set.stripe, set.mode, await ownPage(services));
  // Customers' pages were refused during the check, too.
  const refused = await readRefusedPages(services.db, row.id);
  const problem = judgePages(found, row.problem, refused, services.now());
  await recordProblem(services, row.id, problem);
  if (account !== null) await noteAccount(services.db, row.id, account, accountName);
  if (problem) return false;
  if (row.replaced_at === null) await ensureEndpoint(services, set, row);
  return true;
}

/** Does nothing if something that began during the check has set another time. */
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

/** No other instance checks a set meanwhile. If this process stops, the next check follows after `checkTakes`. */
async function take({ db, now }: KeyServices, wanted: ReturnType<typeof openIds>): Promise<KeySetRow[]> {
  return db
    .updateTable('payment_key_sets')
    .set({ check_at: new Date(now().getTime() + checkTakes) })
    .where('id', 'in', wanted.orderBy('id').forUpdate().skipLocked())
    .returningAll()
    .execute();
}
