import {
  type CollisionDetection,
  DndContext,
  type DragMoveEvent,
  DragOverlay,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type ReactNode, useEffect, useState } from 'react';
import classes from '#menu/web/editor/tree/tree-drag.module.css';
import { isMovable, type Move, parentKind, type TreeRow } from '#menu/web/editor/tree/tree-rows.ts';

export interface Drop {
  key: string;
  where: 'before' | 'after' | 'into';
}

interface DragProps {
  rows: readonly TreeRow[];
  onMove: (row: TreeRow, to: Pick<Move, 'to' | 'at'>) => void;
  onExpand: (key: string, isExpanded: boolean) => void;
  children: (drop: Drop | null, draggedKey: string | null) => ReactNode;
}

/** How long a thing is held over a closed line until the line opens. */
const OPENS_AFTER = 600;
const silent = {
  onDragStart: nothing,
  onDragOver: nothing,
  onDragEnd: nothing,
  onDragCancel: nothing,
  onDragMove: nothing,
};

/** Drag and drop within the tree: between siblings, into another parent of the same kind, or onto one. */
export function TreeDrag({ rows, onMove, onExpand, children }: DragProps) {
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
      const to = placeOf(dragged, target, drop.where);
      if (to) onMove(dragged, to);
    }
    stop();
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={lineUnder}
      // The notice of the move announces the result; keys and buttons move things without a pointer.
      accessibility={{ announcements: silent, screenReaderInstructions: { draggable: '' } }}
      onDragStart={(event) => setDragged(rowOf(event.active.id) ?? null)}
      onDragMove={over}
      onDragEnd={finish}
      onDragCancel={stop}
    >
      {children(drop, dragged?.key ?? null)}
      <DragOverlay dropAnimation={null}>
        {dragged && <div className={classes.dragged}>{dragged.part.name}</div>}
      </DragOverlay>
    </DndContext>
  );
}

/** The line under the pointer, found by the browser, so that thousands of lines need not be registered as targets. */
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

/** Where a dragged thing lands if it is dropped over this line; null if it cannot be dropped there. */
function dropOn(dragged: TreeRow, over: TreeRow, isLowerHalf: boolean): Drop | null {
  if (dragged.key === over.key || !isMovable(dragged.kind)) return null;
  if (over.kind === dragged.kind) return { key: over.key, where: isLowerHalf ? 'after' : 'before' };
  return over.kind === parentKind[dragged.kind] ? { key: over.key, where: 'into' } : null;
}

/** The parent and the place, counted as if the thing had been removed already. */
export function placeOf(dragged: TreeRow, over: TreeRow, where: Drop['where']): Pick<Move, 'to' | 'at'> | null {
  if (where === 'into') return { to: over.id, at: over.children };
  if (over.parentId === null) return null;
  const at = over.place - (where === 'before' ? 1 : 0);
  const isBelow = dragged.parentId === over.parentId && dragged.place < over.place;
  return { to: over.parentId, at: isBelow ? at - 1 : at };
}

function nothing(): undefined {
  return undefined;
}
