import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import type { AllergenCode } from '#database/page-values.ts';
import { joinAllergens } from '#menu/dish-allergens.ts';
import { allergenWords } from '#menu/allergen-words.ts';
import { ConflictMarks } from '#menu/web/dish-marks.tsx';
import { lineConflicts, useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { readBasket, setBasketFulfilment, useBasketPart, useStoredLine } from '#ordering/web/basket/basket-store.ts';
import type { BasketProblem, BasketQuote } from '#ordering/basket.ts';
import { lazyPart } from '#ui/web/lazy-part.ts';
import {
  type BasketLineView,
  type BasketView,
  isPriceHigher,
  basketPostcodeErrorWords,
} from '#ordering/web/basket/basket-view.ts';
import { formatMoney } from '#platform/money.ts';
import { fieldId } from '#ui/web/field.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { Stepper } from '#ui/web/stepper.tsx';
import { TypedText } from '#ui/web/typed-text.tsx';
import { createElement, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { acceptLinePrices, restoreBasketLine, setBasketLineQuantity } from '#ordering/web/basket/basket-edits.ts';
import { openSheet } from '#ordering/web/menu/menu-filter.ts';
import { Link, usePath } from '#platform/web/navigation.tsx';
import { notify } from '#ui/web/notify.ts';
import {
  deliveryZoneState,
  LostFreeDeliveryNotice,
  BasketAdvice,
  PriceParts,
  Total,
} from '#ordering/web/basket/totals.tsx';
import { EmptyBasket } from '#ordering/web/basket/empty-basket.tsx';
import { useNow } from '#platform/web/clock.ts';
import { normalisePostcode } from '#store/postcodes.ts';
import { AddressField } from '#store/web/address-field.tsx';
import { canPlaceOrder } from '#store/web/fulfilment.ts';
import { NoOrdersNotice } from '#store/web/shop-parts.tsx';

interface BasketLinesProps {
  view: BasketView;
  /**
   * Whether the lines are in the checkout's form. In the form each line's field name is its path in the request, so
   * that errors can link to it.
   */
  isInForm?: boolean;
  /** The person for whom the form shows the lines; null: the signed-in user. */
  person?: User | null;
  onAnswer?: () => void;
}

/**
 * The basket's lines. The customer can edit or remove each line and set its quantity; changes of the menu are shown as
 * questions.
 */
export function BasketLines({ view, isInForm = false, person = null, onAnswer }: BasketLinesProps) {
  const avoided = useAvoidedAllergens(person);
  return (
    <ul className="divide-y divide-line">
      {view.lines.map((line, place) => (
        <BasketRow
          key={line.line.key}
          id={isInForm ? fieldId(`lines.${place}`) : undefined}
          view={line}
          avoided={avoided}
          currency={view.store.currency}
          onAnswer={onAnswer}
        />
      ))}
    </ul>
  );
}

interface BasketRowProps {
  id: string | undefined;
  view: BasketLineView;
  avoided: readonly AllergenCode[];
  currency: string;
  onAnswer: (() => void) | undefined;
}

function BasketRow({ id, view, avoided, currency, onAnswer }: BasketRowProps) {
  const { line, now, problems } = view;
  const quantity = useStoredLine(line.key)?.quantity ?? 0;
  const isCounted = now && !problems.some(({ code }) => code === 'item_sold_out');
  const name = now?.name ?? line.name;
  const edits = useLineEdits(view, onAnswer);
  const { row, edit, remove, change } = edits;
  return (
    <li ref={row} id={id} tabIndex={-1} className="grid gap-2 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3">
        <div className="flex-[1_1_8rem]">
          <p className="font-semibold">{name}</p>
          {now && <LineDetails view={view} />}
          <ConflictMarks conflicts={lineConflicts(view, avoided)} />
          {line.note && (
            <p className="text-sm text-ink-soft italic">
              “<TypedText text={line.note} />”
            </p>
          )}
        </div>
        <p className="num ml-auto font-semibold whitespace-nowrap">
          {isCounted && formatMoney(now.unit_price * line.quantity, currency)}
        </p>
      </div>
      <LineQuestions view={view} currency={currency} edits={edits} />
      <div className="-ml-2 flex flex-wrap items-center gap-1">
        {now && (
          <button
            type="button"
            className="flex min-h-11 items-center gap-1.5 rounded-full px-2 text-sm font-semibold text-accent-text hover:bg-accent-soft"
            onClick={edit}
          >
            <Icon name="edit" className="size-4" />
            {m.ordering_basket_edit()}
            <span className="sr-only"> {name}</span>
          </button>
        )}
        <button
          type="button"
          className="mr-auto grid size-11 place-items-center rounded-full text-ink-soft hover:bg-sunken hover:text-bad-text"
          aria-label={m.ordering_basket_remove({ name })}
          onClick={remove}
        >
          <Icon name="trash" />
        </button>
        {now && <Stepper label={name} size="small" value={quantity} min={0} max={99} onChange={change} />}
      </div>
    </li>
  );
}

function isAboutChoices({ code }: BasketProblem): boolean {
  return code.startsWith('option_');
}

function isGone({ code }: BasketProblem): boolean {
  return code === 'item_unknown' || code === 'item_sold_out' || code === 'menu_unavailable';
}

function Answer({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="btn btn-quiet num px-4 text-sm" onClick={onClick}>
      {children}
    </button>
  );
}

function LineDetails({ view: { now, line } }: { view: BasketLineView }) {
  if (!now) return null;
  const options = now.selected.map(({ option, quantity }) =>
    quantity > 1 ? `${quantity} × ${option.name}` : option.name,
  );
  const allergens = joinAllergens([now.allergens, ...now.selected.map(({ option }) => option.allergens)]);
  return (
    <>
      {options.length > 0 && <p className="text-sm text-ink-soft">{options.join(', ')}</p>}
      <p className="text-[0.8125rem] text-ink-soft" data-line={line.key}>
        {allergenWords(allergens)}
      </p>
    </>
  );
}

function Remark({ children }: { children: string }) {
  return (
    <p className="num flex gap-2 rounded-chip bg-warn-soft px-3 py-2 text-sm font-medium">
      <Icon name="warning" className="size-5 text-warn-text" />
      {children}
    </p>
  );
}

function PriceRemark({ view, before, currency }: { view: BasketLineView; before: number; currency: string }) {
  const prices = {
    before: formatMoney(before, currency),
    after: formatMoney(view.now?.unit_price ?? before, currency),
  };
  if (isPriceHigher(view)) return <Remark>{m.ordering_basket_price_was(prices)}</Remark>;
  return (
    <p className="num flex gap-2 rounded-chip bg-good-soft px-3 py-2 text-sm font-medium">
      <Icon name="check" className="size-5 text-good-text" />
      {m.ordering_basket_price_lower(prices)}
    </p>
  );
}

function LineQuestions({ view, currency, edits }: { view: BasketLineView; currency: string; edits: LineEdits }) {
  const { line, now, changedFrom, problems } = view;
  const { edit, remove, acceptPrice } = edits;
  const name = now?.name ?? line.name;
  return (
    <>
      {changedFrom !== null && now && <PriceRemark view={view} before={changedFrom} currency={currency} />}
      {problems.map((problem) => (
        <Remark key={problem.code + problem.path}>{problem.message}</Remark>
      ))}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {now && isPriceHigher(view) && problems.length === 0 && (
          <Answer onClick={() => acceptPrice(now.unit_price)}>
            {m.ordering_basket_price_accept({ price: formatMoney(now.unit_price, currency) })}
          </Answer>
        )}
        {now && problems.some(isAboutChoices) && <Answer onClick={edit}>{m.ordering_basket_choose_again()}</Answer>}
        {(!now || problems.some(isGone)) && <Answer onClick={remove}>{m.ordering_basket_remove({ name })}</Answer>}
      </div>
    </>
  );
}

/** The key of a removed line that is being restored and will take the focus. */
let restored: string | null = null;
/** A restored line may take the focus within this number of milliseconds. Even a slow phone shows the line sooner. */
const restoring = 1000;

/**
 * The edits of a line of the basket. Before an edit removes the focused element, another element is focused, so that
 * the focus does not move to the page's top.
 */
function useLineEdits({ line, now }: BasketLineView, onAnswer: (() => void) | undefined) {
  const row = useRef<HTMLLIElement>(null);
  const path = usePath();
  const name = now?.name ?? line.name;
  useLayoutEffect(() => {
    // A line may be rendered twice, beside the menu and in the basket's sheet. Only one of the two is visible.
    if (restored !== line.key || row.current?.getClientRects().length === 0) return;
    restored = null;
    focus(row.current);
  }, [line.key]);
  const remove = () => {
    const { lines, session } = readBasket();
    const place = lines.findIndex(({ key }) => key === line.key);
    const held = lines[place];
    if (!held) return;
    focus(elementAfter(row.current));
    setBasketLineQuantity(line.key, 0);
    onAnswer?.();
    const undo = () => {
      restored = line.key;
      restoreBasketLine(held, place, session);
      // If no basket has shown the line within `restoring`, the line no longer takes the focus.
      setTimeout(() => (restored = null), restoring);
    };
    notify({ text: m.ordering_basket_removed({ name }), action: { label: m.platform_undo(), run: undo } });
  };
  const acceptPrice = (price: number) => {
    focus(row.current);
    acceptLinePrices(new Map([[line.key, { name, price }]]));
    onAnswer?.();
  };
  const change = (quantity: number) => (quantity < 1 ? remove() : setBasketLineQuantity(line.key, quantity));
  return { row, edit: () => openSheet(`line=${line.key}`, path), remove, acceptPrice, change };
}

type LineEdits = ReturnType<typeof useLineEdits>;

/** The element to focus after a line is removed: the next line, the line before, or the basket around the lines. */
function elementAfter(row: Element | null): Element | null | undefined {
  return row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest('dialog, aside, main');
}

/**
 * Focuses an element. Callers do so before they remove the focused element, or a screen reader would start at the top
 * of the page.
 */
function focus(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

const codeRow = lazyPart(
  async () => (await import('#ordering/web/basket/code-row.tsx')).OfferCodeRow,
  () => null,
);

export function LazyOfferCodeRow(props: { view: BasketView; price: BasketQuote }) {
  return <Suspense fallback={<div className="min-h-11" />}>{createElement(codeRow(), props)}</Suspense>;
}

/** Asks for the postcode of a delivery, so that fee, time and minimum are right while the customer chooses. */
function MissingPostcode({ view }: { view: BasketView }) {
  const zone = deliveryZoneState(view);
  const [isAsked, setAsked] = useState(false);
  const stored = useBasketPart(({ postcode }) => postcode);
  const [typed, setTyped] = useState(stored);
  const [isLeft, setLeft] = useState(true);
  // Once the field is shown, it stays until the basket is closed, because the customer may still type in it.
  if (!isAsked && (zone === 'open' || zone === 'refused')) setAsked(true);
  if (!isAsked || zone === 'none') return null;
  // Another tab may change the stored postcode, which the basket is priced with.
  const text = (normalisePostcode(typed) ?? typed) === stored ? typed : stored;
  const fault = basketPostcodeErrorWords(view, isLeft);
  return (
    <div className="border-b border-line pt-1 pb-3 [&_input]:max-w-52">
      <AddressField
        name="postcode"
        value={text}
        onChange={({ target: { value } }) => {
          setTyped(value);
          setLeft(false);
          setBasketFulfilment({ postcode: normalisePostcode(value) ?? value });
        }}
        onBlur={() => {
          setTyped(stored);
          setLeft(true);
        }}
        errors={fault === null ? {} : { 'address.postcode': [fault] }}
      />
    </div>
  );
}

/**
 * The basket beside the menu or in its sheet. On a small screen the dishes need the space, so only the total and the
 * next step stay below them.
 */
export function BasketContent({ view, titleId }: { view: BasketView; titleId: string }) {
  const { quote, store } = view;
  const now = useNow();
  const delivery = deliveryZoneState(view);
  return (
    <>
      <div className="flex items-center gap-3 px-5 pt-5 pb-1">
        <h2 id={titleId} className="text-2xl">
          {m.ordering_basket()}
        </h2>
      </div>
      {quote ? (
        <>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5">
            <MissingPostcode view={view} />
            <BasketLines view={view} />
            <div className="grid gap-4 border-t border-line py-4">
              <BasketAdvice view={view} problems={view.blocking} />
              <LostFreeDeliveryNotice view={view} price={quote} />
              <LazyOfferCodeRow view={view} price={quote} />
              <PriceParts price={quote} currency={store.currency} delivery={delivery} offerWords={view.offerWords} />
            </div>
          </div>
          <div className="grid gap-3 px-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
            <Total price={quote} currency={store.currency} delivery={delivery} />
            {canPlaceOrder(store, now) ? (
              <Link href="/checkout" className="btn btn-primary num min-h-13 text-lg">
                {m.ordering_to_checkout({ total: formatMoney(quote.total, store.currency) })}
              </Link>
            ) : (
              <NoOrdersNotice store={store} />
            )}
          </div>
        </>
      ) : (
        <EmptyBasket />
      )}
    </>
  );
}
