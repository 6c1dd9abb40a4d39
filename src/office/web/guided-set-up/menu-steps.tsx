import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FocusEvent, useState } from 'react';
import { v7 as newId } from 'uuid';
import { Link } from 'wouter';
import { allergenCodes, type AllergenCode } from '#database/page-values.ts';
import { allergenName } from '#menu/allergen-words.ts';
import { consistentAllergenFields } from '#menu/allergen-answers.ts';
import type { MenuParts } from '#menu/fields.ts';
import { confirmAndDeletePart } from '#menu/web/editor/deletion.tsx';
import { makeGuardedChangeOperation, type ItemPart } from '#menu/operations/menu-operation.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { MenuEditingProvider, refetchMenuParts, SavingStateToolbar } from '#menu/web/editor/session/menu-editing.tsx';
import { m } from '#messages';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { SetUpStepFrame } from '#office/web/guided-set-up/step-frame.tsx';
import { pageLinkWithReturn, useOnboarding } from '#office/web/guided-set-up/steps.ts';
import {
  isTyped,
  isUnsaved,
  newDishOperations,
  readTypedDishes,
  repeatedRows,
  shownRow,
  type TypedDish,
  changeTypedRow,
} from '#office/web/guided-set-up/typed-dishes.ts';
import { formatMoney } from '#platform/money.ts';
import { readStored, writeStored } from '#platform/web/stored-values.ts';
import manage from '#store/web/manage/manage.module.css';
import { Badge } from '#ui/web/office/office-page.tsx';

/** The step's rows, and the category that new dishes get. Unsaved rows are stored in this browser. */
interface MenuDraft {
  category: string;
  rows: readonly TypedDish[];
}

export function MenuStep() {
  const { draft } = useOnboarding();
  return (
    <MenuEditingProvider store={draft.store}>
      <TypedMenu />
    </MenuEditingProvider>
  );
}

const newRow = (): TypedDish => ({ id: newId(), name: '', price: '' });

function useMenuDraft(storeId: string, parts: MenuParts, currency: string) {
  const storageKey = `typed_dishes.${storeId}`;
  const saved = new Map(parts.items.map((item) => [item.id, item]));
  const [menu, setMenu] = useState<MenuDraft>(
    () =>
      // The cast is safe, because no other code writes this value.
      (readStored(storageKey) as MenuDraft | null) ?? {
        category: parts.categories.at(-1)?.name ?? m.office_setup_menu_category(),
        rows: [newRow(), newRow(), newRow()],
      },
  );
  return {
    category: menu.category,
    rows: menu.rows.map((row) => shownRow(row, saved, currency)),
    saved,
    change(part: Partial<MenuDraft>, added: readonly string[] = []): void {
      const { category, rows } = { ...menu, ...part };
      const unsaved = rows.filter((row) => isUnsaved(row, saved) && !added.includes(row.id));
      writeStored(storageKey, unsaved.length > 0 ? { category, rows: [...unsaved, newRow()] } : null);
      // If the last row has text, an empty row is added below it.
      setMenu({ category, rows: rows.slice(-1).some(isTyped) ? [...rows, newRow()] : rows });
    },
  };
}

/** The rows of the step. A row is saved as a dish when the focus leaves it. */
function useTypedMenu() {
  const { draft } = useOnboarding();
  const editing = useMenuEditing();
  const { parts, edit } = editing;
  const { id, currency } = draft.store;
  const { category, rows, saved, change } = useMenuDraft(id, parts, currency);
  const { dishes, faults } = readTypedDishes(rows, currency);
  const own = new Set(rows.map((row) => row.id));
  const others = parts.items.filter((item) => !own.has(item.id));
  const put = (next: TypedDish, oldId = next.id): void =>
    change({ rows: rows.map((row) => (row.id === oldId ? next : row)) });
  const add = (ids: readonly string[]): void => {
    // The row of a deleted dish gets a new id, because the menu refuses a deleted dish's id.
    const next = rows.map((row): TypedDish => {
      if (!ids.includes(row.id)) return row;
      return { ...row, id: row.isAdded ? newId() : row.id, isAdded: true };
    });
    const added = next.filter((_row, at) => ids.includes(rows[at]?.id ?? ''));
    const heading = category.trim() || m.office_setup_menu_category();
    const ready = readTypedDishes(added, currency).dishes;
    edit(m.office_setup_menu_added({ count: ready.length }), newDishOperations(parts, id, heading, ready));
    change(
      { rows: next },
      added.map((row) => row.id),
    );
  };
  const repeated = repeatedRows(rows, others);
  const leave = async (row: TypedDish): Promise<void> => {
    const item = saved.get(row.id);
    if (!item) {
      if (isTyped(row) && !faults.has(row.id) && !repeated.has(row.id)) add([row.id]);
      return;
    }
    if (!row.began) return;
    const { began, ...rest } = row;
    if (!isTyped(row)) {
      put(rest);
      if (await confirmAndDeletePart(editing, 'item', [row.id])) put(newRow(), row.id);
      return;
    }
    const dish = readTypedDishes([row], currency).dishes[0];
    if (!dish || faults.has(row.id)) return;
    const fields = {
      ...(dish.name !== began.name && { name: dish.name }),
      ...(dish.price !== began.price && { price: dish.price }),
    };
    if (Object.keys(fields).length > 0)
      edit(m.office_setup_dish_changed({ name: dish.name }), [makeGuardedChangeOperation('item', item, fields, began)]);
    put(rest);
  };
  return {
    category,
    rows,
    others,
    repeated,
    faults,
    change,
    add,
    leave,
    waiting: dishes.filter((dish) => !saved.has(dish.id)).map((dish) => dish.id),
    isUnsaved: rows.some((row) => isUnsaved(row, saved)),
    isMissing: dishes.length === 0 && parts.items.length === 0,
    type: (row: TypedDish, part: Partial<TypedDish>) => put(changeTypedRow(row, part, saved)),
  };
}

