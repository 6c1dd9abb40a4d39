import { type ReactNode, startTransition, useDeferredValue, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { Item } from '#menu/menu-shapes.ts';
import type { AllergenCode } from '#database/page-values.ts';
import { type AllergenConflict, dishConflicts } from '#menu/allergen-conflicts.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import type { PriceByOffer } from '#ordering/offers/find-discounts.ts';
import { everyOrderFeesWords } from '#ordering/fee-words.ts';
import { useOfferedPrices, useOfferEngine } from '#ordering/web/basket/use-offers.ts';
import { DishPrice } from '#ordering/web/menu/dish-price.tsx';
import { dishAfterChoices, dishAllergens } from '#menu/dish-allergens.ts';
import { DishPicture } from '#menu/web/dish-picture.tsx';
import { ConflictMarks, DishMarks } from '#menu/web/dish-marks.tsx';
import { toggleFavouriteDish, useFavouriteDishes } from '#ordering/web/menu/favourite-dishes.ts';
import { useAvoidedAllergens } from '#ordering/web/menu/avoided-allergens.ts';
import { dishAllergenWords } from '#menu/allergen-words.ts';
import { OptionGroupField } from '#ordering/web/menu/option-group-field.tsx';
import { type DishChoiceState, useDishChoices } from '#ordering/web/menu/use-choices.ts';
import type { IndexedItem } from '#menu/menu-index.ts';
import { announceBasketChange } from '#ordering/web/basket/lazy-basket.tsx';
import { addBasketLine, replaceBasketLine } from '#ordering/web/basket/basket-edits.ts';
import type { StoredLine } from '#ordering/web/basket/basket-store.ts';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';
import { TextAreaField } from '#ui/web/field.tsx';
import { Icon } from '#ui/web/icon.tsx';
import { Sheet } from '#ui/web/sheet.tsx';
import type { Store } from '#store/contract.ts';
import type { PublicOffer } from '#store/offer-shapes.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { AllergyQuestion } from '#ordering/web/menu/allergy-question.tsx';
import { canPlaceOrder } from '#store/web/fulfilment.ts';
import { NoOrdersNotice } from '#store/web/shop-parts.tsx';
import { Stepper } from '#ui/web/stepper.tsx';

interface ItemSheetProps {
  store: Store;
  item: IndexedItem;
  /** The basket's line that is being changed; undefined for a new line. */
  line: StoredLine | undefined;
  onClose: () => void;
}

/** A dish with its choices and its price. If choices are missing, its button scrolls to them. */
export function ItemSheet({ store, item: indexed, line, onClose }: ItemSheetProps) {
  const { item } = indexed;
  const now = useNow();
  useMenuNameAfter(item.name, store.name);
  const choices = useDishChoices(indexed, line);
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [note, setNote] = useState(line?.note ?? '');
  const [isTried, setTried] = useState(false);
  const avoided = useAvoidedAllergens();
  const body = useRef<HTMLDivElement>(null);
  // An option's tick renders at once. The other parts that depend on the choices render in the next frame, from these
  // deferred choices.
  const settled = useDeferredValue(choices);
  const soldOut = isDishSoldOut(item, now);
  const { offered, total } = useSheetPrice(store, item, settled, quantity);
  // The conflicts use the choices that are not deferred, so that the question before adding includes the last tick.
  const conflicts = dishConflicts(item, avoided, choices.selected);
  const add = () => {
    take({ store, item, line, quantity, note, choices });
    onClose();
  };
  const canAdd = () => {
    const missing = choices.groups.find((group) => choices.problemOf(group));
    if (!missing) return true;
    setTried(true);
    leadTo(body.current, missing.id);
    return false;
  };
  return (
    <Sheet labelledBy="item-name" onClose={onClose}>
      <button
        type="button"
        aria-label={m.platform_close()}
        className="absolute top-3 right-3 z-10 grid size-11 place-items-center rounded-full bg-surface text-ink shadow-lift"
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      <div ref={body} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {item.image && (
          <DishPicture
            src={item.image}
            place="sheet"
            isFirst
            sizes="(min-width: 40rem) 36rem, 100vw"
            className="aspect-[16/9] max-h-[38dvh] w-full sm:aspect-[2/1]"
          />
        )}
        <div className="grid grid-cols-1 gap-6 p-5 sm:p-6">
          <DishFacts store={store} item={item} offered={offered} selected={settled.selected} />
          <DishLinks item={item} shopName={store.name} />
          <Groups choices={choices} settled={settled} currency={store.currency} avoided={avoided} isTried={isTried} />
          {!soldOut && (
            <TextAreaField
              name="item-note"
              label={m.menu_note()}
              optional={m.platform_optional()}
              hint={m.menu_note_hint()}
              maxLength={200}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
          )}
        </div>
      </div>
      <SheetFoot
        store={store}
        item={item}
        conflicts={conflicts}
        avoided={avoided}
        quantity={quantity}
        onQuantity={setQuantity}
        canAdd={canAdd}
        onAdd={add}
      >
        {line ? m.menu_update({ total }) : m.menu_add({ total })}
      </SheetFoot>
    </Sheet>
  );
}

function useSheetPrice(store: Store, item: Item, { unitPrice, selected }: DishChoiceState, quantity: number) {
  const offered = useOfferedPrices()?.get(item.id);
  const piece = unitPrice - (offered?.savingWith(selected) ?? 0);
  return { offered, total: formatMoney(piece * quantity, store.currency) };
}

interface Taken {
  store: Store;
  item: Item;
  line: StoredLine | undefined;
  quantity: number;
  note: string;
  choices: DishChoiceState;
}

function take({ store, item, line, quantity, note, choices }: Taken): void {
  const chosen = {
    item_id: item.id,
    name: item.name,
    quantity,
    note: note.trim(),
    options: choices.chosen,
    seen_price: choices.unitPrice,
  };
  if (line) replaceBasketLine(line.key, chosen);
  else {
    addBasketLine(store.id, chosen);
    announceBasketChange(m.ordering_basket_added({ dish: item.name, count: quantity }));
  }
}

interface GroupsProps {
  choices: DishChoiceState;
  /** `choices`, deferred by a frame. */
  settled: DishChoiceState;
  currency: string;
  avoided: readonly AllergenCode[];
  isTried: boolean;
}

function Groups({ choices, settled, currency, avoided, isTried }: GroupsProps) {
  const shownCount = useFirstFew(settled.groups.length);
  return settled.groups.slice(0, shownCount).map((group) => {
    const problem = choices.problemOf(group);
    return (
      <OptionGroupField
        key={group.id}
        group={group}
        dish={choices.dish}
        counts={(group.options ?? []).map((option) => choices.countOf(group, option.id)).join()}
        isMet={problem === null}
        onChange={choices.set}
        currency={currency}
        avoided={avoided}
        problem={isTried ? problem : null}
      />
    );
  });
}

interface DishFactsProps {
  store: Store;
  item: Item;
  offered: PriceByOffer | undefined;
  selected: DishChoiceState['selected'];
}

function DishFacts({ store, item, offered, selected }: DishFactsProps) {
  const fees = everyOrderFeesWords(store);
  const offer = useOfferSentence(offered?.offer, store);
  const allergens = dishAllergens(dishAfterChoices(item, selected));
  return (
    <>
      <div className={`grid gap-2 ${item.image ? '' : 'pr-12'}`}>
        <h2 id="item-name" className="text-3xl">
          {item.name}
        </h2>
        <p className="num text-lg font-semibold">
          <DishPrice item={item} currency={store.currency} offered={offered} />
        </p>
        <p className="text-sm text-ink-soft empty:hidden">{offer}</p>
        {fees && <p className="num text-sm text-ink-soft">{fees}</p>}
        {item.description && <p className="text-pretty">{item.description}</p>}
        <p className="flex flex-wrap gap-x-4 gap-y-1 empty:hidden">
          <DishMarks item={item} />
        </p>
      </div>
      <p className="flex gap-2.5 rounded-box bg-sunken p-3.5 text-[0.9375rem]">
        <Icon name="info" className="mt-0.5 size-5 text-ink-soft" />
        <span aria-live="polite">
          {dishAllergenWords(allergens)}
          {!allergens && store.phone && <span className="num"> {store.phone}</span>}
        </span>
      </p>
    </>
  );
}

function useOfferSentence(offer: PublicOffer | undefined, store: Store): string | undefined {
  const conditions = useOfferEngine(store)?.offerConditionWords;
  if (!offer || !conditions) return offer?.name;
  const words = conditions(offer, store);
  return words.length === 0 ? offer.name : m.ordering_offer_price({ offer: offer.name, conditions: words.join(', ') });
}

const fewGroups = 1;

/**
 * The number of option groups to render. The first render has only one group, which fills the screen, so that the sheet
 * opens at once. All groups follow a frame later.
 */
function useFirstFew(count: number): number {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setOpen(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isOpen ? count : fewGroups;
}

/** Scrolls to a group with a missing choice and focuses it, so that pressing the button always has an effect. */
function leadTo(body: HTMLElement | null, groupId: string): void {
  const field = body?.querySelector<HTMLElement>(`[data-group="${groupId}"]`);
  field?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  field?.querySelector<HTMLElement>('input:enabled, button:enabled')?.focus({ preventScroll: true });
}

/**
 * Sets the menu's page title when a dish's sheet closes, because a link to a dish opens the page with the dish's title.
 */
function useMenuNameAfter(dish: string, shop: string): void {
  useEffect(
    () => () => {
      if (document.title === `${dish} · ${shop}`) document.title = `${m.menu_title()} · ${shop}`;
    },
    [dish, shop],
  );
}

function DishLinks({ item, shopName }: { item: { id: string; name: string }; shopName: string }) {
  const isFavourite = useFavouriteDishes().includes(item.id);
  return (
    <div className="flex flex-wrap gap-x-6">
      <button
        type="button"
        className="link min-h-11"
        aria-pressed={isFavourite}
        onClick={() => toggleFavouriteDish(item.id)}
      >
        <span aria-hidden="true">{isFavourite ? '♥ ' : '♡ '}</span>
        {m.menu_favourite()}
      </button>
      <ShareDish item={item} shopName={shopName} />
    </div>
  );
}

function ShareDish({ item, shopName }: { item: { id: string; name: string }; shopName: string }) {
  const { app, share } = nativeShell();
  if (!app && !('share' in navigator)) return null;
  const url = `${app?.shop ?? location.origin}/menu?item=${item.id}`;
  return (
    <button
      type="button"
      className="link min-h-11 justify-self-start"
      onClick={() => void share({ title: item.name, text: `${item.name} · ${shopName}`, url })}
    >
      {m.menu_share()}
    </button>
  );
}

interface SheetFootProps {
  store: Store;
  item: Item;
  conflicts: AllergenConflict[];
  avoided: readonly AllergenCode[];
  quantity: number;
  onQuantity: (quantity: number) => void;
  /** Whether every required choice was made. If not, scrolls to the first missing one. */
  canAdd: () => boolean;
  onAdd: () => void;
  children: ReactNode;
}

/** The quantity, and the button that adds the dish. If the dish has avoided allergens, the button asks first. */
function SheetFoot(props: SheetFootProps) {
  const { store, item, conflicts, avoided, quantity, onQuantity, canAdd, onAdd, children } = props;
  const now = useNow();
  const [needsAnswer, setAsked] = useState(false);
  const soldOut = isDishSoldOut(item, now);
  const isTaking = canPlaceOrder(store, now);
  const finish = () => {
    if (!canAdd()) return;
    if (conflicts.length > 0) setAsked(true);
    else onAdd();
  };
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
      {/* The warning is beside the button, so that a long dish does not hide it. */}
      <p role="status" className="w-full rounded-box bg-warn-soft px-3.5 py-2.5 empty:hidden">
        <ConflictMarks conflicts={conflicts} />
      </p>
      {soldOut && <p className="flex-1 py-2.5 text-center font-bold">{m.menu_sold_out_long()}</p>}
      {!soldOut && !isTaking && <NoOrdersNotice store={store} />}
      {!soldOut && isTaking && (
        <Take item={item} quantity={quantity} onQuantity={onQuantity} onTake={finish}>
          {children}
        </Take>
      )}
      {needsAnswer && (
        <AllergyQuestion
          title={m.ordering_allergy_add_title({ dish: item.name })}
          avoided={avoided}
          dishes={[{ key: item.id, name: item.name, conflicts }]}
          yes={m.ordering_allergy_add()}
          no={m.ordering_allergy_leave()}
          onYes={onAdd}
          onNo={() => setAsked(false)}
        />
      )}
    </div>
  );
}

interface TakeProps {
  item: Pick<Item, 'max_per_order'>;
  quantity: number;
  onQuantity: (quantity: number) => void;
  onTake: () => void;
  children: ReactNode;
}

function Take({ item, quantity, onQuantity, onTake, children }: TakeProps) {
  return (
    <>
      <Stepper
        label={m.menu_quantity()}
        value={quantity}
        min={1}
        max={item.max_per_order ?? 99}
        onChange={onQuantity}
      />
      <button type="button" className="btn btn-primary num min-h-12 flex-1 text-lg whitespace-nowrap" onClick={onTake}>
        {children}
      </button>
    </>
  );
}
