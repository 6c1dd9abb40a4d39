import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { m } from '#messages';
import { type Alert, alertOwner } from '#alerts/server/alert-owner.ts';
import type { KeyProblem } from '#database/column-types.ts';
import type { Db, Tx } from '#database/schema.ts';
import { changeWithEffects } from '#database/transaction.ts';
import { unchargedOrdersSql } from '#ordering/server/order-views.ts';
import { keyProblemWords, providerMessageWords } from '#payment/key-problem-words.ts';
import { saveAndAnnounceCardKeys, lockKeySets } from '#payment/server/keys/activate-key.ts';
import type { FoundKeyProblem } from '#payment/server/keys/check-key.ts';
import type { KeySetRow } from '#payment/server/keys/key-sets.ts';
import type { KeyServices } from '#payment/server/keys/services.ts';

/**
 * Records a key set's problem, or that the problem has ended. The owner is alerted once, with the orders that cannot be
 * charged until the problem is solved. Boards and the office are notified.
 */
export async function recordKeyProblem(
  services: KeyServices,
  id: string,
  found: FoundKeyProblem | null,
): Promise<void> {
  await changeWithEffects(services, async (tx, afterCommit) => {
    await lockKeySets(tx);
    const row = await tx
      .selectFrom('payment_key_sets')
      .selectAll()
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (!row || isSame(row.problem, found)) return;
    const since = row.problem?.kind === found?.kind && row.problem ? row.problem.since : services.now().toISOString();
    const problem: KeyProblem | null = found && { ...found, since };
    await tx
      .updateTable('payment_key_sets')
      .set({
        problem: problem && JSON.stringify(problem),
        // The probe page opened, so earlier refusals no longer count.
        ...(row.problem?.kind === 'pages_refused' && !problem && { refused_pages: '[]' }),
      })
      .where('id', '=', id)
      .execute();
    await saveAndAnnounceCardKeys(services, { db: tx, afterCommit });
    if (problem && isNews(row.problem, problem)) await alertOfProblem(tx, services, row, problem);
  });
  await services.keySets.reload();
}

/** Accepted orders whose card payment was begun with this set and still has to be captured, oldest first. */
export async function readUnchargedOrders(
  db: Db,
  keySet: string,
): Promise<{ id: string; store_id: string; number: number }[]> {
  const { rows } = await sql<{ id: string; store_id: string; number: number }>`
    select o.id, o.store_id, o.number
    from payments p join ${unchargedOrdersSql} o on o.id = p.order_id
    where p.key_set = ${keySet} and p.status = 'authorised' and p.owed = 'capture'
    order by o.id`.execute(db);
  return rows;
}

function isSame(one: KeySetRow['problem'], other: FoundKeyProblem | null): boolean {
  const isOfKind = one?.kind === other?.kind && one?.said === other?.said;
  return isOfKind && isDeepStrictEqual(one?.rights ?? [], other?.rights ?? []);
}

/**
 * Whether the owner must be alerted: the kind of problem is new, or a right is missing that the last alert did not
 * name.
 */
function isNews(told: KeySetRow['problem'], { kind, rights = [] }: KeyProblem): boolean {
  return told?.kind !== kind || rights.some((right) => !(told.rights ?? []).includes(right));
}

async function alertOfProblem(tx: Tx, services: KeyServices, row: KeySetRow, problem: KeyProblem): Promise<void> {
  const uncharged = await readUnchargedOrders(tx, row.id);
  const numbers = uncharged.map(({ number }) => number).join(', ');
  await alertOwner(tx, services, () => keyProblemAlert(services.config, problem, { count: uncharged.length, numbers }));
}

export function keyProblemAlert(
  config: { publicUrl: string },
  problem: KeyProblem,
  uncharged: { count: number; numbers: string },
): Alert {
  const [subject, words] = wordsOf(problem.kind);
  const said = providerMessageWords(problem);
  return {
    kind: 'card_keys_refused',
    store: null,
    subject,
    text: [
      words({ problem: keyProblemWords(problem) }),
      ...(said === null ? [] : [said]),
      ...(uncharged.count > 0 ? [m.payment_keys_uncharged(uncharged)] : []),
    ].join('\n\n'),
    link: { words: m.payment_keys_alert_link(), link: `${config.publicUrl}/admin/payments/setup` },
  };
}

function wordsOf(kind: KeyProblem['kind']): [string, (said: { problem: string }) => string] {
  if (kind === 'some_pages_refused')
    return [m.payment_keys_some_pages_alert_subject(), m.payment_keys_some_pages_alert];
  if (kind === 'pages_refused') return [m.payment_keys_alert_subject(), m.payment_keys_pages_alert];
  return [m.payment_keys_alert_subject(), m.payment_keys_alert];
}
