import type { ReactNode } from 'react';
import { m } from '#messages';
import type { BasketProblem, BasketQuote } from '#ordering/basket.ts';
import { feeWords } from '#ordering/fee-words.ts';
import { formatMoney } from '#platform/money.ts';
import type { BasketView } from '#ordering/web/basket/basket-view.ts';
import type { Store } from '#store/contract.ts';
import { parsePostcode } from '#store/postcodes.ts';

interface TotalsProps {
  price: Pick<BasketQuote, 'subtotal' | 'discounts' | 'fees' | 'tip' | 'total' | 'offers'>;
  currency: string;
  /**
   * The result of the zone look-up. If it is `known`, a missing delivery fee is shown as free. If it is `open` or
   * `refused`, a row says so.
   */
  delivery: ZoneLookupState;
  /** Describes an offer in one sentence; missing for a placed order, whose totals show no sentences. */
  offerWords?: BasketView['offerWords'];
}

export function PriceTotals(props: TotalsProps) {
  return (
    <div className="grid gap-2.5">
      <PriceParts {...props} />
      <Total {...props} />
    </div>
  );
}

/** The parts of the total, one a row. */
export function PriceParts({ price, currency, delivery, offerWords }: TotalsProps) {
  const money = (amount: number) => formatMoney(amount, currency);
  const isFree = delivery === 'known' && !price.fees.some(({ code }) => code === 'delivery');
  return (
    <dl className="num grid gap-1.5">
      <Row name={m.ordering_subtotal()} amount={money(price.subtotal)} />
      {price.discounts.map((discount) => (
        <Row key={discount.offer_id} name={discount.name} amount={`−${money(discount.amount)}`}>
          {(discount.offer_id && offerWords?.(discount.offer_id)) ?? codeConditions(price, discount.offer_id)}
        </Row>
      ))}
      {price.fees.map((fee) => (
        <Row key={fee.code} name={feeWords(fee)} amount={fee.amount === 0 ? m.ordering_free() : money(fee.amount)} />
      ))}
      {isFree && <Row name={m.store_delivery()} amount={m.ordering_free()} />}
      {delivery === 'open' && <Row name={m.ordering_delivery_fee()} amount={m.ordering_by_postcode()} />}
      {delivery === 'refused' && <Row name={m.store_delivery()} amount={m.ordering_not_delivered()} />}
      {price.tip > 0 && <Row name={m.ordering_tip()} amount={money(price.tip)} />}
    </dl>
  );
}

export function Total({ price, currency, delivery }: Pick<TotalsProps, 'price' | 'currency' | 'delivery'>) {
  return (
    <dl className="num flex flex-wrap justify-between gap-x-4 border-t border-line pt-2 text-lg font-bold">
      <dt>{delivery === 'open' ? m.ordering_total_before_delivery() : m.ordering_total()}</dt>
      <dd>{formatMoney(price.total, currency)}</dd>
    </dl>
  );
}

/** Returns the server's sentence about the offer of a typed code. Browsers do not know the rules of such offers. */
function codeConditions({ offers }: Pick<BasketQuote, 'offers'>, id: string | undefined): string | undefined {
  return offers?.conditions?.find(({ offer_id }) => offer_id === id)?.sentence;
}

function Row({ name, amount, children }: { name: string; amount: string; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="ml-auto text-right">{amount}</dd>
      {children && <dd className="w-full text-sm text-ink-soft">{children}</dd>}
    </div>
  );
}

export function LostFreeDeliveryNotice({ view, price }: { view: BasketView; price: Pick<BasketQuote, 'subtotal'> }) {
  const lost = findLostFreeDelivery(view, price);
  return (
    <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold empty:hidden">
      {lost &&
        m.ordering_free_delivery_lost({
          dishes: lost.dishes.join(', '),
          amount: formatMoney(lost.over, view.store.currency),
        })}
    </p>
  );
}

