import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { create, link, type MenuOperation } from '#menu/operations/menu-operation.ts';
import { childrenOf, listOf } from '#menu/operations/menu-part.ts';
import { addPart } from '#menu/web/editor/add-part.ts';
import classes from '#menu/web/editor/add-child.module.css';
import { useEditing } from '#menu/web/editor/session/editing-context.ts';
import { emptyPrice } from '#menu/empty-price.ts';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { type MovableKind, parentKind } from '#menu/web/editor/tree/moves.ts';
import type { OpenPart } from '#menu/web/editor/part-target.ts';
import { Icon } from '#ui/web/office/icon.tsx';
import { withoutMarkup } from '#platform/markup.ts';
import { formatMoney } from '#platform/money.ts';
import { readMoney } from '#platform/parse-money.ts';

export interface ChildProps {
  /** The kind of the children. */
  kind: MovableKind;
  parentId: string;
  onOpen: OpenPart;
  /** Told of an option's price while it is typed, as the changes that it would make. */
  onTyped?: ((operations: MenuOperation[]) => void) | undefined;
}

/** Links a part that already exists elsewhere. */
export function AddExisting({ kind, parentId }: Omit<ChildProps, 'onOpen'>) {
  const { parts, index, edit } = useEditing();
  const parent = parentKind[kind];
  const there = new Set(childrenOf(parts, parent, parentId));
  const all: readonly { id: string; name: string }[] = parts[listOf[kind]];
  const isPrice = (id: string): boolean => index.groups.get(id)?.pricing === 'is_price';
  // A dish has at most one group whose choices are its price.
  const isPriced = kind === 'group' && [...there].some(isPrice);
  const free = all.filter((one) => !there.has(one.id) && !(isPriced && isPrice(one.id)));
  const data = free.map((one) => ({ value: one.id, label: one.name }));
  if (data.length === 0 || parent === 'menu') return null;
  return (
    <Select
      label={m.menu_edit_add_existing({ kind: kindName(kind, 1) })}
      searchable
      value={null}
      data={data}
      limit={50}
      nothingFoundMessage={m.office_list_no_match()}
      comboboxProps={{ withinPortal: true }}
      onChange={(id) => {
        const name = all.find((one) => one.id === id)?.name;
        if (id && name) edit(m.menu_edit_linked({ name }), [link(parent, parentId, [id])]);
      }}
    />
  );
}

/** Adds a child by its name and, if it is sold, its price. The field then waits for the next one; a new group opens. */
export function AddNew({ kind, parentId, onOpen, onTyped }: ChildProps) {
  const editing = useEditing();
  const [name, setName] = useState('');
  const [price, setPrice] = useState('');
  const [problem, setProblem] = useState<{ field: 'name' | 'price'; words: string } | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const priceField = useRef<HTMLInputElement>(null);
  const isPriced = kind === 'item' || kind === 'option';
  const { currency } = editing.store;
  // Focusing the field scrolls it into view, together with its error.
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
    const amount = newPrice.trim() === '' ? null : readMoney(newPrice, { currency, empty: null })?.amount;
    const fields = { id: 'typed', name: newName.trim(), price: amount ?? 0, store_id: editing.store.id };
    onTyped(typeof amount === 'number' ? [create('option', fields), link('group', parentId, [fields.id])] : []);
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const read = readMoney(price, { currency, empty: emptyPrice(kind) });
    const plainName = withoutMarkup(name).trim();
    if (plainName === '') return refuse('name', m.menu_text_needed());
    if (!read) return refuse('price', m.office_money_unreadable({ example: formatMoney(150, currency) }));
    const { amount } = read;
    if (isPriced && amount === null) return refuse('price', m.menu_edit_price_needed());
    const id = addPart(editing, kind, parentId, {
      name: plainName,
      ...(isPriced && amount !== null && { price: amount }),
    });
    type('', '');
    setProblem(null);
    if (kind === 'group') onOpen({ kind, id, parentId });
    else nameField.current?.focus();
  };
  const label = m.menu_edit_new({ kind: kindName(kind, 1) });
  return (
    <form className={classes.addNew} onSubmit={add} noValidate>
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
        aria-label={m.menu_edit_add_named({ kind: kindName(kind, 1) })}
      >
        {m.menu_edit_add()}
      </Button>
    </form>
  );
}
