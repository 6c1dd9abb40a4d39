import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import {
  type DishEdit,
  type DraftAnswers,
  type DraftDish,
  dishKey,
  applyDishEdit,
  canConfirm,
  filterBulkConfirmableDishes,
  type MenuDraft,
  modifierSetsWithoutOptions,
} from '#menu/import/draft.ts';
import classes from '#menu/web/import/import.module.css';
import { MoneyField } from '#ui/web/office/money-field.tsx';

interface DoubtsProps {
  draft: MenuDraft;
  answers: DraftAnswers;
  currency: string;
  onAnswer: (answers: DraftAnswers) => void;
}

const maxShown = 10;

export function DoubtfulDishes({ draft, answers, currency, onAnswer }: DoubtsProps) {
  const open = draft.dishes.filter((dish) => dish.doubts.length > 0 && !answers.confirmed.includes(dishKey(dish)));
  if (open.length === 0) return null;
  const shown = open.slice(0, maxShown);
  const ready = filterBulkConfirmableDishes(shown, draft, answers);
  const confirm = (dishes: readonly DraftDish[]) =>
    onAnswer({ ...answers, confirmed: [...answers.confirmed, ...dishes.map(dishKey)] });
  return (
    <section className={classes.question}>
      <h3>{m.menu_import_doubts_title({ count: open.length })}</h3>
      <p>{m.menu_import_doubts_hint()}</p>
      <ul className={classes.doubts}>
        {shown.map((dish) => (
          <DoubtfulDish
            key={dishKey(dish)}
            dish={dish}
            edited={applyDishEdit(dish, answers)}
            canConfirm={canConfirm(dish, draft, answers)}
            currency={currency}
            onEdit={(edit) => {
              const key = dishKey(dish);
              onAnswer({ ...answers, edits: { ...answers.edits, [key]: { ...answers.edits[key], ...edit } } });
            }}
            onConfirm={() => confirm([dish])}
          />
        ))}
      </ul>
      {ready.length > 1 && (
        <Button onClick={() => confirm(ready)}>{m.menu_import_doubts_all({ count: ready.length })}</Button>
      )}
    </section>
  );
}

interface DoubtProps {
  dish: DraftDish;
  edited: DraftDish;
  canConfirm: boolean;
  currency: string;
  onEdit: (edit: DishEdit) => void;
  onConfirm: () => void;
}

function DoubtfulDish({ dish, edited, canConfirm: isReady, currency, onEdit, onConfirm }: DoubtProps) {
  const [name, setName] = useState(edited.name);
  return (
    <li>
      <p className={classes.hint}>{m.menu_import_doubts_source({ text: dish.text.slice(0, 300) })}</p>
      {dish.doubtReason && <p>{dish.doubtReason}</p>}
      <div className={classes.fields}>
        <TextInput
          label={m.menu_import_column_name()}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => onEdit({ name: name.trim() })}
        />
        {edited.sizes.length === 0 ? (
          <MoneyField
            label={m.menu_import_price()}
            value={edited.price}
            empty={null}
            currency={currency}
            onChange={(price) => onEdit({ price })}
          />
        ) : (
          edited.sizes.map((size, at) => (
            <MoneyField
              key={size.name}
              label={m.menu_import_size_price({ name: size.name })}
              value={size.price}
              empty={null}
              currency={currency}
              onChange={(price) =>
                onEdit({ sizes: edited.sizes.map((one, index) => (index === at ? { ...one, price } : one)) })
              }
            />
          ))
        )}
        <Button variant="default" disabled={!isReady} onClick={onConfirm}>
          {m.menu_import_doubts_right()}
        </Button>
      </div>
    </li>
  );
}

interface CategoryProps {
  count: number;
  category: string;
  known: readonly string[];
  onCategory: (category: string) => void;
}

export function MissingCategoryField({ count, category, known, onCategory }: CategoryProps) {
  const [typed, setTyped] = useState(category);
  if (count === 0) return null;
  return (
    <section className={classes.question}>
      <form
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          onCategory(typed.trim());
        }}
      >
        <TextInput
          label={m.menu_import_category_title({ count })}
          description={m.menu_import_category_hint()}
          value={typed}
          maxLength={80}
          list="import-categories"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <datalist id="import-categories">
          {known.map((name) => (
            <option key={name} value={name} aria-label={name} />
          ))}
        </datalist>
        <Button type="submit" variant="default" disabled={typed.trim() === category}>
          {m.menu_import_category_use()}
        </Button>
      </form>
    </section>
  );
}

/**
 * Names the extras, modifiers and products other than food that are not imported. Counts the unrecognised lines and
 * shows examples of them.
 */
export function LeftOutLines({ draft }: { draft: MenuDraft }) {
  const { extras, notFood, unread } = draft;
  return (
    <>
      {modifierSetsWithoutOptions(draft).map(({ name, count }) => (
        <p key={name} className={classes.hint}>
          {m.menu_import_modifiers({ name, count })}
        </p>
      ))}
      {extras && <p className={classes.hint}>{m.menu_import_extras({ lines: extras.join(' · ') })}</p>}
      {notFood && <p className={classes.hint}>{m.menu_import_not_food({ names: notFood.join(', ') })}</p>}
      {unread && (
        <p className={classes.hint}>
          {m.menu_import_unread({ count: unread.count, lines: unread.examples.join(' · ') })}
        </p>
      )}
    </>
  );
}