function TypedMenu() {
  const { draft, settle } = useOnboarding();
  const { parts } = useMenuEditing();
  const { id, currency } = draft.store;
  const menu = useTypedMenu();
  const { rows, others, repeated, faults, waiting, isMissing } = menu;
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setTried(true);
    if (faults.size > 0 || isMissing) return;
    if (waiting.length > 0) {
      // If another owner has added the same dish, this tap only shows the notice beside the row. The next tap adds the
      // dish nevertheless.
      setBusy(true);
      const fresh = await refetchMenuParts(id).catch(() => parts);
      setBusy(false);
      if ([...repeatedRows(rows, fresh.items)].some((row) => waiting.includes(row) && !repeated.has(row))) return;
      menu.add(waiting);
    }
    await settle('menu');
  };
  return (
    <SetUpStepFrame
      name="menu"
      onSubmit={save}
      isBusy={isBusy}
      isUnsaved={menu.isUnsaved}
      action={waiting.length > 0 ? m.office_setup_menu_add({ count: waiting.length }) : m.office_setup_go_on()}
    >
      {others.length > 0 && <DishesOnMenu dishes={others} currency={currency} />}
      <TextInput
        label={m.office_setup_menu_heading()}
        value={menu.category}
        maxLength={80}
        onChange={(event) => menu.change({ category: event.currentTarget.value })}
      />
      <div className={classes.dishes} role="group" aria-label={m.office_setup_menu()}>
        {rows.map((row, at) => (
          <DishRow
            key={row.id}
            row={row}
            number={at + 1}
            fault={isTried ? (isMissing && at === 0 ? 'name' : faults.get(row.id)) : undefined}
            currency={currency}
            isRepeated={repeated.has(row.id)}
            onChange={(part) => menu.type(row, part)}
            onLeave={() => void menu.leave(row)}
          />
        ))}
      </div>
      {parts.items.length > 0 && !menu.isUnsaved && <SavingStateToolbar />}
      <p>
        <Link href="/admin/import?from=set-up">{m.office_setup_menu_import()}</Link>
        {' · '}
        <Link href={pageLinkWithReturn('menu', '/admin/menuEditor')}>{m.office_page_menu_editor()}</Link>
      </p>
    </SetUpStepFrame>
  );
}

/** The length up to which the list of dishes is unfolded at first. */
const mostListed = 20;

