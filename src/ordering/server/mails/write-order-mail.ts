import type { Selectable } from 'kysely';
import { m } from '#messages';
import { greetingWords } from '#accounts/server/write-account-mail.ts';
import type { OrderMailKind } from '#database/mail-values.ts';
import type { RefundsView } from '#database/schema.ts';
import type { MailContent, MailLine, MailPart } from '#mail/mail-content.ts';
import { givenReasonWords } from '#ordering/history-words.ts';
import {
  wishWords,
  findLastCancellation,
  orderRefundWords,
  chosenOptionWords,
  paymentWords,
  promiseWords,
  rejectionWords,
  removedDishesMoneyWords,
} from '#ordering/order-words.ts';
import type { RemovedLine } from '#ordering/order.ts';
import {
  isCalledOff,
  isInHand,
  isUnanswered,
  isUnderWay,
  isAwaitingPayment,
  orderStatusTable,
} from '#ordering/order-status.ts';
import { isCardPaymentRefused } from '#ordering/payment-status.ts';
import {
  type GuestOrderParts,
  type OrderRow,
  presentGuestOrder,
  type LoadedOrder,
} from '#ordering/server/present-order.ts';
import { formatMoney } from '#platform/money.ts';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';
import { feeWords } from '#ordering/fee-words.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { intlLocale } from '#platform/language.ts';

export interface OrderMailInput {
  kind: OrderMailKind;
  order: GuestOrderParts & Pick<LoadedOrder, 'history'>;
  refund: Pick<Selectable<RefundsView>, 'status' | 'amount' | 'currency' | 'payment_id'> | null;
  store: Store;
  /** Whether the address is confirmed as the customer's own. Only then may the mail contain their name and notes. */
  isConfirmed: boolean;
  config: { APP_URL?: string | undefined; publicUrl: string };
  now: Date;
}

/** A mail's text in the current language, from the order's current data; null if the mail is stale. */
export function writeOrderMail(news: OrderMailInput): MailContent | null {
  const { kind, order, store, isConfirmed } = news;
  const told = mailWriters[kind](news);
  if (!told) return null;
  const { row } = order;
  const parts: MailPart[] = [
    greetingWords(isConfirmed ? row.contact.name : ''),
    ...told.parts,
    ...linkTo(news),
    { heading: m.ordering_order_number({ number: row.number }) },
    { lines: [...linesOf(row, store, isConfirmed), ...totalsOf(row, store)] },
    { facts: kind === 'receipt' ? receiptFacts(order, store, isConfirmed) : factsOf(order, store, isConfirmed) },
  ];
  return { subject: told.subject, parts };
}

interface Told {
  subject: string;
  parts: MailPart[];
}

/** Writes the subject and the first parts of each kind of mail; null if a later step has made the mail stale. */
const mailWriters: Record<OrderMailInput['kind'], (news: OrderMailInput) => Told | null> = {
  // Stale once the shop has answered the order, because the answer has its own mail.
  placed: (news) => (isUnanswered(news.order.row.status) ? withPromise(news, 'placed') : null),
  // Stale if the order was called off, or its card refused, after the acceptance. The mail about that later step also
  // mentions the acceptance.
  accepted: (news) =>
    isCalledOff(news.order.row.status) || isCardPaymentRefused(news.order.row) ? null : withPromise(news, 'accepted'),
  payment_failed: paymentFailed,
  promised: (news) =>
    isInHand(news.order.row.status) && promiseOf(news).length > 0 ? withPromise(news, 'promised') : null,
  ready(news) {
    if (!isCurrent(news) || news.order.row.fulfilment_type === 'delivery') return null;
    return {
      subject: m.ordering_mail_ready_subject(aboutOf(news)),
      parts: [m.ordering_mail_ready(), placeOf(news.store)],
    };
  },
  on_its_way: (news) => (isCurrent(news) ? withPromise(news, 'on_its_way') : null),
  receipt: (news) =>
    isCurrent(news)
      ? { subject: m.ordering_mail_receipt_subject(aboutOf(news)), parts: [m.ordering_mail_receipt(aboutOf(news))] }
      : null,
  changed,
  rejected: (news) => ({
    subject: m.ordering_mail_rejected_subject(aboutOf(news)),
    parts: [m.ordering_mail_rejected(aboutOf(news)), rejectionWords(news.order.row.reject_reason), ...moneyOf(news)],
  }),
  cancelled,
  late_hold: late,
  late_charge: late,
  refunded,
  refund_failed: refundFailed,
};

const promiseMails = {
  placed: [m.ordering_mail_placed_subject, m.ordering_mail_placed],
  accepted: [m.ordering_mail_accepted_subject, m.ordering_mail_accepted],
  promised: [m.ordering_mail_promised_subject, m.ordering_mail_promised],
  on_its_way: [m.ordering_mail_on_its_way_subject, m.ordering_mail_on_its_way],
} as const;

