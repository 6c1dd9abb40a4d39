import { useMediaQuery } from '@mantine/hooks';
import panels from '#kitchen/web/board/panels.module.css';
import { DishChoices } from '#kitchen/web/till/dish-choices.tsx';
import { OrderForm } from '#kitchen/web/till/order-form.tsx';
import classes from '#kitchen/web/till/till.module.css';
import { useTill } from '#kitchen/web/till/use-till.ts';
import { m } from '#messages';
import type { Order } from '#ordering/order.ts';
import type { Store } from '#store/contract.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { QuantityCounter } from '#kitchen/web/till/quantity-counter.tsx';
import type { TillLine } from '#kitchen/web/till/till-draft.ts';
import tillLinesClasses from '#kitchen/web/till/till-lines.module.css';
import type { BasketQuote } from '#ordering/basket.ts';
import type { IndexedItem, MenuIndex } from '#menu/menu-index.ts';
import { normaliseSelections } from '#menu/option-rules.ts';
import { unitPrice } from '#ordering/pricing.ts';
import { formatMoney } from '#platform/money.ts';
import { TypedText } from '#ui/web/typed-text.tsx';
import { TextInput } from '@mantine/core';
import { type Ref, useId, useState } from 'react';
import dishSearchClasses from '#kitchen/web/till/dish-search.module.css';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import { shopNow } from '#platform/web/clock.ts';
import { searchableWordSuffixes, foldedWordsOf } from '#platform/fold-text.ts';

interface NewOrderProps {
  store: Store;
  onClose: () => void;
  onPlaced: (order: Order) => void;
}

export function NewOrderDialog({ store, onClose, onPlaced }: NewOrderProps) {
  const { search, ...till } = useTill(store, onPlaced);
  const { draft, change, choosing, menu, quote } = till;
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });

  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnEscape={choosing === null}
      closeOnClickOutside={false}
      size="68rem"
      fullScreen={isNarrow}
      title={m.kitchen_till_title()}
      classNames={{ title: panels.title ?? '' }}
    >
      {menu.data ? (
        <div className={classes.till}>
          <section className={classes.stack} aria-label={m.kitchen_till_dishes()}>
            {choosing ? (
              <DishChoices
                key={choosing.key ?? choosing.dish.item.id}
                store={store}
                dish={choosing.dish}
                line={choosing.line}
                isNew={choosing.key === null}
                onDone={till.finish}
                onBack={till.again}
              />
            ) : (
              <NewOrderDishSearch ref={search} store={store} index={menu.data} onPick={till.add} />
            )}
            <TillLines
              store={store}
              index={menu.data}
              lines={draft.lines}
              quote={quote}
              onLines={(lines) => change({ lines })}
              onChange={till.open}
            />
          </section>
          <OrderForm
            store={store}
            draft={draft}
            quote={quote}
            pricing={till.pricing}
            placing={till.placing}
            onChange={change}
            onClear={till.clear}
          />
        </div>
      ) : menu.error ? (
        <OfficeLoadFailure error={menu.error} onRetry={() => void menu.refetch()} />
      ) : (
        // While there is no field, this element takes the focus, because Enter would otherwise press the close button.
        <div tabIndex={-1} data-autofocus>
          <LoadingState />
        </div>
      )}
    </Dialog>
  );
}

interface LinesProps {
  store: Store;
  index: MenuIndex;
  lines: readonly TillLine[];
  quote: BasketQuote | undefined;
  onLines: (lines: readonly TillLine[]) => void;
  onChange: (line: TillLine) => void;
}

