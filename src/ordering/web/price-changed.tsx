import { m } from '#messages';
import { acceptPrices } from '#ordering/web/basket-edits.ts';
import type { BasketView } from '#ordering/web/basket-view.ts';
import type { PlacingOrder } from '#ordering/web/place-order.ts';
import type { OrderBody } from '#ordering/web/send-order.ts';
import { formatMoney } from '#platform/money.ts';
import { Sheet } from '#ui/web/sheet.tsx';

interface PriceChangedProps {
  view: BasketView;
  changed: NonNullable<PlacingOrder['changed']>;
  onAccept: (order: OrderBody) => void;
  onClose: () => void;
}

/** The shop's price differs from the one shown: shows the change and asks whether it is accepted. Nothing has been ordered yet. */
export function PriceChanged({ view, changed: { body, quote }, onAccept, onClose }: PriceChangedProps) {
  const money = (amount: number) => formatMoney(amount, view.store.currency);
  const lines = view.lines.flatMap(({ line }, place) => {
    const now = quote.lines[place];
    return now && now.unit_price !== line.seen_price ? [{ line, now }] : [];
  });
  const accept = () => {
    acceptPrices(new Map(lines.map(({ line, now }) => [line.key, { name: now.name, price: now.unit_price }])));
    onAccept({ ...body, expected_total: quote.total });
  };
  return (
    <Sheet labelledBy="price-changed-title" onClose={onClose}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="price-changed-title" className="text-2xl">
          {m.ordering_changed_title()}
        </h2>
        <p>{m.ordering_changed_total({ before: money(body.expected_total), after: money(quote.total) })}</p>
        {lines.length > 0 && (
          <ul className="num grid gap-2">
            {lines.map(({ line, now }) => (
              <li key={line.key} className="flex justify-between gap-4 rounded-chip bg-warn-soft px-3 py-2">
                <span className="font-semibold">{now.name}</span>
                <span>
                  {m.ordering_basket_price_was({ before: money(line.seen_price), after: money(now.unit_price) })}
                </span>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn btn-primary num" onClick={accept}>
            {m.ordering_changed_accept({ total: money(quote.total) })}
          </button>
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            {m.ordering_changed_back()}
          </button>
        </div>
      </div>
    </Sheet>
  );
}