function withPromise(news: OrderMailInput, kind: keyof typeof promiseMails): Told {
  const [subject, words] = promiseMails[kind];
  return { subject: subject(aboutOf(news)), parts: [words(aboutOf(news)), ...promiseOf(news)] };
}

function aboutOf({ order: { row }, store }: OrderMailInput): { number: number; shop: string } {
  return { number: row.number, shop: store.name };
}

function promiseOf({ order, store, now }: OrderMailInput): MailPart[] {
  const guest = presentGuestOrder(order);
  return isUnderWay(order.row.status) && guest.promised_at !== null
    ? [{ big: promiseWords(guest, guest.promised_at, now, store) }]
    : [];
}

function moneyOf({ order, store }: OrderMailInput): MailPart[] {
  const words = orderRefundWords(presentGuestOrder(order), store.currency);
  return words === null ? [] : [words];
}

/** Whether the order still has the status that the mail is about. If the step was undone, the mail is stale. */
function isCurrent({ kind, order: { row } }: OrderMailInput): boolean {
  return orderStatusTable[row.status].mail === kind;
}

/**
 * The mail about a refused card; null if the order was called off, paid, or changed to another payment method since.
 */
function paymentFailed(news: OrderMailInput): Told | null {
  const { order, store } = news;
  const { row } = order;
  if (isCalledOff(row.status) || !isCardPaymentRefused(row)) return null;
  return {
    subject: m.ordering_mail_payment_failed_subject(aboutOf(news)),
    parts: [
      m.ordering_mail_payment_failed({ ...aboutOf(news), total: formatMoney(row.total, store.currency) }),
      m.ordering_mail_payment_failed_next({ shop: store.name, contact: store.phone || store.email }),
      ...promiseOf(news),
    ],
  };
}

function cancelled(news: OrderMailInput): Told {
  const { actor, reason } = findLastCancellation(news.order.history);
  const isOwn = actor === 'customer';
  return {
    subject: m.ordering_mail_cancelled_subject(aboutOf(news)),
    parts: [
      isOwn ? m.ordering_mail_cancelled_own(aboutOf(news)) : m.ordering_mail_cancelled(aboutOf(news)),
      ...(reason && (!isOwn || news.isConfirmed) ? [m.ordering_reason_given({ reason })] : []),
      ...moneyOf(news),
    ],
  };
}

function changed(news: OrderMailInput): Told | null {
  const { order, store } = news;
  const { row } = order;
  // Stale if the order was called off since, because that step has its own mail.
  if (isCalledOff(row.status) || row.removed.length === 0) return null;
  const count = row.removed.reduce((sum, { quantity }) => sum + quantity, 0);
  const after = removedDishesMoneyWords(presentGuestOrder(order), store.currency);
  return {
    subject: m.ordering_mail_changed_subject(aboutOf(news)),
    parts: [
      m.ordering_mail_changed({ ...aboutOf(news), count }),
      row.removed.map(removedWords).join('\n'),
      ...(after === null ? [] : [after]),
      ...promiseOf(news),
    ],
  };
}

function late({ kind, order: { row }, store }: OrderMailInput): Told {
  const about = { number: row.number, shop: store.name };
  const isHold = kind === 'late_hold';
  const goesOn = !isAwaitingPayment(row.status) && !isCalledOff(row.status);
  return {
    subject: isHold ? m.ordering_mail_late_hold_subject(about) : m.ordering_mail_late_charge_subject(about),
    parts: [
      isHold ? m.ordering_mail_late_hold(about) : m.ordering_mail_late_charge(about),
      ...(isCalledOff(row.status) ? [m.ordering_mail_late_ended()] : []),
      ...(goesOn ? [m.ordering_mail_late_goes_on()] : []),
    ],
  };
}

function refunded({ order: { row }, refund, store }: OrderMailInput): Told | null {
  if (refund?.status !== 'succeeded') return null;
  const about = { number: row.number, shop: store.name, amount: formatMoney(refund.amount, refund.currency) };
  const isByCard = refund.payment_id !== null;
  return {
    subject: m.ordering_mail_refunded_subject(about),
    parts: [isByCard ? m.ordering_mail_refunded_card(about) : m.ordering_mail_refunded_hand(about)],
  };
}

/** The mail about a failed refund; null if the refund was retried or made since. */
function refundFailed({ order: { row }, refund, store }: OrderMailInput): Told | null {
  if (refund?.status !== 'failed') return null;
  const about = { number: row.number, shop: store.name, amount: formatMoney(refund.amount, refund.currency) };
  return {
    subject: m.ordering_mail_refund_failed_subject(about),
    parts: [
      m.ordering_mail_refund_failed(about),
      m.ordering_mail_refund_failed_next({ shop: store.name, contact: store.phone || store.email }),
    ],
  };
}

/** Formats a removed line with the reason: `1 × Korma (Mild): Sold out`. */
function removedWords({ quantity, name, options, reason }: RemovedLine): string {
  const chosen = chosenOptionWords(options);
  const dish = m.ordering_removed_pieces({ quantity, name: chosen === '' ? name : `${name} (${chosen})` });
  return reason === '' ? dish : m.ordering_mail_removed({ dish, reason: givenReasonWords(reason) });
}

