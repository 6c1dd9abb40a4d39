import type { Selectable } from 'kysely';
import { m } from '#messages';
import type { OrderMailKind } from '#database/column-types.ts';
import type { RefundsTable } from '#database/schema.ts';
import { feeName } from '#ordering/fee-words.ts';
import { removalReasonWords } from '#ordering/history-words.ts';
import {
  cancellationIn,
  moneyBackWords,
  optionWords,
  paymentWords,
  promiseWords,
  removedMoneyWords,
} from '#ordering/order-words.ts';
import type { RemovedLine } from '#ordering/order.ts';
import { presentGuestOrder, type OrderRow, type WholeOrder } from '#ordering/server/present-order.ts';
import { isUnderWay, isCalledOff, isUnanswered, isUnpaid } from '#ordering/order-status.ts';
import { rejectionWords } from '#ordering/tracker.ts';
import { currentLanguage } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import { mailBody, type MailPart } from '#database/mail/mail-body.ts';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';

export interface OrderNews {
  kind: OrderMailKind;
  order: WholeOrder;
  refund: Selectable<RefundsTable> | null;
  store: Store;
  config: { APP_URL?: string | undefined; publicUrl: string };
  now: Date;
}

/** A mail's text in the current language, from the current data; null if the mail is out of date. */
export function orderMail(news: OrderNews): { subject: string; text: string; html: string } | null {
  const { order, store } = news;
  const told = newsOf(news);
  if (!told) return null;
  const { row } = order;
  const parts: MailPart[] = [
    m.ordering_mail_hello({ name: row.contact.name }),
    ...told.sentences,
    m.ordering_order_number({ number: row.number }),
    { rows: row.lines.map((line) => lineRow(line, store.currency)) },
    { rows: totalRows(row, store) },
    { rows: factRows(row, store) },
    ...linkTo(news),
    signature(store),
  ];
  return { subject: told.subject, ...mailBody(currentLanguage(), parts) };
}

interface Told {
  subject: string;
  sentences: string[];
}

/** What has happened, and what follows. */
function newsOf({ kind, order: { row, history }, refund, store, now }: OrderNews): Told | null {
  const about = { number: row.number, shop: store.name };
  const guest = presentGuestOrder(row);
  const promise =
    isUnderWay(row.status) && guest.promised_at !== null ? [promiseWords(guest, guest.promised_at, now, store)] : [];
  const moneyBack = moneyBackWords(guest);
  const money = moneyBack === null ? [] : [moneyBack];
  switch (kind) {
    case 'placed':
      // Answered since: the answer has its own mail.
      if (!isUnanswered(row.status)) return null;
      return { subject: m.ordering_mail_placed_subject(about), sentences: [m.ordering_mail_placed(about), ...promise] };
    case 'accepted':
      if (isCalledOff(row.status)) return null;
      return {
        subject: m.ordering_mail_accepted_subject(about),
        sentences: [m.ordering_mail_accepted(about), ...promise],
      };
    case 'changed': {
      // Cancelled since: that has a mail of its own.
      if (isCalledOff(row.status) || row.removed.length === 0) return null;
      const count = row.removed.reduce((sum, { quantity }) => sum + quantity, 0);
      const after = removedMoneyWords(guest, store.currency);
      return {
        subject: m.ordering_mail_changed_subject(about),
        sentences: [
          m.ordering_mail_changed({ ...about, count }),
          ...row.removed.map(removedWords),
          ...(after === null ? [] : [after]),
          ...promise,
        ],
      };
    }
    case 'rejected':
      return {
        subject: m.ordering_mail_rejected_subject(about),
        sentences: [m.ordering_mail_rejected(about), rejectionWords(row.reject_reason), ...money],
      };
    case 'cancelled': {
      const { actor, reason } = cancellationIn(history);
      const isOwn = actor === 'customer';
      return {
        subject: m.ordering_mail_cancelled_subject(about),
        sentences: [
          isOwn ? m.ordering_mail_cancelled_own(about) : m.ordering_mail_cancelled(about),
          ...(reason ? [m.ordering_reason_given({ reason })] : []),
          ...money,
        ],
      };
    }
    case 'late_hold':
    case 'late_charge': {
      const isHold = kind === 'late_hold';
      const goesOn = !isUnpaid(row.status) && !isCalledOff(row.status);
      return {
        subject: isHold ? m.ordering_mail_late_hold_subject(about) : m.ordering_mail_late_charge_subject(about),
        sentences: [
          isHold ? m.ordering_mail_late_hold(about) : m.ordering_mail_late_charge(about),
          ...(isCalledOff(row.status) ? [m.ordering_mail_late_ended()] : []),
          ...(goesOn ? [m.ordering_mail_late_goes_on()] : []),
        ],
      };
    }
    case 'refunded': {
      if (refund?.status !== 'succeeded') return null;
      const amount = formatMoney(refund.amount, refund.currency);
      const isByCard = refund.payment_id !== null;
      return {
        subject: m.ordering_mail_refunded_subject({ ...about, amount }),
        sentences: [
          isByCard
            ? m.ordering_mail_refunded_card({ ...about, amount })
            : m.ordering_mail_refunded_hand({ ...about, amount }),
        ],
      };
    }
  }
}

