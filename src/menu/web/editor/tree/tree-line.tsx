import {
  memo,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { m } from '#messages';
import classes from '#menu/web/editor/tree/tree-line.module.css';
import { partKindWords } from '#menu/web/editor/part-words.ts';
import {
  TreeLineMenu,
  type TreeLineCommands,
  TreeLineMarks,
  TreeLinePrice,
  PartNameField,
} from '#menu/web/editor/tree/line-cells.tsx';
import { isMovable, type PartMove, parentKinds, type TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { Icon } from '#ui/web/office/office-icon.tsx';
import {
  type CollisionDetection,
  DndContext,
  type DragMoveEvent,
  DragOverlay,
  MouseSensor,
  TouchSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import treeDragClasses from '#menu/web/editor/tree/tree-drag.module.css';

interface LineProps {
  row: TreeRow;
  commands: TreeLineCommands;
  isFocused: boolean;
  isOpened: boolean;
  isSelected: boolean;
  isRenaming: boolean;
  drop: Drop['where'] | null;
  isDragged: boolean;
}

/** A line of the tree. It is memoised and consists of plain elements, because a long menu has thousands of lines. */
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
        {'price' in part && <TreeLinePrice row={row} tab={tab} />}
      </div>
      <div role="gridcell">
        <TreeLineMenu key={key} row={row} commands={commands} tab={tab} />
      </div>
    </div>
  );
}, isSameLine);

type CellProps = Pick<LineProps, 'row' | 'commands' | 'isSelected' | 'isRenaming'> & { tab: 0 | -1 };

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
      <div className={classes.nameAndMarks}>
        {isRenaming ? (
          <PartNameField row={row} onDone={() => commands.rename(null)} />
        ) : (
          <button
            type="button"
            tabIndex={tab}
            className={classes.lineName}
            data-kind={kind}
            onClick={() => commands.open(row)}
            onDoubleClick={() => commands.rename(row)}
          >
            <span className="visually-hidden">{partKindWords(kind, 1)} </span>
            {part.name}
          </button>
        )}
        <TreeLineMarks row={row} />
      </div>
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
 * The drag handle of a line. The line is registered only when a pointer comes near, because each registered line slows
 * down every move.
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
      {isNear && <RegisterDraggable id={row.key} handle={handle} onListeners={hear} />}
    </span>
  );
}

interface KnownProps {
  id: string;
  handle: RefObject<HTMLElement | null>;
  onListeners: (listeners: Listeners) => void;
}

function RegisterDraggable({ id, handle, onListeners }: KnownProps) {
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

interface Drop {
  key: string;
  where: 'before' | 'after' | 'into';
}

interface DragProps {
  rows: readonly TreeRow[];
  onMove: (row: TreeRow, to: Pick<PartMove, 'to' | 'at'>) => void;
  onExpand: (key: string, isExpanded: boolean) => void;
  children: (drop: Drop | null, draggedKey: string | null) => ReactNode;
}

/** Milliseconds that a dragged part must be over a closed line until the line opens. */
const OPENS_AFTER = 600;
const silent = {
  onDragStart: nothing,
  onDragOver: nothing,
  onDragEnd: nothing,
  onDragCancel: nothing,
  onDragMove: nothing,
};

/** Drag and drop within the tree: between siblings, between the children of another parent, or onto a parent. */
export function TreeDragAndDrop({ rows, onMove, onExpand, children }: DragProps) {
  const [dragged, setDragged] = useState<TreeRow | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 150, tolerance: 8 } }),
  );
  const rowOf = (key: unknown): TreeRow | undefined => rows.find((row) => row.key === key);

  useEffect(() => {
    if (hovered === null) return undefined;
    const timer = setTimeout(() => onExpand(hovered, true), OPENS_AFTER);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only another line under the pointer restarts the time
  }, [hovered]);

  const over = (event: DragMoveEvent): void => {
    const under = event.collisions?.[0];
    const row = rowOf(under?.id);
    setHovered(row && dragged && !row.isExpanded && row.children > 0 && row.level < dragged.level ? row.key : null);
    setDrop(row && dragged ? dropOn(dragged, row, under?.data?.['isLowerHalf'] === true) : null);
  };
  const stop = (): void => {
    setDragged(null);
    setDrop(null);
    setHovered(null);
  };
  const finish = (): void => {
    const target = rowOf(drop?.key);
    if (dragged && drop && target) {
      const to = dropTargetOf(dragged, target, drop.where);
      if (to) onMove(dragged, to);
    }
    stop();
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={lineUnder}
      // The library's announcements are off, because the notice after a move names the result. Keys and buttons are the
      // alternative to dragging.
      accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      onDragStart={(event) => setDragged(rowOf(event.active.id) ?? null)}
      onDragMove={over}
      onDragEnd={finish}
      onDragCancel={stop}
    >
      {children(drop, dragged?.key ?? null)}
      <DragOverlay dropAnimation={null}>
        {dragged && <div className={treeDragClasses.dragged}>{dragged.part.name}</div>}
      </DragOverlay>
    </DndContext>
  );
}

/** Finds the line under the pointer by the browser's hit test, instead of registering thousands of targets. */
const lineUnder: CollisionDetection = ({ pointerCoordinates }) => {
  if (!pointerCoordinates) return [];
  const { x, y } = pointerCoordinates;
  for (const element of document.elementsFromPoint(x, y)) {
    const line = element.closest<HTMLElement>('[data-key]');
    if (!line?.dataset['key']) continue;
    const { top, height } = line.getBoundingClientRect();
    return [{ id: line.dataset['key'], data: { isLowerHalf: y > top + height / 2 } }];
  }
  return [];
};

/** The target of a drop on this line; null if the part cannot be dropped there. */
function dropOn(dragged: TreeRow, over: TreeRow, isLowerHalf: boolean): Drop | null {
  if (dragged.key === over.key || !isMovable(dragged.kind)) return null;
  if (over.kind === dragged.kind) return { key: over.key, where: isLowerHalf ? 'after' : 'before' };
  return over.kind === parentKinds[dragged.kind] ? { key: over.key, where: 'into' } : null;
}

/**
 * Returns the new parent of a dropped part, and the part's position there, not counting the part itself. Returns null
 * for a drop before or after a menu, because a menu has no parent.
 */
export function dropTargetOf(
  dragged: TreeRow,
  over: TreeRow,
  where: Drop['where'],
): Pick<PartMove, 'to' | 'at'> | null {
  if (where === 'into') return { to: over.id, at: over.children };
  if (over.parentId === null) return null;
  const at = over.place - (where === 'before' ? 1 : 0);
  const isBelow = dragged.parentId === over.parentId && dragged.place < over.place;
  return { to: over.parentId, at: isBelow ? at - 1 : at };
}

function nothing(): undefined {
  return undefined;
}
