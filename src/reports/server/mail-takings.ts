import { type RawBuilder, sql } from 'kysely';
import { type AlertServices, mailAdmins } from '#alerts/server/alert-owner.ts';
import type { DueWork } from '#database/jobs/due-work.ts';
import type { Db } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import type { MailContent, MailLine, MailPart } from '#mail/mail-content.ts';
import { dateOfDayNumber, dayNumberOf } from '#platform/zone-clock.ts';
import { readReport } from '#reports/server/read-report.ts';
import type { ShopCache } from '#shop/server/shop-cache.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';
import { tradingDayOf } from '#store/opening-hours.ts';
import { lastEndedTradingDaySql } from '#store/server/store-views.ts';
import { m } from '#messages';
import { calendarDayWords, dateWords, timeWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { SalesReport } from '#reports/contract.ts';
import type { MailExamples } from '#mail/server/handlers.ts';

/** The maximum number of missed days whose takings are mailed after an outage. */
const maxDays = 7;

type Services = Pick<AlertServices, 'admins' | 'mail' | 'now'> & {
  /** When the last good backup was made, and since when backups are expected. */
  backupTimes: RawBuilder<BackupTimes>;
  config: { publicUrl: string };
  db: Db;
  menus: Pick<ShopCache, 'shop'>;
};

interface BackupTimes {
  good_at: string | null;
  since: string | null;
}

/** Mails the owner the takings of each store, once its trading day is over. */
export function takingsMailWork(services: Services): DueWork<string[]> {
  return {
    name: 'mails of takings',
    due: (now) => sql`
      select json_agg(ended.id) from ${lastEndedTradingDaySql(now)} as ended left join takings_mails as m on m.store_id = ended.id
      where m.mailed_to is null or m.mailed_to < ended.day`,
    async work(storeIds) {
      for (const id of storeIds) await mailTakings(services, id);
    },
  };
}

/**
 * Mails the takings of a store's past days that were not mailed yet. No day is mailed twice, even if several instances
 * do this at the same time.
 */
export async function mailTakings(services: Services, storeId: string): Promise<void> {
  const shop = await services.menus.shop(storeId);
  if (!shop) return;
  const { store } = shop;
  const ended = dayNumberOf(tradingDayOf(store, services.now())) - 1;
  const since = await mailedTo(services.db, storeId);
  const first = since === null || !store.mails_takings ? ended + 1 : Math.max(since + 1, ended - maxDays + 1);
  const mails: (() => MailContent)[] = [];
  const backups = first <= ended ? await readBackupTimes(services) : null;
  for (let day = first; day <= ended; day += 1) {
    const report = await reportOf(services, store, dateOfDayNumber(day));
    if (isWorthMailing(report)) mails.push(() => takingsMail(services.config, store, report, backups));
  }
  await inTransaction(services.db, async (tx) => {
    await tx
      .insertInto('takings_mails')
      .values({ store_id: storeId, mailed_to: dateOfDayNumber(since ?? ended) })
      .onConflict((conflict) => conflict.column('store_id').doNothing())
      .execute();
    // Another instance may have mailed these days already.
    const { numUpdatedRows } = await tx
      .updateTable('takings_mails')
      .set({ mailed_to: dateOfDayNumber(ended) })
      .where('store_id', '=', storeId)
      .where('mailed_to', '=', dateOfDayNumber(since ?? ended))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const content of mails) await mailAdmins(tx, services, { kind: 'takings', storeId, content });
  });
}

async function readBackupTimes({ db, backupTimes }: Services): Promise<BackupTimes | null> {
  const { rows } = await sql<{ times: BackupTimes }>`select ${backupTimes} as times`.execute(db);
  return rows[0]?.times ?? null;
}

/**
 * The day number of the last day whose takings were mailed or skipped; null: there is no such day yet. Days before the
 * first run for the store are never mailed.
 */
async function mailedTo(db: Db, storeId: string): Promise<number | null> {
  const row = await db
    .selectFrom('takings_mails')
    .select('mailed_to')
    .where('store_id', '=', storeId)
    .executeTakeFirst();
  return row ? dayNumberOf(row.mailed_to) : null;
}

function reportOf({ db, now }: Services, { id, timezone }: Store, date: string) {
  return readReport(db, { storeId: id, timezone, from: date, to: date, now: now() });
}

export type DayTakings = Pick<
  SalesReport,
  'start_date' | 'totals' | 'payment_methods' | 'vat' | 'lost' | 'unpaid' | 'failed' | 'test'
>;

const methodWords: Record<PaymentMethod, () => string> = { cash: m.reports_mail_cash, card: m.reports_mail_card };

/** Whether the day has figures to mail. A day on which the shop is closed usually has none. */
function isWorthMailing({ totals, lost, unpaid, failed, test }: DayTakings): boolean {
  const counts = [totals.orders, totals.refunds, lost.length, unpaid.orders, failed.orders, test.orders];
  return counts.some((count) => count > 0);
}

