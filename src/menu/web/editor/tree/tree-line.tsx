import { memo, type RefObject, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import classes from '#menu/web/editor/tree/tree-line.module.css';
import { kindName } from '#menu/web/editor/part-words.ts';
import { Actions, type LineCommands, Marks, Price, Rename } from '#menu/web/editor/tree/line-cells.tsx';
import type { Drop } from '#menu/web/editor/tree/tree-drag.tsx';
import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { Icon } from '#ui/web/office/icon.tsx';
import { useDraggable } from '@dnd-kit/core';

interface LineProps {
  row: TreeRow;
  commands: LineCommands;
  isFocused: boolean;
  isOpened: boolean;
  isSelected: boolean;
  isRenaming: boolean;
  drop: Drop['where'] | null;
  isDragged: boolean;
}

/**
 * One line of the tree. It renders again only when its data changes, and uses plain elements: a long menu has
 * thousands of lines.
 */
export const TreeLine = memo(function TreeLine({
  row,
  commands,
  isFocused,
  isOpened,
  isSelected,
  isRenaming,
  drop,
  isDragged,
}: LineProps) {
  const { key, kind, part, level } = row;
  const tab = isFocused ? 0 : -1;
  return (
    <div
      role="row"
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.children > 0 ? row.isExpanded : undefined}
      aria-selected={isSelected || isOpened}
      tabIndex={tab}
      className={classes.line}
      data-key={key}
      data-kind={kind}
      data-opened={isOpened || undefined}
      data-selected={isSelected || undefined}
      data-drop={drop ?? undefined}
      data-dragging={isDragged || undefined}
      onFocus={() => commands.focus(row)}
    >
      <LineHandle row={row} />
      <NameCell row={row} commands={commands} tab={tab} isSelected={isSelected} isRenaming={isRenaming} />
      <div role="gridcell" className={classes.priceCell}>
        {'price' in part && <Price row={row} tab={tab} />}
      </div>
      <div role="gridcell">
        <Actions key={key} row={row} commands={commands} tab={tab} />
      </div>
    </div>
  );
}, isSameLine);

type CellProps = Pick<LineProps, 'row' | 'commands' | 'isSelected' | 'isRenaming'> & { tab: 0 | -1 };

/** The part's name, with the controls that expand its line, select it and mark it. */
function NameCell({ row, commands, tab, isSelected, isRenaming }: CellProps) {
  const { kind, part, level } = row;
  return (
    <div role="gridcell" className={classes.nameCell} data-level={level}>
      {row.children > 0 ? (
        <button
          type="button"
          tabIndex={tab}
          className={`${classes.lineButton} ${classes.expander}`}
          data-expanded={row.isExpanded || undefined}
          aria-label={
            row.isExpanded ? m.menu_edit_collapse({ name: part.name }) : m.menu_edit_expand({ name: part.name })
          }
          onClick={() => commands.expand(row, !row.isExpanded)}
        >
          <Icon name="down" />
        </button>
      ) : (
        <span className={classes.expander} />
      )}
      {kind === 'item' && (
        <label className={classes.tick}>
          <input
            type="checkbox"
            tabIndex={tab}
            aria-label={m.office_list_select({ name: part.name })}
            checked={isSelected}
            onChange={(event) => commands.select(row, event.currentTarget.checked)}
          />
        </label>
      )}
      {isRenaming ? (
        <Rename row={row} onDone={() => commands.rename(null)} />
      ) : (
        <button
          type="button"
          tabIndex={tab}
          className={classes.lineName}
          data-kind={kind}
          onClick={() => commands.open(row)}
          onDoubleClick={() => commands.rename(row)}
        >
          <span className="visually-hidden">{kindName(kind, 1)} </span>
          {part.name}
        </button>
      )}
      <Marks row={row} />
    </div>
  );
}

function isSameLine(a: LineProps, b: LineProps): boolean {
  const isSameState =
    a.isFocused === b.isFocused &&
    a.isOpened === b.isOpened &&
    a.isSelected === b.isSelected &&
    a.isRenaming === b.isRenaming &&
    a.drop === b.drop &&
    a.isDragged === b.isDragged;
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

type Listeners = ReturnType<typeof useDraggable>['listeners'];

/**
 * The handle that drags a line. It is registered for dragging only when a pointer comes near: every registered line
 * costs time at each move, and a long menu has thousands.
 */
function LineHandle({ row }: { row: Pick<TreeRow, 'key' | 'kind'> }) {
  const [isNear, setNear] = useState(false);
  const handle = useRef<HTMLSpanElement>(null);
  const listeners = useRef<Listeners>(undefined);
  const hear = (next: Listeners): void => {
    listeners.current = next;
  };
  const start = (name: 'onMouseDown' | 'onTouchStart') => (event: SyntheticEvent) => listeners.current?.[name]?.(event);
  if (row.kind === 'menu') return <span role="presentation" className={classes.handle} />;
  return (
    <span
      ref={handle}
      role="presentation"
      className={classes.handle}
      data-handle
      onPointerEnter={() => setNear(true)}
      onPointerDown={() => setNear(true)}
      onMouseDown={start('onMouseDown')}
      onTouchStart={start('onTouchStart')}
    >
      <Icon name="grip" />
      {isNear && <Known id={row.key} handle={handle} onListeners={hear} />}
    </span>
  );
}

interface KnownProps {
  id: string;
  handle: RefObject<HTMLElement | null>;
  onListeners: (listeners: Listeners) => void;
}

/** Registers a line for dragging; renders nothing. */
function Known({ id, handle, onListeners }: KnownProps) {
  const draggable = useDraggable({ id });
  const { setNodeRef } = draggable;
  useLayoutEffect(() => {
    setNodeRef(handle.current?.closest<HTMLElement>('[role=row]') ?? null);
  }, [setNodeRef, handle]);
  useLayoutEffect(() => {
    onListeners(draggable.listeners);
  });
  return null;
}
