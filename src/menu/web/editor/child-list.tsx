import { ActionIcon, NativeSelect } from '@mantine/core';
import { m } from '#messages';
import { change, type MenuOperation, unlink } from '#menu/operations/menu-operation.ts';
import { childrenOf, findPart, type PartKind } from '#menu/operations/menu-part.ts';
import { AddExisting, AddNew, type ChildProps } from '#menu/web/editor/add-child.tsx';
import classes from '#menu/web/editor/child-list.module.css';
import { type Editing, useEditing } from '#menu/web/editor/session/editing-context.ts';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { movesOf, parentKind } from '#menu/web/editor/tree/moves.ts';
import { listedPrice } from '#menu/web/editor/seen-price.ts';
import lineClasses from '#menu/web/editor/tree/tree-line.module.css';
import { Icon } from '#ui/web/office/icon.tsx';
import { formatMoney } from '#platform/money.ts';
import { PriceEdit } from '#menu/web/editor/edit-fields.tsx';

/** The children of a part in their order, with controls to move, remove, link and create them. */
export function ChildList({ kind, parentId, onOpen, onTyped }: ChildProps) {
  const editing = useEditing();
  const { parts, edit } = editing;
  const parent = parentKind[kind];
  const ids = childrenOf(parts, parent, parentId);
  const parentName = findPart(parts, parent, parentId)?.name ?? '';
  const title = m.menu_edit_children({ kind: kindName(kind, ids.length), count: ids.length });
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
                      edit(m.menu_edit_taken_out({ name, parent: parentName }), [unlink(parent, parentId, [id])])
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
      {parent !== 'menu' && <AddExisting kind={kind} parentId={parentId} />}
      <AddNew kind={kind} parentId={parentId} onOpen={onOpen} onTyped={onTyped} />
    </section>
  );
}

function noteOf({ index, store }: Editing, kind: PartKind, id: string): string {
  const item = index.items.get(id);
  if (kind === 'item' && item) return listedPrice(index, item, store.currency).words;
  const option = index.options.get(id);
  if (kind === 'option' && option) return formatMoney(option.price, store.currency);
  return '';
}

/** When a group shows on this dish: always, or only if a certain option of another of its groups is chosen. */
function Condition({ itemId, groupId }: { itemId: string; groupId: string }) {
  const { index, edit } = useEditing();
  const item = index.items.get(itemId);
  const own = item?.option_groups.find((one) => one.id === groupId);
  const others = item?.option_groups.filter((one) => one.id !== groupId) ?? [];
  const group = index.groups.get(groupId);
  // A group whose choices are the price always shows.
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
          change('item', itemId, { option_groups: [condition] }, { option_groups: [own] }),
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

/** An option's price in this group, if it differs from its usual price. */
function PriceHere({ groupId, optionId, onTyped }: PriceHereProps) {
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
      onTyped={(price) =>
        onTyped?.(
          price === undefined ? [] : [change('group', groupId, { options: [{ id: optionId, price_override: price }] })],
        )
      }
      onCommit={(price, was) => {
        const prices = [{ id: optionId, price_override: price }];
        const seen = [{ ...own, price_override: was }];
        edit(m.menu_edit_changed({ field: m.menu_edit_price(), name: option.name }), [
          change('group', groupId, { options: prices }, { options: seen }),
        ]);
      }}
    />
  );
}