/** The dishes on the menu that no row has, because another device, owner or import added them. */
function DishesOnMenu({ dishes, currency }: { dishes: readonly ItemPart[]; currency: string }) {
  return (
    <details className={classes.more} open={dishes.length <= mostListed}>
      <summary>{m.office_setup_menu_count({ count: dishes.length })}</summary>
      <ul className={classes.onMenu}>
        {dishes.map((dish) => (
          <li key={dish.id}>
            <span>{dish.name}</span>
            <span className="num">{formatMoney(dish.price, currency)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface RowProps {
  row: TypedDish;
  number: number;
  fault: 'name' | 'price' | undefined;
  isRepeated: boolean;
  currency: string;
  onChange: (part: Partial<TypedDish>) => void;
  onLeave: () => void;
}

function DishRow({ row, number, fault, isRepeated, currency, onChange, onLeave }: RowProps) {
  const group = {
    'data-row': row.id,
    onBlur: ({ relatedTarget: next }: FocusEvent) => {
      if (next instanceof HTMLElement && next.dataset['row'] === row.id) return;
      if (!(next instanceof HTMLButtonElement || next instanceof HTMLAnchorElement)) return onLeave();
      // The row is saved only after the click, because saving can shift the layout, and a button that moves under the
      // pointer gets no click. The submit button saves the row itself.
      if (next.type !== 'submit') addEventListener('click', onLeave, { once: true });
    },
  };
  return (
    <>
      <TextInput
        {...group}
        aria-label={m.office_setup_dish_name({ number })}
        placeholder={number === 1 ? m.office_setup_dish_example() : undefined}
        value={row.name}
        maxLength={120}
        description={isRepeated && m.office_setup_dish_twice()}
        inputWrapperOrder={['input', 'description', 'error']}
        error={fault === 'name' && m.office_setup_missing()}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        {...group}
        aria-label={m.office_setup_dish_price({ number })}
        placeholder={number === 1 ? formatMoney(950, currency) : undefined}
        inputMode="decimal"
        autoComplete="off"
        value={row.price}
        error={fault === 'price' && m.office_money_unreadable({ example: formatMoney(950, currency) })}
        onChange={(event) => onChange({ price: event.currentTarget.value })}
      />
    </>
  );
}

export function AllergensStep() {
  const { draft } = useOnboarding();
  return (
    <MenuEditingProvider store={draft.store}>
      <DishAllergens />
    </MenuEditingProvider>
  );
}

function DishAllergens() {
  const { settle } = useOnboarding();
  const { parts, edit } = useMenuEditing();
  const [opened, setOpened] = useState<string | null>(null);
  const [ticked, setTicked] = useState<ReadonlyMap<string, AllergenCode[]>>(new Map());
  const [isAsked, setAsked] = useState(false);
  // The dishes in menu order; those without a category come last.
  const inOrder = [...parts.categories.flatMap(({ item_ids: ids }) => ids), ...parts.items.map(({ id }) => id)];
  const items = [...new Set(inOrder)].flatMap((id) => parts.items.find((item) => item.id === id) ?? []);
  const unstated = items.filter(({ allergens }) => !allergens);
  const answersOf = (item: ItemPart): AllergenCode[] => ticked.get(item.id) ?? [...(item.allergens?.contains ?? [])];
  const unsaved = items.find(
    (item) => answersOf(item).toSorted().join() !== (item.allergens?.contains ?? []).toSorted().join(),
  );
  const tick = (id: string, contains: AllergenCode[]): void => setTicked(new Map(ticked).set(id, contains));
  const state = (item: ItemPart, contains: AllergenCode[]): void => {
    const fields = consistentAllergenFields({ allergens: { contains, may_contain: [] } });
    edit(m.office_setup_allergens_stated({ name: item.name }), [makeGuardedChangeOperation('item', item, fields)]);
    setTicked(new Map([...ticked].filter(([id]) => id !== item.id)));
    setOpened(unstated.find(({ id }) => id !== item.id)?.id ?? null);
  };
  const goOn = async (): Promise<void> => {
    if (!unsaved) return settle('allergens');
    setAsked(true);
    setOpened(unsaved.id);
  };
  return (
    <SetUpStepFrame
      name="allergens"
      onSubmit={goOn}
      canWait={!unsaved}
      failure={isAsked && unsaved ? m.office_setup_allergens_unsaved({ name: unsaved.name }) : null}
      action={unstated.length > 0 ? m.office_setup_allergens_ask({ count: unstated.length }) : m.office_setup_go_on()}
    >
      {items.length === 0 && (
        <p>
          {m.office_setup_allergens_no_dish()} <Link href="?step=menu">{m.office_setup_menu()}</Link>
        </p>
      )}
      <ul className={classes.allergens}>
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              aria-expanded={opened === item.id}
              onClick={() => setOpened(opened === item.id ? null : item.id)}
            >
              <span>{item.name}</span>
              <Badge tone={item.allergens ? 'good' : 'warn'}>
                {item.allergens ? m.office_setup_allergens_done() : m.office_setup_allergens_open()}
              </Badge>
            </button>
            {opened === item.id && (
              <DishAnswers
                item={item}
                contains={answersOf(item)}
                onTick={(contains) => tick(item.id, contains)}
                onState={(contains) => state(item, contains)}
              />
            )}
          </li>
        ))}
      </ul>
      <p className={manage.soft}>
        {m.office_setup_allergens_more()}{' '}
        <Link href={pageLinkWithReturn('allergens', '/admin/menuEditor')}>{m.office_page_menu_editor()}</Link>.
      </p>
      {items.length > 0 && <SavingStateToolbar />}
    </SetUpStepFrame>
  );
}

interface DishAnswersProps {
  item: ItemPart;
  contains: AllergenCode[];
  onTick: (contains: AllergenCode[]) => void;
  onState: (contains: AllergenCode[]) => void;
}

function DishAnswers({ item, contains, onTick, onState }: DishAnswersProps) {
  return (
    <Checkbox.Group
      label={m.office_setup_allergens_in({ name: item.name })}
      value={contains}
      onChange={(values) => onTick(allergenCodes.filter((code) => values.includes(code)))}
    >
      <div className={classes.days}>
        {allergenCodes.map((code) => (
          <Checkbox key={code} value={code} label={allergenName(code)} />
        ))}
      </div>
      <Button variant="default" mt="sm" onClick={() => onState(contains)}>
        {contains.length === 0
          ? m.office_setup_allergens_none()
          : m.office_setup_allergens_rest({ count: contains.length })}
      </Button>
    </Checkbox.Group>
  );
}
