import { Badge, Menu } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { isDishChoice } from '#menu/deals.ts';
import { isSoldOut } from '#menu/sold-out.ts';
import { AutoSelectedField, PriceEdit, TextEdit, usePartFields } from '#menu/web/editor/edit-fields.tsx';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import classes from '#menu/web/editor/tree/line-cells.module.css';
import lineClasses from '#menu/web/editor/tree/tree-line.module.css';
import {
  makeGuardedChangeOperation,
  findPart,
  type PartKind,
  type PartsIndex,
  makeUnlinkOperation,
} from '#menu/operations/menu-operation.ts';
import { listedDishPrice, priceGroupOf } from '#menu/web/editor/pricing-edit.tsx';
import { childKinds, isMovable, parentKinds, type TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { formatMoney } from '#platform/money.ts';
import { shopNow, useNow } from '#platform/web/clock.ts';
import { planCopy } from '#menu/web/editor/copies.ts';
import { hiddenChoiceReason, hiddenChoicesOf } from '#menu/web/editor/choice-plans.ts';
import { hiddenChoiceWords } from '#menu/web/editor/add-choices.tsx';
import { stockForSelectValue } from '#menu/web/editor/choice-edits.tsx';
import { scheduledPriceWords } from '#menu/web/editor/price-change.tsx';
import { partKindWords } from '#menu/web/editor/part-words.ts';

export function PartNameField({ row, onDone }: { row: TreeRow; onDone: () => void }) {
  const { field } = usePartFields(row.kind, row.part);
  return (
    <AutoSelectedField>
      <TextEdit
        hideLabel
        isRequired
        {...field('name')}
        label={m.menu_edit_rename({ name: row.part.name })}
        maxLength={row.kind === 'item' ? 120 : 80}
        onDone={onDone}
      />
    </AutoSelectedField>
  );
}

export function TreeLinePrice({ row, tab }: { row: TreeRow; tab: number }) {
  const { edit, store, index } = useMenuEditing();
  const [isEditing, setEditing] = useState(false);
  const { part, kind } = row;
  if (!('price' in part)) return null;
  const override =
    index.groups.get(row.parentId ?? '')?.options.find((one) => one.id === row.id)?.price_override ?? null;
  if (isEditing) {
    return (
      <AutoSelectedField>
        <PriceEdit
          hideLabel
          label={m.menu_edit_price_of({ name: part.name })}
          value={part.price}
          currency={store.currency}
          onDone={() => setEditing(false)}
          onCommit={(price, was) =>
            edit(m.menu_edit_changed({ field: m.menu_edit_price(), name: part.name }), [
              makeGuardedChangeOperation(kind, part, { price }, { price: was }),
            ])
          }
        />
      </AutoSelectedField>
    );
  }
  const item = kind === 'item' ? index.items.get(row.id) : undefined;
  const words = item
    ? listedDishPrice(index, item, store.currency).words
    : formatMoney(override ?? part.price, store.currency);
  return (
    <button
      type="button"
      tabIndex={tab}
      className={classes.price}
      // Disabled if the price is edited in a group: the group overrides the option's price, or sets the dish's price.
      disabled={override !== null || (item !== undefined && priceGroupOf(index, item) !== undefined)}
      aria-label={m.menu_edit_price_press({ name: part.name, price: words })}
      onClick={() => setEditing(true)}
    >
      {words}
    </button>
  );
}

export function TreeLineMarks({ row }: { row: TreeRow }) {
  const { index, store } = useMenuEditing();
  const now = useNow();
  const { part, kind, id } = row;
  const uses = holdersOf[kind](index).get(id)?.length ?? 0;
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
      <LostChoiceMark row={row} />
      {'price_change' in part && part.price_change && (
        <Badge variant="light" tt="none">
          {scheduledPriceWords(part.price_change, store, now)}
        </Badge>
      )}
      {'portions_left' in part && part.portions_left !== null && part.portions_left > 0 && (
        <Badge variant="light" tt="none">
          {m.menu_edit_portions_left({ count: part.portions_left })}
        </Badge>
      )}
      {uses > 1 && (
        <Badge variant="light" tt="none">
          {m.menu_edit_uses({ count: uses })}
        </Badge>
      )}
      {row.children > 0 && !row.isExpanded && (
        <span className={classes.count} data-kind={kind}>
          {row.children}
        </span>
      )}
    </>
  );
}

/**
 * Marks a deal's choice that customers do not see, and the deal that has such a choice. The edit form of the choice or
 * deal says how to solve the problem.
 */
function LostChoiceMark({ row: { kind, id } }: { row: TreeRow }) {
  const { index } = useMenuEditing();
  const option = kind === 'option' ? index.options.get(id) : undefined;
  const item = kind === 'item' ? index.items.get(id) : undefined;
  const reason = option ? hiddenChoiceReason(index, option) : null;
  const { lost, canBeOrdered } = item ? hiddenChoicesOf(index, item) : { lost: [], canBeOrdered: true };
  if (!reason && lost.length === 0) return null;
  const words = reason
    ? hiddenChoiceWords[reason]()
    : canBeOrdered
      ? m.menu_deal_lost_mark({ count: lost.length })
      : m.menu_deal_unorderable_mark();
  return (
    <Badge color={canBeOrdered ? 'warm' : 'bad'} variant="light" tt="none">
      {words}
    </Badge>
  );
}

/** The parents of each kind of part, for the three kinds that may have several parents. */
const holdersOf: Record<PartKind, (index: PartsIndex) => ReadonlyMap<string, readonly unknown[]>> = {
  menu: () => new Map(),
  category: () => new Map(),
  item: (index) => index.categoriesOfItem,
  group: (index) => index.itemsOfGroup,
  option: (index) => index.groupsOfOption,
};

