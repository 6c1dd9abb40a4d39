import { useState } from 'react';
import { m } from '#messages';
import { isExpired } from '#ordering/order-status.ts';
import { useSession } from '#accounts/web/session.ts';
import type { Order } from '#ordering/order.ts';
import { AllergyQuestion } from '#ordering/web/menu/allergy-question.tsx';
import { linesWithConflicts, useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { addBasketLine, clearBasket } from '#ordering/web/basket/basket-edits.ts';
import {
  hasBasketLines,
  type NewBasketLine,
  readBasket,
  setBasketFulfilment,
  useBasket,
} from '#ordering/web/basket/basket-store.ts';
import { hasLineQuestion, type BasketLineView, createBasketView } from '#ordering/web/basket/basket-view.ts';
import { saveDraftAddress, saveDraftChoices, readCheckoutDraft } from '#ordering/web/checkout/checkout-draft.ts';
import { basketMatchesOrder } from '#ordering/web/checkout/unpaid-order.ts';
import { formatMoney } from '#platform/money.ts';
import { navigate } from '#platform/web/navigation.tsx';
import { shopNow } from '#platform/web/clock.ts';
import { DAY, instantAt, wallTimeAt } from '#platform/zone-clock.ts';
import type { OfferEngine } from '#ordering/web/basket/use-offers.ts';
import { formFailureOf } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';
import { notify } from '#ui/web/notify.ts';
import { Sheet } from '#ui/web/sheet.tsx';
import { useShopLoader, useStore } from '#shop/web/shop.ts';
import type { Menu } from '#menu/menu-shapes.ts';
import type { Store } from '#store/contract.ts';

interface ReorderButtonProps {
  order: Order;
  /** Whether the page already shows how the dishes have changed, so that the button need not show it. */
  areChangesShown?: boolean;
}

/**
 * A button that puts an earlier order into the basket again, with its address, time of day and payment method. If
 * dishes have changed on the menu, the button first shows how.
 */
export function ReorderButton({ order, areChangesShown = false }: ReorderButtonProps) {
  const shop = useShopLoader();
  const store = useStore();
  const { user } = useSession();
  const [plan, setPlan] = useState<Reorder | null>(null);
  const [asked, setAsked] = useState<Reorder | null>(null);
  const [filled, setFilled] = useState<Reorder | null>(null);
  const [isBusy, setBusy] = useState(false);
  const avoided = useAvoidedAllergens();
  const concerned = (found: Reorder) => linesWithConflicts(found.added, avoided);
  const add = ({ lines, changes }: Reorder, isInstead = false) => {
    if (isInstead) clearBasket();
    for (const line of lines) addBasketLine(store.id, line);
    setBasketFulfilment({ fulfilment_type: order.fulfilment_type });
    if (order.address) {
      setBasketFulfilment({ postcode: order.address.postcode });
      saveDraftAddress(order.address);
    }
    // The customer's profile is newer than the order, so the order's allergy note is used only if the profile has no
    // allergies.
    if (!user?.allergies.length && order.allergy_note && !readCheckoutDraft()['allergy_note'])
      saveDraftChoices({ allergy_note: order.allergy_note });
    saveDraftChoices({ payment_method: order.payment_method, requested_for: sameTimeToday(order, store, shopNow()) });
    notify({ text: changes.every(canReorderLine) ? m.ordering_again_added() : m.ordering_again_added_rest() });
    navigate('/checkout');
  };
  const ask = (found: Reorder) => {
    setPlan(null);
    if (concerned(found).length > 0) setAsked(found);
    else fill(found);
  };
  /**
   * Adds the order's dishes to the basket. If the basket has dishes that the customer may have forgotten, asks first.
   */
  const fill = (found: Reorder) => {
    setAsked(null);
    if (hasBasketLines(readBasket())) setFilled(found);
    else add(found);
  };
  const start = async () => {
    if (isBusy) return;
    // An order that expired unpaid is still in the basket, unless the customer has changed the basket.
    if (isExpired(order.status) && basketMatchesOrder(order)) return navigate('/checkout');
    setBusy(true);
    try {
      const { menus } = await shop.load();
      const found = planReorder(order, store, menus, new Date(shopNow()));
      if (found.changes.length === 0 || areChangesShown) ask(found);
      else setPlan(found);
    } catch (error) {
      notify({ text: formFailureOf(error).message ?? m.platform_internal() });
    }
    setBusy(false);
  };
  return (
    <>
      <button type="button" className="btn btn-primary" aria-disabled={isBusy} onClick={() => void start()}>
        <Icon name="basket" />
        {m.ordering_again()}
        <span className="sr-only"> {m.ordering_order_number({ number: order.number })}</span>
      </button>
      {plan && <Changes plan={plan} currency={store.currency} onAdd={() => ask(plan)} onClose={() => setPlan(null)} />}
      {filled && (
        <FilledBasket onAdd={() => add(filled)} onInstead={() => add(filled, true)} onClose={() => setFilled(null)} />
      )}
      {asked && (
        <AllergyQuestion
          title={m.ordering_allergy_again_title()}
          avoided={avoided}
          dishes={concerned(asked)}
          yes={m.ordering_allergy_again()}
          no={m.ordering_allergy_back()}
          onYes={() => fill(asked)}
          onNo={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface FilledBasketProps {
  onAdd: () => void;
  onInstead: () => void;
  onClose: () => void;
}

function FilledBasket({ onAdd, onInstead, onClose }: FilledBasketProps) {
  const dishes = useBasket().lines;
  const names = dishes.map(({ quantity, name }) => (quantity > 1 ? `${quantity} × ${name}` : name));
  return (
    <Sheet labelledBy="again-filled-title" onClose={onClose}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="again-filled-title" className="text-2xl">
          {m.ordering_again_filled()}
        </h2>
        <ul className="grid gap-1">
          {names.map((name, place) => (
            <li key={dishes[place]?.key}>{name}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn btn-primary" onClick={onInstead}>
            {m.ordering_again_instead()}
          </button>
          <button type="button" className="btn btn-quiet" onClick={onAdd}>
            {m.ordering_again_add_both()}
          </button>
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            {m.ordering_again_leave()}
          </button>
        </div>
      </div>
    </Sheet>
  );
}

interface ChangesProps {
  plan: Reorder;
  currency: string;
  onAdd: () => void;
  onClose: () => void;
}

function Changes({ plan: { lines, changes }, currency, onAdd, onClose }: ChangesProps) {
  return (
    <Sheet labelledBy="again-title" onClose={onClose}>
      <div className="grid gap-5 overflow-y-auto p-6">
        <h2 id="again-title" className="text-2xl">
          {m.ordering_again_changed()}
        </h2>
        <ul className="grid gap-2">
          {changes.map((view) => (
            <li key={view.line.key} className="num grid gap-1 rounded-box bg-warn-soft px-4 py-3">
              <span className="font-semibold">{view.line.name}</span>
              {lineChangeWords(view, currency).map((words) => (
                <span key={words}>{words}</span>
              ))}
            </li>
          ))}
        </ul>
        {lines.length === 0 && <p>{m.ordering_again_nothing()}</p>}
        <div className="flex flex-wrap gap-3">
          {lines.length > 0 && (
            <button type="button" className="btn btn-primary" onClick={onAdd}>
              {changes.every(canReorderLine) ? m.ordering_again_add() : m.ordering_again_add_rest()}
            </button>
          )}
          <button type="button" className="btn btn-quiet" onClick={onClose}>
            {m.ordering_again_leave()}
          </button>
        </div>
      </div>
    </Sheet>
  );
}

/**
 * Returns today's instant with the time of day for which an order was scheduled. Returns an empty text if that has
 * passed, and for an unscheduled order.
 */
export function sameTimeToday(
  { requested_for: requestedFor }: Pick<Order, 'requested_for'>,
  { timezone }: Pick<Store, 'timezone'>,
  now: number,
): string {
  if (requestedFor === null) return '';
  const [wall, wallNow] = [wallTimeAt(timezone, Date.parse(requestedFor)), wallTimeAt(timezone, now)];
  const at = instantAt(timezone, wallNow - (wallNow % DAY) + (wall % DAY));
  return at > now ? new Date(at).toISOString() : '';
}

export function lineChangeWords({ now, changedFrom, problems }: BasketLineView, currency: string): string[] {
  if (!now) return [m.ordering_again_gone()];
  const words = problems.map(({ message }) => message);
  if (changedFrom === null) return words;
  const [before, after] = [formatMoney(changedFrom, currency), formatMoney(now.unit_price, currency)];
  return [m.ordering_basket_price_was({ before, after }), ...words];
}

/** `lineChangeWords` in one text, which names the dish once. */
export function changeSentence(view: BasketLineView, currency: string): string {
  const words = lineChangeWords(view, currency).join(' · ');
  const { name } = view.line;
  return words.includes(name) ? words : `${name}: ${words}`;
}

interface Reorder {
  lines: readonly NewBasketLine[];
  /**
   * The lines about which the customer must know: a higher price, a missing option, or a dish that is gone or sold out.
   */
  changes: readonly BasketLineView[];
  /** `lines` with the current menu's data. */
  added: readonly BasketLineView[];
  /** The price of `lines` today, in minor units; null if there are no lines. */
  total: number | null;
}

type EarlierOrder = Pick<Order, 'lines'> & Partial<Pick<Order, 'fulfilment_type' | 'address'>>;

export function planReorder(
  order: EarlierOrder,
  store: Store,
  menus: readonly Menu[],
  now: Date,
  offers: OfferEngine | null = null,
): Reorder {
  const lines = order.lines.map((line) => ({
    key: line.id,
    item_id: line.item_id,
    name: line.name,
    quantity: line.quantity,
    note: line.note,
    options: line.options.map(({ option_group_id, option_id, quantity }) => ({ option_group_id, option_id, quantity })),
    seen_price: line.unit_price,
  }));
  const held = {
    session: '',
    store_id: store.id,
    fulfilment_type: order.fulfilment_type ?? null,
    postcode: order.address?.postcode ?? '',
  };
  const views = createBasketView(store, menus, { ...held, lines }, now).lines;
  const added = views.filter(canReorderLine);
  const kept = added.map((view) => ({ ...toLine(view), key: view.line.key }));
  return {
    lines: added.map(toLine),
    added,
    total: createBasketView(store, menus, { ...held, lines: kept }, now, offers).quote?.total ?? null,
    changes: views.filter(hasLineQuestion),
  };
}

/**
 * Whether the line's dish is on the menu and not sold out. Missing choices do not matter, because the customer can
 * replace them in the basket.
 */
export function canReorderLine({ now, problems }: BasketLineView): boolean {
  return now !== null && !problems.some(({ code }) => code === 'item_sold_out');
}

function toLine({ line: { key: _key, ...line }, now }: BasketLineView): NewBasketLine {
  if (!now) return line;
  const options = now.selected.map(({ group, option, quantity }) => ({
    option_group_id: group.id,
    option_id: option.id,
    quantity,
  }));
  // An earlier price that was higher is stored, so that the basket shows both prices.
  return { ...line, name: now.name, options, seen_price: Math.max(line.seen_price, now.unit_price) };
}