function TillLines({ store, index, lines, quote, onLines, onChange }: LinesProps) {
  if (lines.length === 0) return <p className={classes.hint}>{m.kitchen_till_empty()}</p>;
  const setQuantity = (line: TillLine, quantity: number): void => {
    onLines(
      quantity > 0
        ? lines.map((old) => (old === line ? { ...line, quantity } : old))
        : lines.filter((old) => old !== line),
    );
  };
  return (
    <ul className={tillLinesClasses.lines}>
      {lines.map((line, place) => {
        const dish = index.items.get(line.item_id);
        const name = dish?.item.name ?? m.kitchen_till_gone();
        const selected = dish ? normaliseSelections(dish, line.options).selected : [];
        const problems = quote?.problems.filter(
          ({ path }) => path.startsWith(`lines.${place}.`) || path === `lines.${place}`,
        );
        return (
          <li key={line.key}>
            <button type="button" className={tillLinesClasses.line} onClick={() => onChange(line)}>
              <span className="visually-hidden">{m.kitchen_till_edit()}: </span>
              <strong>{name}</strong>
              {selected.map(({ option, quantity }) => (
                <span key={option.id} className={classes.soft}>
                  {quantity > 1 ? m.kitchen_board_option_many({ quantity, name: option.name }) : option.name}
                </span>
              ))}
              {line.note && (
                <em>
                  <TypedText text={line.note} />
                </em>
              )}
            </button>
            <QuantityCounter
              label={name}
              value={line.quantity}
              least={0}
              onChange={(quantity) => setQuantity(line, quantity)}
            />
            <span className={`${classes.money} ${tillLinesClasses.price}`}>
              {dish && formatMoney(unitPrice(dish.item, selected) * line.quantity, store.currency)}
            </span>
            {problems?.map(({ code, message }) => (
              <p key={code} className={classes.problem}>
                {message}
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

interface SearchProps {
  ref: Ref<HTMLInputElement>;
  store: Store;
  index: MenuIndex;
  onPick: (dish: IndexedItem, quantity: number) => void;
}

const shownAtMost = 8;

/** The search field for dishes: typing and Enter adds one dish after another; arrow keys select a result. */
function NewOrderDishSearch({ ref, store, index, onPick }: SearchProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { quantity, found } = findTillDishes(index, typed);
  const shown = found.slice(0, shownAtMost);
  const active = Math.min(at, shown.length - 1);
  const isFruitless = typed.trim() !== '' && shown.length === 0;
  const pick = (dish: IndexedItem | undefined): void => {
    if (!dish || isDishSoldOut(dish.item, new Date(shopNow()))) return;
    setTyped('');
    setAt(0);
    onPick(dish, quantity);
  };
  return (
    <div className={classes.stack}>
      <TextInput
        ref={ref}
        data-autofocus
        label={m.kitchen_till_search()}
        description={m.kitchen_till_search_hint()}
        size="md"
        autoComplete="off"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-found`}
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') pick(shown[active]);
          else if (event.key === 'ArrowDown') setAt(Math.min(active + 1, shown.length - 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, active - 1));
          else return;
          event.preventDefault();
        }}
      />
      <div id={`${id}-found`} role="listbox" aria-label={m.kitchen_till_found()} className={dishSearchClasses.found}>
        {shown.map((dish, place) => {
          const soldOut = isDishSoldOut(dish.item, new Date(shopNow()));
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field's own keys choose in its list
            <div
              key={dish.item.id}
              id={`${id}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              aria-disabled={soldOut}
              className={dishSearchClasses.dish}
              onClick={() => pick(dish)}
            >
              <span>
                {quantity > 1 && <strong>{m.kitchen_board_quantity({ quantity })} </strong>}
                {dish.item.name}
              </span>
              <span className={classes.money}>
                {soldOut ? m.kitchen_till_sold_out() : startingPriceWords(dish.item, store.currency)}
              </span>
            </div>
          );
        })}
      </div>
      <p role="status" className={classes.hint}>
        {isFruitless && m.kitchen_till_found_none({ text: typed })}
        {found.length > shown.length && m.kitchen_till_found_more({ count: found.length - shown.length })}
      </p>
    </div>
  );
}

export interface DishSearch {
  /** The number before the dish's name: `2 chips` is 2; without a number 1. */
  quantity: number;
  found: readonly IndexedItem[];
}

const most = 99;

/**
 * Finds dishes for a search at the till, best first. Each search word must be the beginning of a word in the dish's
 * name or kitchen name. A number before the words is the quantity, unless a name matches all words with the number, as
 * in `12. Chow mein`.
 */
export function findTillDishes({ items }: MenuIndex, typed: string): DishSearch {
  const words = foldedWordsOf(typed);
  if (words.length === 0) return { quantity: 1, found: [] };
  const whole = ranked(items, words);
  const [first = ''] = words;
  const count = /^(\d{1,2})x?$/.exec(first)?.[1];
  const quantity = Number(count ?? 0);
  const rest = words.slice(1);
  if (whole.length > 0 || quantity < 1 || quantity > most || rest.length === 0) return { quantity: 1, found: whole };
  return { quantity, found: ranked(items, rest[0] === 'x' ? rest.slice(1) : rest) };
}

function ranked(items: MenuIndex['items'], words: readonly string[]): IndexedItem[] {
  const scored: { dish: IndexedItem; score: number }[] = [];
  for (const dish of items.values()) {
    const { name, kitchen_name: short } = dish.item;
    const score = Math.max(scoreOf(foldedWordsOf(name), words), short ? scoreOf(foldedWordsOf(short), words) : 0);
    if (score > 0) scored.push({ dish, score });
  }
  return scored.sort((a, b) => b.score - a.score).map(({ dish }) => dish);
}

/** A name's score for the words: 0 without a match, and higher for whole words and matches at its beginning. */
function scoreOf(name: readonly string[], words: readonly string[]): number {
  if (
    words.length === 0 ||
    !words.every((word) => name.some((part) => searchableWordSuffixes(part).some((end) => end.startsWith(word))))
  )
    return 0;
  const whole = words.filter((word) => name.includes(word)).length;
  return 1 + whole + (name[0]?.startsWith(words[0] ?? '') ? 2 : 0) + (whole === name.length ? 2 : 0);
}
