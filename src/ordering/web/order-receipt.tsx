import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import { isLost } from '#ordering/tracker.ts';
import { isWhole, type ShownOrder } from '#ordering/web/use-order.ts';
import { Totals } from '#ordering/web/totals.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { addressWords } from '#store/address-words.ts';

interface OrderReceiptProps {
  order: ShownOrder;
  store: Store;
  /** Whether the shop has answered who looks; what was seen last, or came with the page, does not know it. */
  isAnswered: boolean;
}

/** What was ordered and what it cost; whose it is only for who may know. */
export function OrderReceipt({ order, store, isAnswered }: OrderReceiptProps) {
  return (
    <section aria-labelledby="receipt-title" className="card grid content-start gap-5 self-start p-5 sm:p-6">
      <h2 id="receipt-title" className="text-2xl">
        {m.ordering_order_lines()}
      </h2>
      <ul className="grid gap-3">
        {order.lines.map((line) => (
          <li key={line.id} className="grid grid-cols-[auto_1fr_auto] gap-x-3">
            <span className="num font-semibold">{line.quantity}×</span>
            <span className="min-w-0">
              <span className="font-semibold">{line.name}</span>
              {line.options.length > 0 && (
                <span className="block text-sm text-ink-soft">
                  {line.options
                    .map((option) => (option.quantity > 1 ? `${option.quantity} × ${option.name}` : option.name))
                    .join(', ')}
                </span>
              )}
              {'note' in line && line.note && <span className="block text-sm text-ink-soft italic">“{line.note}”</span>}
            </span>
            <span className="num">{formatMoney(line.total, store.currency)}</span>
          </li>
        ))}
      </ul>
      <Totals
        price={order}
        currency={store.currency}
        delivery={order.fulfilment_type === 'delivery' ? 'known' : 'none'}
      />
      <p className="text-ink-soft">{paymentWords(order, store.currency)}</p>
      {isWhole(order) ? (
        <Private order={order} />
      ) : (
        isAnswered && <p className="text-sm text-ink-soft">{m.ordering_order_private()}</p>
      )}
    </section>
  );
}

/** How it is paid, in words; the money that is still to come with its amount. */
function paymentWords(order: ShownOrder, currency: string): string {
  const { payment_method: method, payment_status: status, refunded } = order;
  const total = formatMoney(order.total, currency);
  if (refunded > 0) return m.ordering_refunded_of({ refunded: formatMoney(refunded, currency), total });
  if (isLost(order.status) && status === 'unpaid') return m.ordering_nothing_to_pay();
  if (method === 'cash') return status === 'paid' ? m.ordering_paid_cash() : m.ordering_to_pay_cash({ total });
  const words: Record<ShownOrder['payment_status'], () => string> = {
    unpaid: m.ordering_card_unpaid,
    authorised: m.ordering_card_held,
    paid: m.ordering_paid_card,
    partially_refunded: m.ordering_card_part_refunded,
    refunded: m.ordering_card_refunded,
    voided: m.ordering_card_voided,
    failed: m.ordering_card_failed,
  };
  return words[status]();
}

function Private({ order }: { order: Order }) {
  const { address, contact } = order;
  const facts: [name: string, value: string][] = [[m.ordering_receipt_for(), [contact.name, contact.phone].join(', ')]];
  if (address) facts.push([m.ordering_order_to(), addressWords(address)]);
  if (order.allergy_note) facts.push([m.ordering_order_allergy(), order.allergy_note]);
  if (order.note) facts.push([m.ordering_order_note(), order.note]);
  return (
    <dl className="grid gap-3 border-t border-line pt-4">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
