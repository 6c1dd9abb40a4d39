import { useDraggable } from '@dnd-kit/core';
import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import classes from '#menu/web/editor/tree/tree-line.module.css';
import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { Icon } from '#ui/web/office/icon.tsx';

type Listeners = ReturnType<typeof useDraggable>['listeners'];

/**
 * The handle that drags a line. It is registered for dragging only when a pointer comes near: every registered line
 * costs time at each move, and a long menu has thousands.
 */
export function LineHandle({ row }: { row: Pick<TreeRow, 'key' | 'kind'> }) {
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
