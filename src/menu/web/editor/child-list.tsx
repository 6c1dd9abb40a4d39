import { ActionIcon, Button, NativeSelect, Select, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { PriceEdit } from '#menu/web/editor/edit-fields.tsx';
import classes from '#menu/web/editor/editor.module.css';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { type Change, childrenOf, link, unlink } from '#menu/web/editor/menu-change.ts';
import { type Editing, useEditing } from '#menu/web/editor/editing-context.ts';
import { findPart, listOf, type PartKind } from '#menu/web/editor/menu-part.ts';
import { type MovableKind, movesOf, parentKind } from '#menu/web/editor/moves.ts';
import type { OpenPart } from '#menu/web/editor/part-target.ts';
import { Icon } from '#ui/web/office/icon.tsx';
import { formatMoney } from '#platform/money.ts';
import { parseMoney } from '#platform/parse-money.ts';

interface ChildProps {
  /** What the children are. */
  kind: MovableKind;
  parentId: string;
  onOpen: OpenPart;
}

/** What stands in a part of the menu, in its order: moved, taken out, linked from elsewhere or made new. */
export function ChildList({ kind, parentId, onOpen }: ChildProps) {
  const editing = useEditing();
  const { parts, edit } = editing;
  const parent = parentKind[kind];
  const ids = childrenOf(parts, parent, parentId);
  const parentName = findPart(parts, parent, parentId)?.name ?? '';
  const title = m.menu_edit_children({ kind: kindName(kind, 2), count: ids.length });
  return (
    <section className={classes.children} aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {ids.map((id, at) => {
          const name = findPart(parts, kind, id)?.name ?? '';
          const move = (to: number): void =>
            edit(m.menu_edit_moved({ name }), movesOf(parts, { kind, id, from: parentId, to: parentId, at: to }));
          return (
            <li key={id}>
              <div className={classes.child}>
                <button type="button" className={classes.childName} onClick={() => onOpen({ kind, id, parentId })}>
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
                      edit(m.menu_edit_taken_out({ name, parent: parentName }), [unlink(parent, parentId, [id])])
                    }
                  >
                    <Icon name="close" />
                  </ActionIcon>
                )}
              </div>
              {kind === 'group' && <Condition itemId={parentId} groupId={id} />}
              {kind === 'option' && <PriceHere groupId={parentId} optionId={id} />}
            </li>
          );
        })}
      </ol>
      {parent !== 'menu' && <AddExisting kind={kind} parentId={parentId} />}
      <AddNew kind={kind} parentId={parentId} onOpen={onOpen} />
    </section>
  );
}

/** When a group shows on this dish: always, or only once an option of another group of it is chosen. */
function Condition({ itemId, groupId }: { itemId: string; groupId: string }) {
  const { index, edit } = useEditing();
  const item = index.items.get(itemId);
  const own = item?.option_groups.find((one) => one.id === groupId);
  const others = item?.option_groups.filter((one) => one.id !== groupId) ?? [];
  if (!item || !own || others.length === 0) return null;
  const data = others.map((other) => {
    const group = index.groups.get(other.id);
    const items = (group?.options ?? []).map(({ id }) => ({
      value: id,
      label: m.menu_edit_condition_when({ option: index.options.get(id)?.name ?? '' }),
    }));
    return { group: group?.name ?? '', items };
  });
  const name = index.groups.get(groupId)?.name ?? '';
  return (
    <NativeSelect
      aria-label={m.menu_edit_condition({ name })}
      value={own.shown_when_option_id ?? ''}
      data={[{ value: '', label: m.menu_edit_condition_always() }, ...data]}
      onChange={({ currentTarget }) => {
        const wanted = currentTarget.value || null;
        const change: Change = {
          call: 'PATCH /v1/items/{id}',
          id: itemId,
          body: { option_groups: [{ id: groupId, shown_when_option_id: wanted }], was: { option_groups: [own] } },
        };
        edit(m.menu_edit_changed({ field: m.menu_edit_conditions(), name }), [change]);
      }}
    />
  );
}

/** What an option costs in this group, where that is not what it costs elsewhere. */
function PriceHere({ groupId, optionId }: { groupId: string; optionId: string }) {
  const { index, edit, store } = useEditing();
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
      onCommit={(price, was) => {
        const change: Change = {
          call: 'PATCH /v1/option-groups/{id}',
          id: groupId,
          body: {
            options: [{ id: optionId, price_override: price }],
            was: { options: [{ ...own, price_override: was }] },
          },
        };
        edit(m.menu_edit_changed({ field: m.menu_edit_price(), name: option.name }), [change]);
      }}
    />
  );
}

function AddExisting({ kind, parentId }: Omit<ChildProps, 'onOpen'>) {
  const { parts, edit } = useEditing();
  const parent = parentKind[kind];
  const there = new Set(childrenOf(parts, parent, parentId));
  const all: readonly { id: string; name: string }[] = parts[listOf[kind]];
  const data = all.filter((one) => !there.has(one.id)).map((one) => ({ value: one.id, label: one.name }));
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

/** A new child by its name, and for what is sold its price. The field waits for the next one; a new group is opened. */
export function AddNew({ kind, parentId, onOpen }: ChildProps) {
  const editing = useEditing();
  const [name, setName] = useState('');
  const [price, setPrice] = useState('');
  const [problem, setProblem] = useState<{ field: 'name' | 'price'; words: string } | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  const priceField = useRef<HTMLInputElement>(null);
  const isPriced = kind === 'item' || kind === 'option';
  const { currency } = editing.store;
  // The focus brings the field into sight, and so what is wrong with it.
  const refuse = (field: 'name' | 'price', words: string): void => {
    setProblem({ field, words });
    const input = (field === 'name' ? nameField : priceField).current;
    input?.focus();
    input?.scrollIntoView({ block: 'center' });
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const amount = isPriced && price.trim() !== '' ? parseMoney(price, currency) : 0;
    if (name.trim() === '') return refuse('name', m.menu_text_needed());
    if (amount === null) return refuse('price', m.office_money_unreadable({ example: formatMoney(150, currency) }));
    if (kind === 'item' && price.trim() === '') return refuse('price', m.menu_edit_price_needed());
    const id = addPart(editing, kind, parentId, { name: name.trim(), ...(isPriced && { price: amount }) });
    setName('');
    setPrice('');
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
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isPriced && (
        <TextInput
          label={m.menu_edit_price()}
          ref={priceField}
          value={price}
          error={problem?.field === 'price' && problem.words}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => setPrice(event.currentTarget.value)}
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

/** Makes a thing within its parent and answers with its id. */
export function addPart(
  { edit, make }: Editing,
  kind: PartKind,
  parentId: string | null,
  fields: Record<string, unknown> & { name: string },
): string {
  const own = kind === 'category' ? { ...fields, menu_id: parentId } : fields;
  const { id, change } = make(kind, own);
  const parent = kind === 'menu' ? null : parentKind[kind];
  const linked = parent && parent !== 'menu' && parentId !== null ? [link(parent, parentId, [id])] : [];
  edit(m.menu_edit_added({ name: fields.name }), [change, ...linked]);
  return id;
}

function noteOf({ index, store }: Editing, kind: PartKind, id: string): string {
  const item = index.items.get(id);
  if (kind === 'item' && item) return formatMoney(item.price, store.currency);
  const option = index.options.get(id);
  if (kind === 'option' && option) return formatMoney(option.price, store.currency);
  return '';
}