/**
 * The button that opens a line's dropdown menu. The dropdown is created when it opens, because hundreds of closed
 * dropdowns would cost more than the lines.
 */
export function TreeLineMenu({ row, commands, tab }: { row: TreeRow; commands: TreeLineCommands; tab: number }) {
  const [isOpen, setOpen] = useState(false);
  const button = (
    <button
      type="button"
      className={lineClasses.lineButton}
      tabIndex={tab}
      aria-label={m.menu_edit_actions({ name: row.part.name })}
      onClick={() => setOpen(!isOpen)}
    >
      <Icon name="more" />
    </button>
  );
  if (!isOpen) return button;
  return (
    <Menu opened onChange={setOpen} position="bottom-end" width={260}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <LineMenu row={row} commands={commands} />
      </Menu.Dropdown>
    </Menu>
  );
}

function LineMenu({ row, commands }: { row: TreeRow; commands: TreeLineCommands }) {
  const editing = useMenuEditing();
  const { edit } = editing;
  const { kind, id, part, parentId } = row;
  const inner = childKinds[kind];
  const isOfDish = isDishChoice(part);
  const parent = isMovable(kind) ? parentKinds[kind] : null;
  const copy = (): void => {
    const made = planCopy(editing, kind, id, parentId, (name) => m.menu_edit_copy_name({ name }));
    if (made) edit(m.menu_edit_copied({ name: part.name }), made.operations);
  };
  return (
    <>
      <Menu.Item onClick={() => commands.open(row)}>{m.menu_edit_edit()}</Menu.Item>
      {!isOfDish && <Menu.Item onClick={() => commands.rename(row)}>{m.menu_edit_rename_short()}</Menu.Item>}
      {inner && (
        <Menu.Item onClick={() => commands.open(row)}>
          {m.menu_edit_add_named({ kind: partKindWords(inner, 1) })}
        </Menu.Item>
      )}
      {parent && (
        <>
          <Menu.Divider />
          <Menu.Item disabled={row.place === 1} onClick={() => commands.step(row, -1)}>
            {m.menu_edit_move_up()}
          </Menu.Item>
          <Menu.Item disabled={row.place === row.siblings} onClick={() => commands.step(row, 1)}>
            {m.menu_edit_move_down()}
          </Menu.Item>
          <Menu.Item onClick={() => commands.moveTo(row)}>{m.menu_edit_move_to()}</Menu.Item>
          {(kind === 'category' || kind === 'item') && (
            <Menu.Item onClick={() => commands.addBelow(row)}>
              {m.menu_edit_add_below({ kind: partKindWords(kind, 1) })}
            </Menu.Item>
          )}
        </>
      )}
      <Menu.Divider />
      {(kind === 'category' || kind === 'item' || kind === 'group') && (
        <Menu.Item onClick={copy}>{m.menu_edit_duplicate()}</Menu.Item>
      )}
      {'is_active' in part && (
        <Menu.Item
          onClick={() =>
            edit(part.is_active ? m.menu_edit_hid({ name: part.name }) : m.menu_edit_showed({ name: part.name }), [
              makeGuardedChangeOperation(kind, part, { is_active: !part.is_active }),
            ])
          }
        >
          {part.is_active ? m.menu_edit_hide() : m.menu_edit_show()}
        </Menu.Item>
      )}
      <StockItems row={row} />
      <Menu.Divider />
      {parent && parent !== 'menu' && parentId !== null && <TakeOut row={row} from={{ kind: parent, id: parentId }} />}
      <Menu.Item color="bad" onClick={() => commands.remove(row)}>
        {m.menu_edit_delete()}
      </Menu.Item>
    </>
  );
}

/**
 * Menu items that mark a part as on sale or sold out. A choice that is a dish has no such items, because it is sold out
 * with its dish.
 */
function StockItems({ row: { kind, part } }: { row: TreeRow }) {
  const { edit, store } = useMenuEditing();
  if (!('is_available' in part) || isDishChoice(part)) return null;
  return (['in', 'today', 'out'] as const).map((choice) => (
    <Menu.Item
      key={choice}
      onClick={() =>
        edit(m.menu_edit_changed({ field: m.menu_edit_available(), name: part.name }), [
          makeGuardedChangeOperation(kind, part, stockForSelectValue(choice, part, store, new Date(shopNow()))),
        ])
      }
    >
      {{ in: m.menu_edit_stock_in, today: m.menu_edit_stock_today, out: m.menu_edit_stock_out }[choice]()}
    </Menu.Item>
  ));
}

function TakeOut({ row, from }: { row: TreeRow; from: { kind: 'category' | 'item' | 'group'; id: string } }) {
  const { edit, parts } = useMenuEditing();
  const parent = findPart(parts, from.kind, from.id)?.name ?? '';
  const takeOut = () =>
    edit(m.menu_edit_taken_out({ name: row.part.name, parent }), [makeUnlinkOperation(from.kind, from.id, [row.id])]);
  return <Menu.Item onClick={takeOut}>{m.menu_edit_take_out_of({ parent })}</Menu.Item>;
}

export interface TreeLineCommands {
  focus: (row: TreeRow) => void;
  open: (row: Pick<TreeRow, 'kind' | 'id' | 'parentId'>) => void;
  expand: (row: TreeRow, isExpanded: boolean) => void;
  select: (row: TreeRow, isSelected: boolean) => void;
  rename: (row: TreeRow | null) => void;
  step: (row: TreeRow, by: -1 | 1) => void;
  moveTo: (row: TreeRow) => void;
  addBelow: (row: TreeRow) => void;
  remove: (row: TreeRow) => void;
}
