import { ActionIcon } from '@mantine/core';
import { m } from '#messages';
import { unlink } from '#menu/operations/menu-operation.ts';
import { childrenOf, findPart, type PartKind } from '#menu/operations/menu-part.ts';
import { AddExisting, AddNew, type ChildProps } from '#menu/web/editor/add-child.tsx';
import classes from '#menu/web/editor/child-list.module.css';
import { type Editing, useEditing } from '#menu/web/editor/session/editing-context.ts';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { Condition, PriceHere } from '#menu/web/editor/link-edits.tsx';
import { movesOf, parentKind } from '#menu/web/editor/tree/moves.ts';
import { listedPrice } from '#menu/web/editor/seen-price.ts';
import lineClasses from '#menu/web/editor/tree/tree-line.module.css';
import { Icon } from '#ui/web/office/icon.tsx';
import { formatMoney } from '#platform/money.ts';

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