/** Advice in one line: the amount still missing for the minimum, otherwise for free delivery or the nearest offer. */
export function BasketAdvice({ view, problems }: { view: BasketView; problems: readonly BasketProblem[] }) {
  const missing = missingToMinimum(view);
  if (missing > 0)
    return (
      <p role="status" className="num rounded-box bg-warn-soft px-4 py-3 font-semibold">
        {problems.find(({ code }) => code === 'below_minimum')?.message ?? lowestWords(missing, view.store)}
      </p>
    );
  const advice = findNearestAdvice(view);
  if (!advice) return null;
  return (
    <p className="num rounded-box bg-good-soft px-4 py-3 font-semibold">
      {nearestAdviceWords(advice, view.store.currency)}
      {advice.offer !== null && view.near && (
        <span className="block text-sm font-normal empty:hidden">{view.offerWords(view.near.offer_id)}</span>
      )}
    </p>
  );
}

export function nearestAdviceWords({ missing, offer }: NearestAdvice, currency: string): string {
  const amount = formatMoney(missing, currency);
  return offer === null ? m.ordering_near_free_delivery({ amount }) : m.ordering_near_offer({ amount, offer });
}

interface NearestAdvice {
  missing: number;
  offer: string | null;
}

/**
 * Returns the zone's free delivery (`offer` null) or the nearest offer, whichever is nearer; null if neither is left to
 * reach. Also returns null below the lowest minimum, because the advice about the minimum comes first. Free delivery
 * that was lost with an unavailable dish is left out, because another notice reports it.
 */
export function findNearestAdvice(
  view: Pick<BasketView, 'zone' | 'near' | 'subtotal' | 'lines' | 'toLowestMinimum'>,
): NearestAdvice | null {
  const { zone, near, subtotal } = view;
  if (view.toLowestMinimum > 0) return null;
  const over = zone?.fee && !findLostFreeDelivery(view, view) ? zone.free_over : null;
  const toFree = over !== null && subtotal > 0 && subtotal < over ? over - subtotal : null;
  if (near && (toFree === null || near.missing < toFree)) return { missing: near.missing, offer: near.name };
  return toFree === null ? null : { missing: toFree, offer: null };
}

/**
 * Returns how much the subtotal lacks to the zone's minimum, in minor units; 0 if no dish of the basket is available.
 * Until the customer types a whole postcode, the lowest minimum of all zones replaces the zone's minimum.
 */
export function missingToMinimum({
  toLowestMinimum,
  zone,
  subtotal,
  quote,
}: Pick<BasketView, 'toLowestMinimum' | 'zone' | 'subtotal' | 'quote'>): number {
  return !quote?.lines.length ? 0 : Math.max(toLowestMinimum, (zone?.minimum_order ?? 0) - subtotal, 0);
}

function lowestWords(missing: number, { delivery_zones: zones, currency }: Store): string {
  const minimums = zones.map((zone) => zone.minimum_order);
  const lowest = Math.min(...minimums);
  const words = { amount: formatMoney(missing, currency), minimum: formatMoney(lowest, currency) };
  return Math.max(...minimums) > lowest ? m.ordering_below_lowest_minimum(words) : m.ordering_below_any_minimum(words);
}

/**
 * Returns the dishes that are no longer available, if delivery would be free with them; otherwise null. `over` is the
 * amount from which delivery is free, in minor units.
 */
export function findLostFreeDelivery(
  { zone, lines }: Pick<BasketView, 'zone' | 'lines'>,
  { subtotal }: Pick<BasketQuote, 'subtotal'>,
): { dishes: readonly string[]; over: number } | null {
  const over = zone?.fee ? zone.free_over : null;
  if (over === null || subtotal >= over) return null;
  const gone = lines.filter(({ now, problems }) => !now || problems.some(({ code }) => code === 'item_sold_out'));
  const missing = gone.reduce((sum, { line }) => sum + line.seen_price * line.quantity, 0);
  return missing > 0 && subtotal + missing >= over ? { dishes: gone.map(({ line }) => line.name), over } : null;
}

/**
 * The result of the zone look-up. `none`: collection; `open`: no valid postcode yet; `refused`: no zone contains the
 * postcode; `known`: a zone contains it.
 */
export type ZoneLookupState = 'none' | 'open' | 'refused' | 'known';

export function deliveryZoneState({ fulfilment, zone, held }: BasketView): ZoneLookupState {
  if (fulfilment === 'collection') return 'none';
  if (zone) return 'known';
  return parsePostcode(held.postcode) ? 'refused' : 'open';
}