function takingsMail(
  { publicUrl }: { publicUrl: string },
  store: Pick<Store, 'name' | 'currency' | 'timezone'>,
  report: DayTakings,
  backups: BackupTimes | null,
): MailContent {
  const { start_date: date, totals } = report;
  const say = (amount: number) => formatMoney(amount, store.currency);
  const about = { shop: store.name, day: calendarDayWords(date) };
  const { orders, gross } = totals;
  const page = { words: m.reports_mail_open(), link: `${publicUrl}/admin/reports?from=${date}&to=${date}` };
  const facts = [...factsOf(report, say), ...backupFact(backups, store.timezone)];
  const parts: MailPart[] = [
    orders === 0 ? m.reports_mail_intro_none() : m.reports_mail_intro({ count: orders }),
    { lines: linesOf(report, say) },
    ...(facts.length > 0 ? [{ facts }] : []),
    page,
    m.reports_mail_off(),
  ];
  return { subject: m.reports_mail_subject({ ...about, amount: say(gross) }), parts };
}

type Say = (amount: number) => string;

/** The mail's lines: the takings by payment method, their total, and refunds. */
function linesOf({ payment_methods: methods, totals }: DayTakings, say: Say): MailLine[] {
  const { gross, refunds, refunded } = totals;
  const lines: MailLine[] = methods.map(({ key, orders, gross: paid }) => ({
    name: methodWords[key](),
    detail: m.reports_mail_orders({ count: orders }),
    value: say(paid),
  }));
  lines.push({ name: m.reports_gross(), value: say(gross), isTotal: true });
  if (refunds === 0) return lines;
  const count = m.reports_mail_refunds({ count: refunds });
  lines.push({ name: m.reports_refunded(), detail: count, value: say(-refunded) });
  lines.push({ name: m.reports_kept(), value: say(gross - refunded), isTotal: true });
  return lines;
}

/** Further figures for the owner, without counts that are 0. */
function factsOf({ totals, vat, lost, unpaid, failed, test }: DayTakings, say: Say): [string, string][] {
  const sumOf = (some: { orders: number; total: number }) =>
    m.reports_mail_lost({ count: some.orders, amount: say(some.total) });
  const notDone = lost.reduce((sum, each) => ({ orders: sum.orders + each.orders, total: sum.total + each.total }), {
    orders: 0,
    total: 0,
  });
  const facts: [string, string][] = [];
  if (totals.average !== null) facts.push([m.reports_average(), say(totals.average)]);
  if (totals.tips > 0) facts.push([m.reports_mail_tips(), say(totals.tips)]);
  if (vat.length > 0) {
    facts.push([m.reports_vat_due(), say(vat.reduce((sum, row) => sum + row.vat - row.refunded_vat, 0))]);
  }
  if (notDone.orders > 0) facts.push([m.reports_lost(), sumOf(notDone)]);
  if (unpaid.orders > 0) facts.push([m.reports_mail_not_paid(), sumOf(unpaid)]);
  if (failed.orders > 0) facts.push([m.reports_mail_failed(), sumOf(failed)]);
  if (test.orders > 0) facts.push([m.reports_mail_test(), sumOf(test)]);
  return facts;
}

/** The line about the last backup; empty until the shop expects backups. */
function backupFact(backups: BackupTimes | null, zone: string): [string, string][] {
  const at = backups?.good_at ?? null;
  if (at !== null) return [[m.reports_mail_backup(), `${dateWords(at, zone)}, ${timeWords(at, zone)}`]];
  return backups?.since ? [[m.reports_mail_backup(), m.reports_mail_backup_none()]] : [];
}

export function takingsMailExample(
  config: { publicUrl: string },
  { readStore }: { readStore: (db: Db) => Promise<Store> },
): Pick<MailExamples, 'takings'> {
  return {
    takings: async (db: Db) =>
      takingsMail(
        config,
        await readStore(db),
        {
          start_date: '2026-11-21',
          totals: {
            orders: 57,
            gross: 134_250,
            subtotal: 124_300,
            discounts: 0,
            fees: 7_450,
            tips: 2_500,
            average: 2_355,
            refunds: 2,
            refunded: 1_880,
            refunded_tips: 0,
          },
          payment_methods: [
            { key: 'card', orders: 44, gross: 108_900 },
            { key: 'cash', orders: 13, gross: 25_350 },
          ],
          vat: [{ rate: 2000, net: 109_792, vat: 21_958, refunded_net: 1_567, refunded_vat: 313 }],
          lost: [{ status: 'rejected', reason: 'too_busy', orders: 1, total: 2_350 }],
          unpaid: { orders: 0, total: 0 },
          failed: { orders: 0, total: 0 },
          test: { orders: 0, total: 0 },
        },
        { good_at: '2026-11-22T03:10:00Z', since: null },
      ),
  };
}
