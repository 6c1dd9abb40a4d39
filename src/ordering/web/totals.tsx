import { m } from '#messages';
import type { Quote } from '#ordering/basket.ts';
import { feeName } from '#ordering/fee-words.ts';
import type { DeliveryState } from '#ordering/web/delivery-state.ts';
import { formatMoney } from '#platform/money.ts';

interface TotalsProps {
  price: Pick<Quote, 'subtotal' | 'discounts' | 'fees' | 'tip' | 'total'>;
  currency: string;
  /** For a known address a free fee is shown as free; for any other its row names the missing amount. */
  delivery: DeliveryState;
}

/** Every part of the price, and the sum. */
export function Totals({ price, currency, delivery }: TotalsProps) {
  const money = (amount: number) => formatMoney(amount, currency);
  const isFree = delivery === 'known' && !price.fees.some(({ code }) => code === 'delivery');
  return (
    <dl className="num grid gap-1.5">
      <Row name={m.ordering_subtotal()} amount={money(price.subtotal)} />
      {price.discounts.map((discount) => (
        <Row key={discount.code} name={discount.name} amount={`−${money(discount.amount)}`} />
      ))}
      {price.fees.map((fee) => (
        <Row key={fee.code} name={feeName(fee)} amount={fee.amount === 0 ? m.ordering_free() : money(fee.amount)} />
      ))}
      {isFree && <Row name={m.store_delivery()} amount={m.ordering_free()} />}
      {delivery === 'open' && <Row name={m.ordering_delivery_fee()} amount={m.ordering_by_postcode()} />}
      {delivery === 'refused' && <Row name={m.store_delivery()} amount={m.ordering_not_delivered()} />}
      {price.tip > 0 && <Row name={m.ordering_tip()} amount={money(price.tip)} />}
      <div className="mt-1 flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 text-lg font-bold">
        <dt>{delivery === 'open' ? m.ordering_total_before_delivery() : m.ordering_total()}</dt>
        <dd>{money(price.total)}</dd>
      </div>
    </dl>
  );
}

function Row({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="ml-auto text-right">{amount}</dd>
    </div>
  );
}
