import { sql } from 'kysely';
import { type AlertServices, mailAdmins } from '#alerts/server/alert-owner.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { MailContent } from '#mail/mail-content.ts';
import { dateOf, dayOfDate } from '#platform/zone-clock.ts';
import { readReport } from '#reports/server/read-report.ts';
import { isWorthMailing, takingsMail } from '#reports/server/write-takings-mail.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { endedDays } from '#store/server/store-views.ts';

/** The most missed days that are mailed after the server was off. */
const mostDays = 7;

type Services = Pick<AlertServices, 'admins' | 'mail' | 'now'> & {
  config: { publicUrl: string };
  db: Db;
  menus: Pick<ShopCache, 'shop'>;
};

/** Mails the owner the takings of each store, once its trading day is over. */
export function takingsMailWork(services: Services): DueWork<string[]> {
  return {
    name: 'mails of takings',
    due: (now) => sql`
      select json_agg(ended.id) from ${endedDays(now)} as ended left join takings_mails as m on m.store_id = ended.id
      where m.mailed_to is null or m.mailed_to < ended.day`,
    async work(storeIds) {
      for (const id of storeIds) await mailTakings(services, id);
    },
  };
}

/** Of a store's past days without a mail; each is mailed once, also when two instances look at the same time. */
export async function mailTakings(services: Services, storeId: string): Promise<void> {
  const shop = await services.menus.shop(storeId);
  if (!shop) return;
  const { store } = shop;
  const ended = dayOfDate(tradingDayOf(store, services.now())) - 1;
  const since = await mailedTo(services.db, storeId);
  const first = since === null || !store.mails_takings ? ended + 1 : Math.max(since + 1, ended - mostDays + 1);
  const mails: (() => MailContent)[] = [];
  for (let day = first; day <= ended; day += 1) {
    const report = await reportOf(services, store, dateOf(day));
    if (isWorthMailing(report)) mails.push(() => takingsMail(services.config, store, report));
  }
  await inTransaction(services.db, async (tx) => {
    await tx
      .insertInto('takings_mails')
      .values({ store_id: storeId, mailed_to: dateOf(since ?? ended) })
      .onConflict((conflict) => conflict.column('store_id').doNothing())
      .execute();
    // Another instance may have mailed them since they were read.
    const { numUpdatedRows } = await tx
      .updateTable('takings_mails')
      .set({ mailed_to: dateOf(ended) })
      .where('store_id', '=', storeId)
      .where('mailed_to', '=', dateOf(since ?? ended))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const content of mails) await mailAdmins(tx, services, { kind: 'takings', storeId, content });
  });
}

/** The day's number; null before the store's first one ended, so that nobody is mailed of days before. */
async function mailedTo(db: Db, storeId: string): Promise<number | null> {
  const row = await db
    .selectFrom('takings_mails')
    .select('mailed_to')
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  return row ? dayOfDate(row.mailed_to) : null;
}

function reportOf({ db, now }: Services, { id, timezone }: Store, date: string) {
  return readReport(db, { storeId: id, timezone, from: date, to: date, now: now() });
}
