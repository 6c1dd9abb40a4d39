import { m } from '#messages';
import type { MailLine } from '#mail/mail-content.ts';
import { feeName } from '#ordering/fee-words.ts';
import { moneyBackWords, optionWords, paymentWords } from '#ordering/order-words.ts';
import { type GuestParts, type OrderRow, presentGuestOrder } from '#ordering/server/present-order.ts';
import { dateWords, timeWords } from '#platform/date-words.ts';
import { intlLocale } from '#platform/language.ts';
import { formatMoney } from '#platform/money.ts';
import { addressWords } from '#store/address-words.ts';
import type { Store } from '#store/contract.ts';

type Fact = readonly [name: string, value: string];

/** The dishes with their choices and, to a confirmed address, their notes. */
export function linesOf(row: OrderRow, { currency }: Store, isConfirmed: boolean): MailLine[] {
  return row.lines.map((line) => {
    const detail = [optionWords(line.options), isConfirmed && line.note && `“${line.note}”`].filter(Boolean).join('; ');
    return {
      name: `${line.quantity} × ${line.name}`,
      ...(detail !== '' && { detail }),
      value: formatMoney(line.total, currency),
    };
  });
}

/** The fees and discounts, and the total. */
export function totalsOf(row: OrderRow, store: Store): MailLine[] {
  const money = (amount: number) => formatMoney(amount, store.currency);
  const vat = row.vat.reduce((sum, { vat: part }) => sum + part, 0);
  return [
    { name: m.ordering_subtotal(), value: money(row.subtotal) },
    ...row.discounts.map(({ name, amount }) => ({ name, value: `−${money(amount)}` })),
    ...row.fees.map((fee) => ({
      name: feeName(fee),
      value: fee.amount === 0 ? m.ordering_free() : money(fee.amount),
    })),
    ...(row.tip > 0 ? [{ name: m.ordering_tip(), value: money(row.tip) }] : []),
    { name: m.ordering_total(), value: money(row.total), isTotal: true },
    ...(store.vat_number ? [{ name: m.ordering_mail_vat({ number: store.vat_number }), value: money(vat) }] : []),
  ];
}

/** How it is paid, where it is delivered, and warnings. */
export function factsOf(order: GuestParts, store: Store, isConfirmed: boolean): Fact[] {
  const { row } = order;
  const { name, phone } = row.contact;
  // For an order that was called off, the mail says where the money goes.
  const isToldAbove = moneyBackWords(presentGuestOrder(order), store.currency) !== null;
  return filled([
    ...(isToldAbove ? [] : [paymentOf(order, store)]),
    placeOf(row, store, isConfirmed),
    [m.ordering_receipt_for(), [isConfirmed ? name : '', phone].filter(Boolean).join(', ')],
    [m.ordering_order_allergy(), isConfirmed ? row.allergy_note : ''],
    [m.ordering_order_note(), isConfirmed ? row.note : ''],
  ]);
}

/** The facts of a receipt for the tax office: the seller, the time of supply, and the tax at each rate. */
export function receiptFacts(order: GuestParts, store: Store, isConfirmed: boolean): Fact[] {
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
    placeOf(row, store, isConfirmed),
    [m.ordering_receipt_for(), isConfirmed ? row.contact.name : ''],
  ]);
}

function paymentOf(order: GuestParts, { currency }: Store): Fact {
  return [m.ordering_mail_payment(), paymentWords(presentGuestOrder(order), currency)];
}

function placeOf({ fulfilment_type: type, address }: OrderRow, store: Store, isConfirmed: boolean): Fact {
  return type === 'delivery' && address
    ? [m.ordering_order_to(), [addressWords(address), isConfirmed && address.instructions].filter(Boolean).join('\n')]
    : [m.ordering_mail_collect_from(), [store.name, addressWords(store.address)].join(', ')];
}

function filled(facts: Fact[]): Fact[] {
  return facts.filter(([, value]) => value !== '');
}
