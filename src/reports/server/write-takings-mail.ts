import { m } from '#messages';
import type { MailContent, MailLine, MailPart } from '#mail/mail-content.ts';
import { calendarDayWords } from '#platform/date-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { SalesReport } from '#reports/contract.ts';
import type { PaymentMethod, Store } from '#store/contract.ts';

/** The figures of a trading day in the mail. */
export type DayTakings = Pick<
  SalesReport,
  'start_date' | 'totals' | 'payment_methods' | 'vat' | 'lost' | 'unpaid' | 'failed' | 'test'
>;

const methodWords: Record<PaymentMethod, () => string> = { cash: m.reports_mail_cash, card: m.reports_mail_card };

/** Whether there is anything to tell: on most days off there is not. */
export function isWorthMailing({ totals, lost, unpaid, failed, test }: DayTakings): boolean {
  const counts = [totals.orders, totals.refunds, lost.length, unpaid.orders, failed.orders, test.orders];
  return counts.some((count) => count > 0);
}

/** The mail with the takings of one trading day, in the current language. */
export function takingsMail(
  { publicUrl }: { publicUrl: string },
  store: Pick<Store, 'name' | 'currency'>,
  report: DayTakings,
): MailContent {
  const { start_date: date, totals } = report;
  const say = (amount: number) => formatMoney(amount, store.currency);
  const about = { shop: store.name, day: calendarDayWords(date) };
  const { orders, gross } = totals;
  const page = { words: m.reports_mail_open(), link: `${publicUrl}/admin/reports?from=${date}&to=${date}` };
  const facts = factsOf(report, say);
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

/** By payment method, with its refunds. */
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

/** Further facts for the owner; without those that did not happen. */
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
