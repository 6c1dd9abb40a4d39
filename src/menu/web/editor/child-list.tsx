import { v7 as newId } from 'uuid';
import { ActionIcon, Button, NativeSelect, Select, TextInput } from '@mantine/core';
import { m } from '#messages';
import {
  makeChangeOperation,
  linkedChildIds,
  makeCreateOperation,
  findPart,
  makeLinkOperation,
  partListNames,
  type MenuOperation,
  type OptionPart,
  type PartKind,
  type PartsIndex,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import classes from '#menu/web/editor/child-list.module.css';
import { type MenuEditingState, useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { partKindWords } from '#menu/web/editor/part-words.ts';
import { type MovableKind, makeMoveOperations, parentKinds } from '#menu/web/editor/tree/tree-rows.ts';
import { listedDishPrice } from '#menu/web/editor/pricing-edit.tsx';
import lineClasses from '#menu/web/editor/tree/tree-line.module.css';
import { choiceKindOf, hiddenChoiceReason } from '#menu/web/editor/choice-plans.ts';
import { AddChoices, choiceKindWords, DishSelect, hiddenChoiceWords } from '#menu/web/editor/add-choices.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { formatMoney } from '#platform/money.ts';
import { type OpenPartPanel, PriceEdit } from '#menu/web/editor/edit-fields.tsx';
import { type FormEvent, useRef, useState } from 'react';
import { createMenuPart } from '#menu/web/editor/add-part.ts';
import addChildClasses from '#menu/web/editor/add-child.module.css';
import { priceOfEmptyField } from '#menu/empty-price.ts';
import { htmlToText } from '#platform/markup.ts';
import { parseMoneyField } from '#platform/parse-money.ts';

export function ChildList({ kind, parentId, onOpen, onTyped }: ChildProps) {
  const editing = useMenuEditing();
  const { parts, edit } = editing;
  const parent = parentKinds[kind];
  const ids = linkedChildIds(parts, parent, parentId);
  const parentName = findPart(parts, parent, parentId)?.name ?? '';
  const title =
    kind === 'group' && ids.length === 0
      ? m.menu_choices_none()
      : m.menu_edit_children({ kind: partKindWords(kind, ids.length), count: ids.length });
  const item = kind === 'group' ? editing.index.items.get(parentId) : undefined;
  const group = kind === 'option' ? editing.index.groups.get(parentId) : undefined;
  const isDeal = group !== undefined && choiceKindOf(editing.index, group) === 'deal';
  return (
    <section className={classes.children} aria-label={title}>
      <h3>{title}</h3>
      {item && <AddChoices item={item} />}
      <ol>
        {ids.map((id, at) => {
          const name = findPart(parts, kind, id)?.name ?? '';
          const move = (to: number): void =>
            edit(
              m.menu_edit_moved({ name }),
              makeMoveOperations(parts, { kind, id, from: parentId, to: parentId, at: to }),
            );
          return (
            <li key={id}>
              <div className={classes.child}>
                <button
                  type="button"
                  className={`${lineClasses.lineName} ${classes.childName}`}
                  onClick={() => onOpen({ kind, id, parentId })}
                >
                  {name}
                </button>
                <span className={classes.childNote}>{noteOf(editing, kind, id)}</span>
                <ActionIcon aria-label={m.menu_edit_up({ name })} disabled={at === 0} onClick={() => move(at - 1)}>
                  <Icon name="up" />
                </ActionIcon>
                <ActionIcon
                  aria-label={m.menu_edit_down({ name })}
                  disabled={at === ids.length - 1}
                  onClick={() => move(at + 1)}
                >
                  <Icon name="down" />
                </ActionIcon>
                {parent !== 'menu' && (
                  <ActionIcon
                    aria-label={m.menu_edit_take_out({ name, parent: parentName })}
                    onClick={() =>
                      edit(m.menu_edit_taken_out({ name, parent: parentName }), [
                        makeUnlinkOperation(parent, parentId, [id]),
                      ])
                    }
                  >
                    <Icon name="close" />
                  </ActionIcon>
                )}
              </div>
              {kind === 'group' && <Condition itemId={parentId} groupId={id} />}
              {kind === 'option' && <PriceHere groupId={parentId} optionId={id} onTyped={onTyped} />}
            </li>
          );
        })}
      </ol>
      {isDeal ? (
        <AddDish groupId={parentId} />
      ) : (
        <>
          {parent !== 'menu' && <AddExisting kind={kind} parentId={parentId} />}
          <AddChildForm kind={kind} parentId={parentId} onOpen={onOpen} onTyped={onTyped} />
        </>
      )}
    </section>
  );
}

function noteOf({ index, store }: MenuEditingState, kind: PartKind, id: string): string {
  const item = index.items.get(id);
  if (kind === 'item' && item) return listedDishPrice(index, item, store.currency).words;
  const option = index.options.get(id);
  if (kind === 'option' && option) return optionNote(index, option, store.currency);
  const group = kind === 'group' ? index.groups.get(id) : undefined;
  const choice = group && choiceKindOf(index, group);
  return choice ? choiceKindWords(choice) : '';
}

/** Returns an option's price, or, if the option is a dish that customers do not see, the reason. */
function optionNote(index: PartsIndex, option: OptionPart, currency: string): string {
  const reason = hiddenChoiceReason(index, option);
  return reason ? hiddenChoiceWords[reason]() : formatMoney(option.price, currency);
}

function Condition({ itemId, groupId }: { itemId: string; groupId: string }) {
  const { index, edit } = useMenuEditing();
  const item = index.items.get(itemId);
  const own = item?.option_groups.find((one) => one.id === groupId);
  const others = item?.option_groups.filter((one) => one.id !== groupId) ?? [];
  const group = index.groups.get(groupId);
  // A group whose choices are the price has no condition.
  if (!item || !own || others.length === 0 || group?.pricing === 'is_price') return null;
  const data = others.map((other) => {
    const offered = index.groups.get(other.id);
    const items = (offered?.options ?? []).map(({ id }) => ({
      value: id,
      label: m.menu_edit_condition_when({ option: index.options.get(id)?.name ?? '' }),
    }));
    return { group: offered?.name ?? '', items };
  });
  const name = group?.name ?? '';
  return (
    <NativeSelect
      aria-label={m.menu_edit_condition({ name })}
      value={own.shown_when_option_id ?? ''}
      data={[{ value: '', label: m.menu_edit_condition_always() }, ...data]}
      onChange={({ currentTarget }) => {
        const condition = { id: groupId, shown_when_option_id: currentTarget.value || null };
        edit(m.menu_edit_changed({ field: m.menu_edit_conditions(), name }), [
          makeChangeOperation('item', itemId, { option_groups: [condition] }, { option_groups: [own] }),
        ]);
      }}
    />
  );
}

interface PriceHereProps {
  groupId: string;
  optionId: string;
  onTyped?: ((operations: MenuOperation[]) => void) | undefined;
}

/** A field for an option's price in this group. While it is empty, the option's usual price applies. */
function PriceHere({ groupId, optionId, onTyped }: PriceHereProps) {
  const { index, edit, store } = useMenuEditing();
  const own = index.groups.get(groupId)?.options.find((one) => one.id === optionId);
  const option = index.options.get(optionId);
  if (!own || !option) return null;
  return (
    <PriceEdit<number | null>
      hideLabel
      label={m.menu_edit_price_here({ name: option.name })}
      placeholder={m.menu_edit_price_own({ price: formatMoney(option.price, store.currency) })}
      value={own.price_override}
      empty={null}
      currency={store.currency}
      onTyped={(price) =>
        onTyped?.(
          price === undefined
            ? []
            : [makeChangeOperation('group', groupId, { options: [{ id: optionId, price_override: price }] })],
        )
      }
      onCommit={(price, was) => {
        const prices = [{ id: optionId, price_override: price }];
        const seen = [{ ...own, price_override: was }];
        edit(m.menu_edit_changed({ field: m.menu_edit_price(), name: option.name }), [
          makeChangeOperation('group', groupId, { options: prices }, { options: seen }),
        ]);
      }}
    />
  );
}

interface ChildProps {
  kind: MovableKind;
  parentId: string;
  onOpen: OpenPartPanel;
  /** Called with the operations that set a price, while the price is typed. */
  onTyped?: ((operations: MenuOperation[]) => void) | undefined;
}

interface AddingProps {
  /** The child after which the new child is added; by default the new child becomes the last. */
  after?: string;
  /** Called after a child was added. If missing, the form waits for the next child. */
  onAdded?: () => void;
}

function AddExisting({ kind, parentId }: Omit<ChildProps, 'onOpen'>) {
  const { parts, index, edit } = useMenuEditing();
  const parent = parentKinds[kind];
  const there = new Set(linkedChildIds(parts, parent, parentId));
  const all: readonly { id: string; name: string }[] = parts[partListNames[kind]];
  const isPrice = (id: string): boolean => index.groups.get(id)?.pricing === 'is_price';
  // If the dish has a group that sets its price, no second such group is offered.
  const isPriced = kind === 'group' && [...there].some(isPrice);
  const free = all.filter((one) => !there.has(one.id) && !(isPriced && isPrice(one.id)));
  const data = free.map((one) => ({ value: one.id, label: one.name }));
  if (data.length === 0 || parent === 'menu') return null;
  return (
    <Select
      label={m.menu_edit_add_existing({ kind: partKindWords(kind, 1) })}
      searchable
      value={null}
      data={data}
      limit={50}
      nothingFoundMessage={m.office_list_no_match()}
      comboboxProps={{ withinPortal: true }}
      onChange={(id) => {
        const name = all.find((one) => one.id === id)?.name;
        if (id && name) edit(m.menu_edit_linked({ name }), [makeLinkOperation(parent, parentId, [id])]);
      }}
    />
  );
}

/** Adds a dish to a deal's choices, with no surcharge until one is typed. */
function AddDish({ groupId }: { groupId: string }) {
  const { index, edit, store } = useMenuEditing();
  const add = (item_id: string | null): void => {
    const dish = index.items.get(item_id ?? '');
    if (!dish) return;
    const id = newId();
    edit(m.menu_edit_added({ name: dish.name }), [
      makeCreateOperation('option', { id, name: dish.name, item_id, store_id: store.id }),
      makeLinkOperation('group', groupId, [id]),
    ]);
  };
  return <DishSelect hasLabel label={m.menu_choices_deal_add()} dealId={null} value={null} onChange={add} />;
}

/**
 * A form that creates a child from a name and a price. Then the form is empty for the next child, or a new group is
 * opened.
 */
export function AddChildForm({ kind, parentId, onOpen, onTyped, after, onAdded }: ChildProps & AddingProps) {
  const editing = useMenuEditing();
  const [name, setName] = useState('');
  const [price, setPrice] = useState('');
  const [problem, setProblem] = useState<{ field: 'name' | 'price'; words: string } | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const priceField = useRef<HTMLInputElement>(null);
  const isPriced = kind === 'item' || kind === 'option';
  const { currency } = editing.store;
  // The browser scrolls the field to the middle, so that the error below the field is visible.
  const refuse = (field: 'name' | 'price', words: string): void => {
    setProblem({ field, words });
    const input = (field === 'name' ? nameField : priceField).current;
    input?.focus();
    input?.scrollIntoView({ block: 'center' });
  };
  const type = (newName: string, newPrice: string): void => {
    setName(newName);
    setPrice(newPrice);
    if (kind !== 'option' || !onTyped) return;
    const amount = newPrice.trim() === '' ? null : parseMoneyField(newPrice, { currency, empty: null })?.amount;
    const fields = { id: 'typed', name: newName.trim(), price: amount ?? 0, store_id: editing.store.id };
    onTyped(
      typeof amount === 'number'
        ? [makeCreateOperation('option', fields), makeLinkOperation('group', parentId, [fields.id])]
        : [],
    );
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const read = parseMoneyField(price, { currency, empty: priceOfEmptyField(kind) });
    const plainName = htmlToText(name).trim();
    if (plainName === '') return refuse('name', m.menu_text_needed());
    if (!read) return refuse('price', m.office_money_unreadable({ example: formatMoney(150, currency) }));
    const { amount } = read;
    if (isPriced && amount === null) return refuse('price', m.menu_edit_price_needed());
    const fields = { name: plainName, ...(isPriced && amount !== null && { price: amount }) };
    const id = createMenuPart(editing, kind, parentId, fields, after);
    if (onAdded) return onAdded();
    type('', '');
    setProblem(null);
    if (kind === 'group') onOpen({ kind, id, parentId });
    else nameField.current?.focus();
  };
  const label = m.menu_edit_new({ kind: partKindWords(kind, 1) });
  return (
    <form className={addChildClasses.addNew} onSubmit={add} noValidate>
      <TextInput
        label={label}
        value={name}
        maxLength={kind === 'item' ? 120 : 80}
        ref={nameField}
        error={problem?.field === 'name' && problem.words}
        onChange={(event) => type(event.currentTarget.value, price)}
      />
      {isPriced && (
        <TextInput
          label={m.menu_edit_price()}
          ref={priceField}
          value={price}
          error={problem?.field === 'price' && problem.words}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => type(name, event.currentTarget.value)}
        />
      )}
      <Button
        type="submit"
        variant="default"
        leftSection={<Icon name="plus" />}
        aria-label={m.menu_edit_add_named({ kind: partKindWords(kind, 1) })}
      >
        {m.menu_edit_add()}
      </Button>
    </form>
  );
}
