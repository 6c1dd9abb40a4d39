import { useDraggable, useDroppable } from '@dnd-kit/core';
import { ActionIcon, Badge, Checkbox, Menu } from '@mantine/core';
import { memo, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { isSoldOut } from '#menu/item-facts.ts';
import { Focused, PriceEdit, TextEdit } from '#menu/web/editor/edit-fields.tsx';
import classes from '#menu/web/editor/editor.module.css';
import { kindName } from '#menu/web/editor/kind-words.ts';
import { LineMenu } from '#menu/web/editor/line-menu.tsx';
import { patch } from '#menu/web/editor/menu-change.ts';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import type { Drop } from '#menu/web/editor/tree-drag.tsx';
import type { TreeRow } from '#menu/web/editor/tree-rows.ts';
import { Icon } from '#office/web/icon.tsx';
import { formatMoney } from '#platform/money.ts';
import { useNow } from '#platform/web/clock.ts';

/** What can be done from a line. */
export interface LineDeeds {
  focus: (row: TreeRow) => void;
  open: (row: Pick<TreeRow, 'kind' | 'id' | 'parentId'>) => void;
  expand: (row: TreeRow, isExpanded: boolean) => void;
  select: (row: TreeRow, isSelected: boolean) => void;
  rename: (row: TreeRow | null) => void;
  step: (row: TreeRow, by: -1 | 1) => void;
  moveTo: (row: TreeRow) => void;
  remove: (row: TreeRow) => void;
}

interface LineProps {
  row: TreeRow;
  deeds: LineDeeds;
  isFocused: boolean;
  isOpened: boolean;
  isSelected: boolean;
  isRenaming: boolean;
  drop: Drop['where'] | null;
}

/** One line of the tree. It is made anew only when something of it changes, so that long menus stay quick. */
export const TreeLine = memo(function TreeLine({
  row,
  deeds,
  isFocused,
  isOpened,
  isSelected,
  isRenaming,
  drop,
}: LineProps) {
  const { key, kind, part, level } = row;
  const tab = isFocused ? 0 : -1;
  return (
    <Draggable row={row} deeds={deeds} isFocused={isFocused} isOpened={isOpened} isSelected={isSelected} drop={drop}>
      <div role="gridcell" className={classes.nameCell} data-level={level}>
        {row.children > 0 ? (
          <ActionIcon
            tabIndex={tab}
            className={classes.expander}
            data-expanded={row.isExpanded || undefined}
            aria-label={
              row.isExpanded ? m.menu_edit_collapse({ name: part.name }) : m.menu_edit_expand({ name: part.name })
            }
            onClick={() => deeds.expand(row, !row.isExpanded)}
          >
            <Icon name="down" />
          </ActionIcon>
        ) : (
          <span className={classes.expander} />
        )}
        {kind === 'item' && (
          <Checkbox
            tabIndex={tab}
            aria-label={m.office_list_select({ name: part.name })}
            checked={isSelected}
            onChange={(event) => deeds.select(row, event.currentTarget.checked)}
          />
        )}
        {isRenaming ? (
          <Rename row={row} onDone={() => deeds.rename(null)} />
        ) : (
          <button
            type="button"
            tabIndex={tab}
            className={classes.lineName}
            data-kind={kind}
            onClick={() => deeds.open(row)}
            onDoubleClick={() => deeds.rename(row)}
          >
            <span className="visually-hidden">{kindName(kind, 1)} </span>
            {part.name}
          </button>
        )}
        <Marks row={row} />
      </div>
      <div role="gridcell" className={classes.priceCell}>
        {'price' in part && <Price row={row} tab={tab} />}
      </div>
      <div role="gridcell" className={classes.actionCell}>
        <Actions key={key} row={row} deeds={deeds} tab={tab} />
      </div>
    </Draggable>
  );
}, isSameLine);

/** The parts that follow the pointer; what stands in the line is not made anew with them. */
function Draggable({
  row,
  deeds,
  isFocused,
  isOpened,
  isSelected,
  drop,
  children,
}: Omit<LineProps, 'isRenaming'> & { children: ReactNode }) {
  const draggable = useDraggable({ id: row.key, disabled: row.kind === 'menu' });
  const droppable = useDroppable({ id: row.key });
  return (
    <div
      ref={(element) => {
        droppable.setNodeRef(element);
        draggable.setNodeRef(element);
      }}
      role="row"
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.children > 0 ? row.isExpanded : undefined}
      aria-selected={isSelected || isOpened}
      tabIndex={isFocused ? 0 : -1}
      className={classes.line}
      data-key={row.key}
      data-kind={row.kind}
      data-opened={isOpened || undefined}
      data-selected={isSelected || undefined}
      data-drop={drop ?? undefined}
      data-dragging={draggable.isDragging || undefined}
      onFocus={() => deeds.focus(row)}
    >
      <span role="presentation" className={classes.handle} data-handle {...draggable.listeners}>
        {row.kind !== 'menu' && <Icon name="grip" />}
      </span>
      {children}
    </div>
  );
}

