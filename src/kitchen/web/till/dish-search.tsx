import { TextInput } from '@mantine/core';
import { type Ref, useId, useState } from 'react';
import { findDishes } from '#kitchen/find-dishes.ts';
import classes from '#kitchen/web/till/dish-search.module.css';
import till from '#kitchen/web/till/till.module.css';
import { m } from '#messages';
import type { IndexedItem, MenuIndex } from '#menu/menu-index.ts';
import { isDishSoldOut } from '#menu/sold-out.ts';
import { startingPriceWords } from '#menu/starting-price.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';

interface SearchProps {
  ref: Ref<HTMLInputElement>;
  store: Store;
  index: MenuIndex;
  onPick: (dish: IndexedItem, quantity: number) => void;
}

const shownAtMost = 8;

/** Built for typing and Enter, dish after dish: the arrow keys choose among the results. */
export function DishSearch({ ref, store, index, onPick }: SearchProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { quantity, found } = findDishes(index, typed);
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
    <div className={till.stack}>
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
      <div id={`${id}-found`} role="listbox" aria-label={m.kitchen_till_found()} className={classes.found}>
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
              className={classes.dish}
              onClick={() => pick(dish)}
            >
              <span>
                {quantity > 1 && <strong>{m.kitchen_board_quantity({ quantity })} </strong>}
                {dish.item.name}
              </span>
              <span className={till.money}>
                {soldOut ? m.kitchen_till_sold_out() : startingPriceWords(dish.item, store.currency)}
              </span>
            </div>
          );
        })}
      </div>
      <p role="status" className={till.hint}>
        {isFruitless && m.kitchen_till_found_none({ text: typed })}
        {found.length > shown.length && m.kitchen_till_found_more({ count: found.length - shown.length })}
      </p>
    </div>
  );
}