/** `1 × Korma (Mild): Sold out` */
function removedWords({ quantity, name, options, reason }: RemovedLine): string {
  const chosen = optionWords(options);
  const dish = m.ordering_removed_pieces({ quantity, name: chosen === '' ? name : `${name} (${chosen})` });
  return reason === '' ? dish : m.ordering_mail_removed({ dish, reason: removalReasonWords(reason) });
}

function lineRow(line: OrderRow['lines'][number], currency: string): readonly [string, string] {
  const options = optionWords(line.options);
  const details = [options, line.note && `“${line.note}”`].filter(Boolean).join('; ');
  return [`${line.quantity} × ${line.name}${details === '' ? '' : ` (${details})`}`, formatMoney(line.total, currency)];
}

function totalRows(row: OrderRow, store: Store): (readonly [string, string])[] {
  const money = (amount: number) => formatMoney(amount, store.currency);
  const vat = row.vat.reduce((sum, { vat: part }) => sum + part, 0);
  return [
    [m.ordering_subtotal(), money(row.subtotal)],
    ...row.discounts.map(({ name, amount }) => [name, `−${money(amount)}`] as const),
    ...row.fees.map((fee) => [feeName(fee), fee.amount === 0 ? m.ordering_free() : money(fee.amount)] as const),
    ...(row.tip > 0 ? [[m.ordering_tip(), money(row.tip)] as const] : []),
    [m.ordering_total(), money(row.total)],
    ...(store.vat_number ? [[m.ordering_mail_vat({ number: store.vat_number }), money(vat)] as const] : []),
  ];
}

/** How it is paid, where it is delivered, and warnings. */
function factRows(row: OrderRow, store: Store): (readonly [string, string])[] {
  const { name, phone } = row.contact;
  const place: readonly [string, string] =
    row.fulfilment_type === 'delivery' && row.address
      ? [m.ordering_order_to(), [addressWords(row.address), row.address.instructions].filter(Boolean).join('\n')]
      : [m.ordering_mail_collect_from(), [store.name, addressWords(store.address)].join(', ')];
  const facts: (readonly [string, string])[] = [
    [m.ordering_mail_payment(), paymentWords(presentGuestOrder(row), store.currency)],
    place,
    [m.ordering_receipt_for(), [name, phone].filter(Boolean).join(', ')],
    [m.ordering_order_allergy(), row.allergy_note],
    [m.ordering_order_note(), row.note],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The order's page, which can be followed without a secret; only with an address that others can open. */
function linkTo({ order, config }: OrderNews): MailPart[] {
  if (!config.APP_URL || !/^https?:/.test(config.APP_URL)) return [];
  return [{ words: m.ordering_mail_follow(), link: `${config.publicUrl}/orders/${order.row.id}` }];
}

function signature(store: Store): string {
  return [store.name, addressWords(store.address), store.phone].filter(Boolean).join('\n');
}
