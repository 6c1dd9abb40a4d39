import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { v7 as newId } from 'uuid';
import { Link } from 'wouter';
import { allergenCodes, type AllergenCode } from '#database/page-values.ts';
import { allergenName } from '#menu/allergen-words.ts';
import { consistentAllergenFields } from '#menu/allergen-answers.ts';
import { guardedChangeOperation, type ItemPart } from '#menu/operations/menu-operation.ts';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { MenuEditing, refetchMenuParts, SavingState } from '#menu/web/editor/session/menu-editing.tsx';
import { m } from '#messages';
import classes from '#office/web/guided-set-up/guided-set-up.module.css';
import { SetUpStepFrame } from '#office/web/guided-set-up/step-frame.tsx';
import { pageLinkWithReturn, useOnboarding } from '#office/web/guided-set-up/steps.ts';
import {
  newDishOperations,
  readTypedDishes,
  repeatedRows,
  type TypedDish,
} from '#office/web/guided-set-up/typed-dishes.ts';
import { formatMoney } from '#platform/money.ts';
import { readStored, writeStored } from '#platform/web/stored-values.ts';
import manage from '#store/web/manage/manage.module.css';
import { Badge } from '#ui/web/office/office-page.tsx';

/** The dishes that are typed and not added yet, and their category's name. This browser stores them. */
interface MenuDraft {
  category: string;
  rows: readonly TypedDish[];
}

export function MenuStep() {
  const { draft } = useOnboarding();
  return (
    <MenuEditing store={draft.store}>
      <TypedMenu />
    </MenuEditing>
  );
}

const newRow = (): TypedDish => ({ id: newId(), name: '', price: '' });
const isTyped = ({ name, price }: TypedDish): boolean => name !== '' || price !== '';

function useMenuDraft(storeId: string, firstCategory: string) {
  const storageKey = `typed_dishes.${storeId}`;
  const begin = (category: string): MenuDraft => ({ category, rows: [newRow(), newRow(), newRow()] });
  // The cast is right: no other code writes this value.
  const [menu, setMenu] = useState(() => (readStored(storageKey) as MenuDraft | null) ?? begin(firstCategory));
  return {
    ...menu,
    change(part: Partial<MenuDraft>): void {
      const { category, rows } = { ...menu, ...part };
      // An empty last row invites the owner to add another dish.
      const next = { category, rows: rows.slice(-1).some(isTyped) ? [...rows, newRow()] : rows };
      writeStored(storageKey, rows.some(isTyped) ? next : null);
      setMenu(next);
    },
    clear(): void {
      writeStored(storageKey, null);
      setMenu(begin(menu.category));
    },
  };
}

function TypedMenu() {
  const { draft, settle } = useOnboarding();
  const { parts, edit } = useMenuEditing();
  const { id, currency } = draft.store;
  const { category, rows, change, clear } = useMenuDraft(
    id,
    parts.categories[0]?.name ?? m.office_setup_menu_category(),
  );
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { dishes, faults } = readTypedDishes(rows, currency);
  const repeated = repeatedRows(rows, parts.items);
  const isMissing = dishes.length === 0 && parts.items.length === 0;
  const save = async (): Promise<void> => {
    setTried(true);
    if (faults.size > 0 || isMissing) return;
    if (dishes.length > 0) {
      // Another owner may have added the same dish since; the notice then stands beside it, and the next tap adds both.
      setBusy(true);
      const fresh = await refetchMenuParts(id).catch(() => parts);
      setBusy(false);
      if ([...repeatedRows(rows, fresh.items)].some((row) => !repeated.has(row))) return;
      edit(m.office_setup_menu_added({ count: dishes.length }), newDishOperations(parts, id, category, dishes));
      clear();
      setTried(false);
    }
    await settle('menu');
  };
  return (
    <SetUpStepFrame
      name="menu"
      onSubmit={save}
      isBusy={isBusy}
      isUnsaved={dishes.length > 0}
      action={dishes.length > 0 ? m.office_setup_menu_add({ count: dishes.length }) : m.office_setup_go_on()}
    >
      <TextInput
        label={m.office_setup_menu_heading()}
        value={category}
        maxLength={80}
        onChange={(event) => change({ category: event.currentTarget.value })}
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
            onChange={(part) =>
              change({ rows: rows.map((other) => (other.id === row.id ? { ...other, ...part } : other)) })
            }
          />
        ))}
      </div>
      {parts.items.length > 0 && (
        <p className={manage.soft}>{m.office_setup_menu_count({ count: parts.items.length })}</p>
      )}
      {parts.items.length > 0 && dishes.length === 0 && <SavingState />}
      <p>
        <Link href="/admin/import?from=set-up">{m.office_setup_menu_import()}</Link>
        {' · '}
        <Link href={pageLinkWithReturn('menu', '/admin/menuEditor')}>{m.office_page_menu_editor()}</Link>
      </p>
    </SetUpStepFrame>
  );
}

interface RowProps {
  row: TypedDish;
  number: number;
  fault: 'name' | 'price' | undefined;
  isRepeated: boolean;
  currency: string;
  onChange: (part: Partial<TypedDish>) => void;
}

function DishRow({ row, number, fault, isRepeated, currency, onChange }: RowProps) {
  return (
    <>
      <TextInput
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
    <MenuEditing store={draft.store}>
      <DishAllergens />
    </MenuEditing>
  );
}

function DishAllergens() {
  const { settle } = useOnboarding();
  const { parts, edit } = useMenuEditing();
  const [opened, setOpened] = useState<string | null>(null);
  const [ticked, setTicked] = useState<ReadonlyMap<string, AllergenCode[]>>(new Map());
  const [isAsked, setAsked] = useState(false);
  // The dishes have the menu's order; dishes without a category come last.
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
    edit(m.office_setup_allergens_stated({ name: item.name }), [guardedChangeOperation('item', item, fields)]);
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
      {items.length > 0 && <SavingState />}
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