function placeOf(store: Store): MailPart {
  return { big: [store.name, addressWords(store.address)].join('\n') };
}

/** A link to the order's page, without a secret; empty if the shop has no public address. */
function linkTo({ order: { row }, config }: OrderMailInput): MailPart[] {
  if (!config.APP_URL || !/^https?:/.test(config.APP_URL)) return [];
  const words = isUnderWay(row.status) ? m.ordering_mail_follow() : m.ordering_mail_see();
  return [{ words, link: `${config.publicUrl}/orders/${row.id}` }];
}

type Fact = readonly [name: string, value: string];

/** The dishes with their choices. Only a confirmed address also gets the notes. */
function linesOf(row: OrderRow, { currency }: Store, isConfirmed: boolean): MailLine[] {
  return row.lines.map((line) => {
    const detail = [chosenOptionWords(line.options), isConfirmed && line.note && `“${line.note}”`]
      .filter(Boolean)
      .join('; ');
    return {
      name: `${line.quantity} × ${line.name}`,
      ...(detail !== '' && { detail }),
      value: formatMoney(line.total, currency),
    };
  });
}

function totalsOf(row: OrderRow, store: Store): MailLine[] {
  const money = (amount: number) => formatMoney(amount, store.currency);
  const vat = row.vat.reduce((sum, { vat: part }) => sum + part, 0);
  return [
    { name: m.ordering_subtotal(), value: money(row.subtotal) },
    ...row.discounts.map(({ name, amount }) => ({ name, value: `−${money(amount)}` })),
    ...row.fees.map((fee) => ({
      name: feeWords(fee),
      value: fee.amount === 0 ? m.ordering_free() : money(fee.amount),
    })),
    ...(row.tip > 0 ? [{ name: m.ordering_tip(), value: money(row.tip) }] : []),
    { name: m.ordering_total(), value: money(row.total), isTotal: true },
    ...(store.vat_number ? [{ name: m.ordering_mail_vat({ number: store.vat_number }), value: money(vat) }] : []),
  ];
}

function factsOf(order: GuestOrderParts, store: Store, isConfirmed: boolean): Fact[] {
  const { row } = order;
  const { name, phone } = row.contact;
  // The mail about a called-off order already says above how the money is returned.
  const isToldAbove = orderRefundWords(presentGuestOrder(order), store.currency) !== null;
  return filled([
    ...(isToldAbove ? [] : [paymentOf(order, store)]),
    placeInTable(row, store, isConfirmed),
    [m.ordering_receipt_for(), [isConfirmed ? name : '', phone].filter(Boolean).join(', ')],
    [m.ordering_order_allergy(), isConfirmed ? row.allergy_note : ''],
    [m.ordering_order_note(), isConfirmed ? row.note : ''],
    [m.ordering_order_wishes(), wishWords(row).join('. ')],
  ]);
}

/** The facts of a receipt for the tax office: the seller, the time of supply, and the tax at each rate. */
function receiptFacts(order: GuestOrderParts, store: Store, isConfirmed: boolean): Fact[] {
  const { row } = order;
  const at = row.completed_at ?? row.placed_at ?? row.created_at;
  const money = (amount: number) => formatMoney(amount, store.currency);
  const percent = new Intl.NumberFormat(intlLocale(), { style: 'percent', maximumFractionDigits: 2 });
  const vat = store.vat_number
    ? row.vat.map(({ rate, net, vat: part }) =>
        m.ordering_mail_vat_row({ rate: percent.format(rate / 10_000), net: money(net), vat: money(part) }),
      )
    : [];
  return filled([
    [m.ordering_mail_seller(), [store.legal_name || store.name, addressWords(store.address)].join('\n')],
    [m.ordering_mail_vat_number(), store.vat_number ?? ''],
    [m.ordering_mail_company_number(), store.company_number ?? ''],
    [m.ordering_mail_supplied(), `${dateWords(at, store.timezone)}, ${timeWords(at, store.timezone)}`],
    [m.ordering_mail_vat_included(), vat.join('\n')],
    paymentOf(order, store),
    placeInTable(row, store, isConfirmed),
    [m.ordering_receipt_for(), isConfirmed ? row.contact.name : ''],
  ]);
}

function paymentOf(order: GuestOrderParts, { currency }: Store): Fact {
  return [m.ordering_mail_payment(), paymentWords(presentGuestOrder(order), currency)];
}

function placeInTable({ fulfilment_type: type, address }: OrderRow, store: Store, isConfirmed: boolean): Fact {
  return type === 'delivery' && address
    ? [m.ordering_order_to(), [addressWords(address), isConfirmed && address.instructions].filter(Boolean).join('\n')]
    : [m.ordering_mail_collect_from(), [store.name, addressWords(store.address)].join(', ')];
}

function filled(facts: Fact[]): Fact[] {
  return facts.filter(([, value]) => value !== '');
}