function Rename({ row, onDone }: { row: TreeRow; onDone: () => void }) {
  const { edit } = useEditing();
  return (
    <Focused>
      <TextEdit
        hideLabel
        isRequired
        label={m.menu_edit_rename({ name: row.part.name })}
        value={row.part.name}
        maxLength={row.kind === 'item' ? 120 : 80}
        onDone={onDone}
        onCommit={(name, was) =>
          edit(m.menu_edit_changed({ field: m.menu_edit_name(), name: row.part.name }), [
            patch(row.kind, row.part, { name }, { name: was }),
          ])
        }
      />
    </Focused>
  );
}

/** A price that becomes a field when it is pressed. */
function Price({ row, tab }: { row: TreeRow; tab: number }) {
  const { edit, store, index } = useEditing();
  const [isEditing, setEditing] = useState(false);
  const { part, kind } = row;
  if (!('price' in part)) return null;
  const override =
    index.groups.get(row.parentId ?? '')?.options.find((one) => one.id === row.id)?.price_override ?? null;
  if (isEditing) {
    return (
      <Focused>
        <PriceEdit
          hideLabel
          label={m.menu_edit_price_of({ name: part.name })}
          value={part.price}
          currency={store.currency}
          onDone={() => setEditing(false)}
          onCommit={(price, was) =>
            edit(m.menu_edit_changed({ field: m.menu_edit_price(), name: part.name }), [
              patch(kind, part, { price }, { price: was }),
            ])
          }
        />
      </Focused>
    );
  }
  const words = formatMoney(override ?? part.price, store.currency);
  return (
    <button
      type="button"
      tabIndex={tab}
      className={classes.price}
      // A price of its own here is set in the group, where both can be seen.
      disabled={override !== null}
      aria-label={m.menu_edit_price_press({ name: part.name, price: words })}
      onClick={() => setEditing(true)}
    >
      {words}
    </button>
  );
}

/** What stands beside a name: hidden, sold out, shared. */
function Marks({ row }: { row: TreeRow }) {
  const { index } = useEditing();
  const now = useNow();
  const { part, kind, id } = row;
  const uses =
    kind === 'item'
      ? (index.categoriesOfItem.get(id)?.length ?? 0)
      : kind === 'group'
        ? (index.itemsOfGroup.get(id)?.length ?? 0)
        : kind === 'option'
          ? (index.groupsOfOption.get(id)?.length ?? 0)
          : 0;
  return (
    <>
      {'is_active' in part && !part.is_active && (
        <Badge variant="outline" tt="none">
          {m.menu_edit_hidden()}
        </Badge>
      )}
      {'is_available' in part && isSoldOut(part, now) && (
        <Badge color="bad" variant="light" tt="none">
          {m.menu_edit_sold_out()}
        </Badge>
      )}
      {uses > 1 && (
        <Badge variant="light" tt="none">
          {m.menu_edit_uses({ count: uses })}
        </Badge>
      )}
      {row.children > 0 && !row.isExpanded && <span className={classes.count}>{row.children}</span>}
    </>
  );
}

/** The menu of a line is made when it is opened: hundreds of closed ones would cost more than the lines. */
function Actions({ row, deeds, tab }: { row: TreeRow; deeds: LineDeeds; tab: number }) {
  const [isOpen, setOpen] = useState(false);
  const button = (
    <ActionIcon
      tabIndex={tab}
      aria-label={m.menu_edit_actions({ name: row.part.name })}
      onClick={() => setOpen(!isOpen)}
    >
      <Icon name="more" />
    </ActionIcon>
  );
  if (!isOpen) return button;
  return (
    <Menu opened onChange={setOpen} position="bottom-end" width={260}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <LineMenu row={row} deeds={deeds} />
      </Menu.Dropdown>
    </Menu>
  );
}

function isSameLine(a: LineProps, b: LineProps): boolean {
  const isSameState =
    a.isFocused === b.isFocused &&
    a.isOpened === b.isOpened &&
    a.isSelected === b.isSelected &&
    a.isRenaming === b.isRenaming &&
    a.drop === b.drop;
  return isSameState && isSameRow(a.row, b.row);
}

function isSameRow(a: TreeRow, b: TreeRow): boolean {
  return (
    a.key === b.key &&
    a.part === b.part &&
    a.place === b.place &&
    a.siblings === b.siblings &&
    a.children === b.children &&
    a.isExpanded === b.isExpanded
  );
}
