import { Button, Textarea } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useId, useState } from 'react';
import type { TillLine } from '#kitchen/web/till/till-draft.ts';
import { QuantityCounter } from '#kitchen/web/till/quantity-counter.tsx';
import classes from '#kitchen/web/till/dish-choices.module.css';
import till from '#kitchen/web/till/till.module.css';
import { m } from '#messages';
import type { OptionGroup } from '#menu/menu-shapes.ts';
import { groupRuleWords } from '#menu/web/menu-words.ts';
import { optionPriceWords } from '#ordering/web/menu/option-price-words.ts';
import { type DishChoiceState, useDishChoices } from '#ordering/web/menu/use-choices.ts';
import type { IndexedItem } from '#menu/menu-index.ts';
import { isOptionSoldOut } from '#menu/sold-out.ts';
import { formatMoney } from '#platform/money.ts';
import { shopNow } from '#platform/web/clock.ts';
import type { Store } from '#store/contract.ts';

interface ChoicesProps {
  store: Store;
  dish: IndexedItem;
  line: Omit<TillLine, 'key'>;
  isNew: boolean;
  onDone: (line: Omit<TillLine, 'key'>) => void;
  onBack: () => void;
}

export function DishChoices({ store, dish, line, isNew, onDone, onBack }: ChoicesProps) {
  const choices = useDishChoices(dish, { options: line.options });
  const [quantity, setQuantity] = useState(line.quantity);
  const [note, setNote] = useState(line.note);
  const [isTried, setTried] = useState(false);
  useHotkeys([['Escape', onBack]], []);
  const finish = (): void => {
    setTried(true);
    if (choices.groups.some((group) => choices.problemOf(group) !== null)) return;
    onDone({ item_id: dish.item.id, quantity, note: note.trim(), options: choices.chosen });
  };
  return (
    <form
      className={`${till.stack} ${classes.choices}`}
      aria-label={dish.item.name}
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
    >
      <h3>{dish.item.name}</h3>
      {choices.groups.map((group, place) => (
        <Group
          key={group.id}
          group={group}
          choices={choices}
          store={store}
          isFirst={place === 0}
          problem={isTried ? choices.problemOf(group) : null}
        />
      ))}
      <Textarea
        label={m.kitchen_till_line_note()}
        autosize
        minRows={1}
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={`${till.row} ${classes.end}`}>
        <QuantityCounter label={dish.item.name} value={quantity} least={1} onChange={setQuantity} />
        <Button variant="default" onClick={onBack}>
          {m.kitchen_till_back()}
        </Button>
        <Button type="submit">
          {isNew
            ? m.kitchen_till_add({ amount: formatMoney(choices.unitPrice * quantity, store.currency) })
            : m.kitchen_till_change()}
        </Button>
      </div>
    </form>
  );
}

interface GroupProps {
  group: OptionGroup;
  choices: DishChoiceState;
  store: Store;
  isFirst: boolean;
  problem: string | null;
}

function Group({ group, choices, store, isFirst, problem }: GroupProps) {
  const id = useId();
  return (
    <fieldset className={classes.group} aria-describedby={`${id}-rule`}>
      <legend>{group.name}</legend>
      <p
        id={`${id}-rule`}
        className={till.hint}
        data-bad={problem !== null || undefined}
        role={problem ? 'alert' : undefined}
      >
        {problem ?? groupRuleWords(group)}
      </p>
      <div className={classes.options}>
        {(group.options ?? []).map((option, place) => {
          const count = choices.countOf(group, option.id);
          const isGone = isOptionSoldOut(option, choices.dish, new Date(shopNow()));
          const price = optionPriceWords(option, group, store.currency);
          const most = group.max_select > 1 ? group.max_per_option : 1;
          return (
            <button
              key={option.id}
              type="button"
              data-autofocus={(isFirst && place === 0) || undefined}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- after picking a dish, staff choose its options
              autoFocus={isFirst && place === 0}
              className={classes.option}
              aria-pressed={count > 0}
              disabled={isGone && count === 0}
              // Each tap adds one, up to the maximum; the next tap removes the option.
              onClick={() => choices.set(group, option.id, count >= most ? 0 : count + 1)}
            >
              {count > 1 && <strong>{m.kitchen_board_quantity({ quantity: count })} </strong>}
              {option.name}
              {price !== '' && <span className={till.soft}> {price}</span>}
              {isGone && <span className={till.soft}> {m.kitchen_till_sold_out()}</span>}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
