import { m } from '#messages';
import { nameAll } from '#menu/allergen-words.ts';
import { minAgeOf } from '#ordering/min-age.ts';
import type { Order } from '#ordering/order.ts';
import { givenReasonWords } from '#ordering/history-words.ts';
import { optionWords, paymentWords, refundsNotMadeWords, removedMoneyWords } from '#ordering/order-words.ts';
import { isUnderWay } from '#ordering/order-status.ts';
import { isWhole, type ShownOrder } from '#ordering/web/use-order.ts';
import { Totals } from '#ordering/web/totals.tsx';
import { formatMoney } from '#platform/money.ts';
import type { Store } from '#store/contract.ts';
import { addressWords } from '#store/address-words.ts';
import { TypedText } from '#ui/web/typed-text.tsx';

interface OrderReceiptProps {
  order: ShownOrder;
  store: Store;
  /** Whether the shop has answered this visitor; a cached page, or one that came as HTML, does not know. */
  isAnswered: boolean;
  /** It is one that was seen here before, and the shop cannot be reached. */
  isOld: boolean;
}

/** The dishes and their price; the customer's details only for readers who may know them. */
export function OrderReceipt({ order, store, isAnswered, isOld }: OrderReceiptProps) {
  const age = minAgeOf(order.lines);
  const notMade = refundsNotMadeWords(order, store.currency);
  return (
    <section aria-labelledby="receipt-title" className="card grid content-start gap-5 self-start p-5 tight:p-3 sm:p-6">
      <h2 id="receipt-title" className="text-2xl">
        {m.ordering_order_lines()}
      </h2>
      <ul className="grid gap-3">
        {order.lines.map((line) => (
          <li key={line.id} className="grid grid-cols-[auto_1fr_auto] tight:grid-cols-1 gap-x-3">
            <span className="num font-semibold whitespace-nowrap">{line.quantity}×</span>
            <span className="min-w-0">
              <span className="font-semibold">{line.name}</span>
              {line.options.length > 0 && (
                <span className="block text-sm text-ink-soft">{optionWords(line.options)}</span>
              )}
              {'note' in line && line.note && (
                <span className="block text-sm text-ink-soft italic">
                  “<TypedText text={line.note} />”
                </span>
              )}
            </span>
            <span className="num whitespace-nowrap ">{formatMoney(line.total, store.currency)}</span>
          </li>
        ))}
      </ul>
      <Removed order={order} currency={store.currency} />
      {age !== null && isUnderWay(order.status) && (
        <p className="rounded-box bg-warn-soft px-4 py-3 font-semibold">{m.ordering_order_id_ready({ age })}</p>
      )}
      <Totals
        price={order}
        currency={store.currency}
        delivery={order.fulfilment_type === 'delivery' ? 'known' : 'none'}
      />
      <p className="text-ink-soft">{paymentWords(order, store.currency)}</p>
      {notMade !== null && <p className="num rounded-box bg-warn-soft px-4 py-3">{notMade}</p>}
      {isWhole(order) ? (
        <Private order={order} />
      ) : (
        (isAnswered || isOld) && (
          <p className="text-sm text-ink-soft">
            {isOld ? m.ordering_order_private_offline() : m.ordering_order_private()}
          </p>
        )
      )}
    </section>
  );
}

/** The dishes that the shop took off since, and the state of their money. */
function Removed({ order, currency }: { order: ShownOrder; currency: string }) {
  if (order.removed.length === 0) return null;
  const money = removedMoneyWords(order, currency);
  return (
    <section aria-labelledby="removed-title" className="grid gap-1 rounded-box bg-warn-soft px-4 py-3">
      <h3 id="removed-title" className="font-semibold">
        {m.ordering_removed_title()}
      </h3>
      <ul className="grid gap-1">
        {order.removed.map((piece) => (
          <li key={piece.line_id + piece.at} className="grid grid-cols-[auto_1fr_auto] tight:grid-cols-1 gap-x-3">
            <s className="num whitespace-nowrap">{piece.quantity}×</s>
            <span className="min-w-0">
              <s>{piece.name}</s>
              {piece.options.length > 0 && <span className="block text-sm">{optionWords(piece.options)}</span>}
              {'reason' in piece && <span className="block text-sm">{givenReasonWords(piece.reason)}</span>}
            </span>
            <s className="num whitespace-nowrap">{formatMoney(piece.amount, currency)}</s>
          </li>
        ))}
      </ul>
      {money !== null && <p>{money}</p>}
    </section>
  );
}

function Private({ order }: { order: Order }) {
  const { address, contact } = order;
  const facts: [name: string, value: string][] = [[m.ordering_receipt_for(), [contact.name, contact.phone].join(', ')]];
  if (address) facts.push([m.ordering_order_to(), addressWords(address)]);
  if (order.allergy_note) facts.push([m.ordering_order_allergy(), order.allergy_note]);
  if (order.allergies.length > 0) facts.push([m.ordering_order_avoided(), nameAll(order.allergies)]);
  if (order.note) facts.push([m.ordering_order_note(), order.note]);
  return (
    <dl className="grid gap-3 border-t border-line pt-4">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="num">
            <TypedText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
