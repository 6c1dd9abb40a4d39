import { sql } from 'kysely';
import type { KeyProblem, RefusedPaymentPage } from '#database/column-types.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { BaseServices } from '#database/services.ts';
import type { FoundKeyProblem } from '#payment/server/keys/check-key.ts';
import { checkKeySetSoon } from '#payment/server/keys/watch-keys.ts';
import { ProviderKeysRefused, type ProviderRefusal } from '#payment/server/provider.ts';

const minute = 60_000;
/**
 * If at least this many orders are refused for the same reason within `suspectWindowMs`, the cause is probably the keys
 * and not the orders.
 */
const suspectAfterRefusals = 3;
const suspectWindowMs = 10 * minute;
/**
 * Milliseconds for which refusals are stored. The office shows them for as long, unless a page opens in the meantime.
 */
const kept = 60 * minute;
const maxKept = 30;

/** Decides a key set's problem from the problem that its check `found`, the `known` problem, and the refused pages. */
export function chooseKeyProblem(
  found: FoundKeyProblem | null,
  known: KeyProblem | null,
  refused: readonly RefusedPaymentPage[],
  now: Date,
): FoundKeyProblem | null {
  if (found?.kind === 'pages_refused') {
    const isEveryPage = known?.kind === 'pages_refused' || findAlike(refused, now, (one) => !one.is_followed) !== null;
    // `pages_refused` withdraws cards, so a refused probe page is not enough. The pages of several orders must have
    // been refused too, and no customer's page may have opened since.
    return isEveryPage ? found : { ...found, kind: 'some_pages_refused' };
  }
  // If the check found no problem, the probe page has opened. A known problem `pages_refused` is then over.
  if (found || known?.kind === 'pages_refused') return found;
  const alike = findAlike(refused, now, (one) => !one.names_order);
  return alike && { kind: 'some_pages_refused', said: alike.said };
}

/**
 * Finds the newest refusal that completes a group: at least `suspectAfterRefusals` orders whose pages were refused for
 * the same reason within ten minutes. null: there is no such group.
 */
function findAlike(
  refused: readonly RefusedPaymentPage[],
  now: Date,
  counts: (page: RefusedPaymentPage) => boolean,
): RefusedPaymentPage | null {
  const young = recent(refused, now).filter(counts);
  const found = young.findLast(
    (last) =>
      new Set(
        young
          .filter(({ reason, at }) => reason === last.reason && isWithin(at, Date.parse(last.at)))
          .map(({ order }) => order),
      ).size >= suspectAfterRefusals,
  );
  return found ?? null;
}

/** Whether the pages of several orders were refused for the same reason, so that the shop should open a probe page. */
export function shouldOpenProbePage(refused: readonly RefusedPaymentPage[], now: Date): boolean {
  return findAlike(refused, now, () => true) !== null;
}

function isWithin(at: string, end: number): boolean {
  return Date.parse(at) <= end && end - Date.parse(at) <= suspectWindowMs;
}

function recent(refused: readonly RefusedPaymentPage[], now: Date): RefusedPaymentPage[] {
  return refused.filter(({ at }) => now.getTime() - Date.parse(at) < kept).slice(-maxKept);
}

/**
 * Records that the provider refused an order's page. After enough refusals the key set is due for its check, which
 * opens a probe page.
 */
export async function recordRefusedPaymentPage(
  services: Pick<BaseServices, 'db' | 'log' | 'now'>,
  keySet: string,
  order: string,
  error: ProviderRefusal | ProviderKeysRefused,
): Promise<void> {
  const now = services.now();
  const page: RefusedPaymentPage = {
    order,
    reason: reasonOf(error),
    said: error.said,
    names_order: namesOrder(error),
    at: now.toISOString(),
    is_followed: false,
  };
  const all = await inTransaction(services.db, async (tx) => {
    const row = await tx
      .selectFrom('payment_key_sets')
      .select('refused_pages')
      .where('id', '=', keySet)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) return [];
    const pages = recent([...row.refused_pages, page], now);
    await tx
      .updateTable('payment_key_sets')
      .set({ refused_pages: JSON.stringify(pages) })
      .where('id', '=', keySet)
      .execute();
    return pages;
  });
  if (!shouldOpenProbePage(all, now)) return;
  // When the refusals first reach the limit, the key set is checked at once, even if its known problem is
  // `some_pages_refused`: the problem may have become `pages_refused`.
  checkKeySetSoon(services, keySet, shouldOpenProbePage(all.slice(0, -1), now) ? null : 'some_pages_refused');
}

export async function readRefusedPaymentPages(db: Db, keySet: string): Promise<RefusedPaymentPage[]> {
  const row = await db
    .selectFrom('payment_key_sets')
    .select('refused_pages')
    .where('id', '=', keySet)
    .executeTakeFirst();
  return row?.refused_pages ?? [];
}

/** Records that a customer's page opened, so that earlier refusals do not mean that every page is refused. */
export async function recordOpenedPaymentPage(db: Db, keySet: string): Promise<void> {
  await sql`
    update payment_key_sets
    set refused_pages = (
      select jsonb_agg(page || '{"is_followed": true}' order by place)
      from jsonb_array_elements(refused_pages) with ordinality as one (page, place))
    where id = ${keySet} and refused_pages @> '[{"is_followed": false}]'`.execute(db);
}

/** The reason of a refusal, without ids and numbers, which differ from order to order. */
function reasonOf({ message, said }: ProviderRefusal | ProviderKeysRefused): string {
  return `${message}: ${said}`.replaceAll(/\w*\d\w*/g, '…');
}

/** The parameters whose values come from the order: its parts, discount and customer, and the texts for the payer. */
const ofOrder = /^(line_items|discounts|customer|locale|client_reference_id|metadata|amount_off|name|email)\b/;

function namesOrder(error: ProviderRefusal | ProviderKeysRefused): boolean {
  if (error instanceof ProviderKeysRefused || error.isUnknownPart) return false;
  if (error.isTooLittle) return true;
  return error.parameter !== null && (ofOrder.test(error.parameter) || error.parameter.startsWith('customer_'));
}
