import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { deleteAsked } from '#menu/web/editor/deletion.tsx';
import classes from '#menu/web/editor/editor.module.css';
import { useEditing } from '#menu/web/editor/editing-context.ts';
import { isMovable, type Move, movesOf } from '#menu/web/editor/moves.ts';
import type { OpenPart, PartTarget } from '#menu/web/editor/part-target.ts';
import type { LineCommands } from '#menu/web/editor/line-commands.ts';
import { TreeLine } from '#menu/web/editor/tree-line.tsx';
import type { TreeRow } from '#menu/web/editor/tree-rows.ts';
import { TreeDrag } from '#menu/web/editor/tree-drag.tsx';

interface TreeProps {
  rows: readonly TreeRow[];
  opened: PartTarget | null;
  onOpen: OpenPart;
  onExpand: (key: string, isExpanded: boolean) => void;
  selected: ReadonlySet<string>;
  onSelect: (itemId: string, isSelected: boolean) => void;
  onMoveTo: (row: TreeRow) => void;
}

/**
 * The menu as a treegrid (WAI-ARIA): one line has the focus; arrows move it, open and close lines; Alt and an arrow
 * move the thing itself. Only the focused line's controls can be reached by Tab.
 */
export function MenuTree({ rows, opened, onOpen, onExpand, selected, onSelect, onMoveTo }: TreeProps) {
  const editing = useEditing();
  const { parts, edit } = editing;
  const [focusedKey, setFocused] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef<string | null>(null);
  const focused = rows.find((row) => row.key === focusedKey) ?? rows[0];

  const focusLine = (key: string | undefined): void => {
    if (key === undefined) return;
    setFocused(key);
    lineOf(grid.current, key)?.focus();
  };
  // A moved line is rendered again; after a move by keyboard the focus follows it.
  useEffect(() => {
    const key = wantsFocus.current;
    if (key === null) return;
    const line = lineOf(grid.current, key);
    if (!line) return;
    wantsFocus.current = null;
    line.focus();
  });

  const move = (row: TreeRow, to: Pick<Move, 'to' | 'at'>): void => {
    if (!isMovable(row.kind) || row.parentId === null) return;
    edit(
      m.menu_edit_moved({ name: row.part.name }),
      movesOf(parts, { kind: row.kind, id: row.id, from: row.parentId, ...to }),
    );
  };
  const step = (row: TreeRow, by: -1 | 1): void => {
    const at = row.place - 1 + by;
    if (row.parentId === null || at < 0 || at >= row.siblings) return;
    wantsFocus.current = row.key;
    move(row, { to: row.parentId, at });
  };

  // The lines are memoised: they get one object that always calls the current functions.
  const current = useRef<LineCommands>(null);
  useEffect(() => {
    current.current = {
      focus: (row) => setFocused(row.key),
      open: ({ kind, id, parentId }) => onOpen({ kind, id, parentId }),
      expand: (row, isExpanded) => onExpand(row.key, isExpanded),
      select: (row, isSelected) => onSelect(row.id, isSelected),
      rename: (row) => setRenaming(row?.key ?? null),
      step,
      moveTo: onMoveTo,
      remove: (row) => void deleteAsked(editing, row.kind, [row.id]),
    };
  });
  const [commands] = useState((): LineCommands => {
    const now = (): LineCommands => current.current ?? nothing;
    return {
      focus: (row) => now().focus(row),
      open: (row) => now().open(row),
      expand: (row, isExpanded) => now().expand(row, isExpanded),
      select: (row, isSelected) => now().select(row, isSelected),
      rename: (row) => now().rename(row),
      step: (row, by) => now().step(row, by),
      moveTo: (row) => now().moveTo(row),
      remove: (row) => now().remove(row),
    };
  });

  const onKeyDown = (event: React.KeyboardEvent): void => {
    // The line and its name, which has the focus after a click; other controls handle their own keys.
    if (!focused || !(event.target instanceof HTMLElement)) return;
    const isName = event.target.matches('button[data-kind]');
    if (!isName && event.target.getAttribute('role') !== 'row') return;
    if (event.ctrlKey || event.metaKey || (isName && (event.key === 'Enter' || event.key === ' '))) return;
    const at = rows.indexOf(focused);
    const handled = event.altKey ? moveByKey(event.key, focused) : walkByKey(event.key, focused, at);
    if (handled) event.preventDefault();
  };
  const moveByKey = (key: string, row: TreeRow): boolean => {
    if (key === 'ArrowUp') step(row, -1);
    else if (key === 'ArrowDown') step(row, 1);
    else return false;
    return true;
  };
  const walkByKey = (key: string, row: TreeRow, at: number): boolean => {
    switch (key) {
      case 'ArrowDown':
        focusLine(rows[at + 1]?.key);
        return true;
      case 'ArrowUp':
        focusLine(rows[at - 1]?.key);
        return true;
      case 'Home':
        focusLine(rows[0]?.key);
        return true;
      case 'End':
        focusLine(rows.at(-1)?.key);
        return true;
      case 'ArrowRight':
        if (row.children > 0 && !row.isExpanded) onExpand(row.key, true);
        else if (row.isExpanded) focusLine(rows[at + 1]?.key);
        return true;
      case 'ArrowLeft':
        if (row.isExpanded) onExpand(row.key, false);
        else focusLine(row.parentKey ?? undefined);
        return true;
      case 'Enter':
        commands.open(row);
        return true;
      case 'F2':
        setRenaming(row.key);
        return true;
      case ' ':
        if (row.kind === 'item') onSelect(row.id, !selected.has(row.id));
        return true;
      case 'Delete':
        commands.remove(row);
        return true;
      default:
        return false;
    }
  };

  return (
    <TreeDrag rows={rows} onMove={move} onExpand={onExpand}>
      {(drop, draggedKey) => (
        <div
          ref={grid}
          role="treegrid"
          aria-label={m.menu_edit_tree()}
          aria-multiselectable
          className={classes.tree}
          onKeyDown={onKeyDown}
          tabIndex={-1}
        >
          {rows.map((row) => (
            <TreeLine
              key={row.key}
              row={row}
              commands={commands}
              isFocused={row.key === focused?.key}
              isOpened={opened?.id === row.id && opened.parentId === row.parentId}
              isSelected={row.kind === 'item' && selected.has(row.id)}
              isRenaming={renaming === row.key}
              drop={drop?.key === row.key ? drop.where : null}
              isDragged={row.key === draggedKey}
            />
          ))}
        </div>
      )}
    </TreeDrag>
  );
}

const ignore = (): void => undefined;
const nothing: LineCommands = {
  focus: ignore,
  open: ignore,
  expand: ignore,
  select: ignore,
  rename: ignore,
  step: ignore,
  moveTo: ignore,
  remove: ignore,
};

function lineOf(grid: HTMLElement | null, key: string): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}
