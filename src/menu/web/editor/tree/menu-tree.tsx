import { m } from '#messages';
import { isDishChoice } from '#menu/deals.ts';
import classes from '#menu/web/editor/tree/menu-tree.module.css';
import type { OpenPartPanel, PanelTarget } from '#menu/web/editor/edit-fields.tsx';
import { TreeDragAndDrop, TreeLine } from '#menu/web/editor/tree/tree-line.tsx';
import { isMovable, type PartMove, makeMoveOperations, type TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { useEffect, useRef, useState } from 'react';
import { confirmAndDeletePart } from '#menu/web/editor/deletion.tsx';
import { useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import type { TreeLineCommands } from '#menu/web/editor/tree/line-cells.tsx';

interface TreeProps extends TreeHandlers {
  rows: readonly TreeRow[];
  opened: PanelTarget | null;
}

/**
 * The menu as a treegrid (WAI-ARIA). Arrows move the focus, and open and close lines; Alt and an arrow move the part.
 * Tab reaches only the focused line's controls.
 */
export function MenuTree({ rows, opened, ...handlers }: TreeProps) {
  const { grid, focused, renaming, commands, move, onKeyDown } = useMenuTree(rows, handlers);
  const { selected, onExpand } = handlers;
  return (
    <TreeDragAndDrop rows={rows} onMove={move} onExpand={onExpand}>
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
    </TreeDragAndDrop>
  );
}

interface TreeHandlers {
  onOpen: OpenPartPanel;
  onExpand: (key: string, isExpanded: boolean) => void;
  selected: ReadonlySet<string>;
  onSelect: (itemId: string, isSelected: boolean) => void;
  onMoveTo: (row: TreeRow) => void;
  onAddBelow: (row: TreeRow) => void;
}

function useMenuTree(rows: readonly TreeRow[], handlers: TreeHandlers) {
  const { onOpen, onExpand, selected, onSelect, onMoveTo, onAddBelow } = handlers;
  const editing = useMenuEditing();
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
  // The focus follows a line that was moved by keyboard.
  useEffect(() => {
    const key = wantsFocus.current;
    if (key === null) return;
    const line = lineOf(grid.current, key);
    if (!line) return;
    wantsFocus.current = null;
    line.focus();
  });

  const move = (row: TreeRow, to: Pick<PartMove, 'to' | 'at'>): void => {
    if (!isMovable(row.kind) || row.parentId === null) return;
    edit(
      m.menu_edit_moved({ name: row.part.name }),
      makeMoveOperations(parts, { kind: row.kind, id: row.id, from: row.parentId, ...to }),
    );
  };
  const step = (row: TreeRow, by: -1 | 1): void => {
    const at = row.place - 1 + by;
    if (row.parentId === null || at < 0 || at >= row.siblings) return;
    wantsFocus.current = row.key;
    move(row, { to: row.parentId, at });
  };

  const commands = useStableCommands({
    focus: (row) => setFocused(row.key),
    open: ({ kind, id, parentId }) => onOpen({ kind, id, parentId }),
    expand: (row, isExpanded) => onExpand(row.key, isExpanded),
    select: (row, isSelected) => onSelect(row.id, isSelected),
    rename: (row) => (row && isDishChoice(row.part) ? onOpen(row) : setRenaming(row?.key ?? null)),
    step,
    moveTo: onMoveTo,
    addBelow: onAddBelow,
    remove: (row) => void confirmAndDeletePart(editing, row.kind, [row.id]),
  });

  const onKeyDown = (event: React.KeyboardEvent): void => {
    // Keys are handled on the line, or on its name after a click; other controls handle their own keys.
    if (!focused || !(event.target instanceof HTMLElement)) return;
    const isName = event.target.matches('button[data-kind]');
    if (!isName && event.target.getAttribute('role') !== 'row') return;
    if (event.ctrlKey || event.metaKey || (isName && (event.key === 'Enter' || event.key === ' '))) return;
    const command = treeKeyCommand(event, focused, rows);
    if (!command) return;
    event.preventDefault();
    if ('step' in command) step(focused, command.step);
    else if ('focus' in command) focusLine(command.focus);
    else if ('expand' in command) onExpand(focused.key, command.expand);
    else if (command.run === 'select') onSelect(focused.id, !selected.has(focused.id));
    else commands[command.run](focused);
  };
  return { grid, focused, renaming, commands, move, onKeyDown };
}

/**
 * Returns one object for all renders, so that the lines stay memoised. The object's functions call the latest commands.
 */
function useStableCommands(commands: TreeLineCommands): TreeLineCommands {
  const current = useRef<TreeLineCommands>(null);
  useEffect(() => {
    current.current = commands;
  });
  const [steady] = useState((): TreeLineCommands => {
    const now = (): TreeLineCommands => current.current ?? nothing;
    return {
      focus: (row) => now().focus(row),
      open: (row) => now().open(row),
      expand: (row, isExpanded) => now().expand(row, isExpanded),
      select: (row, isSelected) => now().select(row, isSelected),
      rename: (row) => now().rename(row),
      step: (row, by) => now().step(row, by),
      moveTo: (row) => now().moveTo(row),
      addBelow: (row) => now().addBelow(row),
      remove: (row) => now().remove(row),
    };
  });
  return steady;
}

const ignore = (): void => undefined;
const nothing: TreeLineCommands = {
  focus: ignore,
  open: ignore,
  expand: ignore,
  select: ignore,
  rename: ignore,
  step: ignore,
  moveTo: ignore,
  addBelow: ignore,
  remove: ignore,
};

function lineOf(grid: HTMLElement | null, key: string): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}

/** A keyboard command for the focused line. `focus`: the `key` of the row to focus; undefined: the focus stays. */
export type TreeKeyCommand =
  | { step: -1 | 1 }
  | { focus: string | undefined }
  | { expand: boolean }
  | { run: 'open' | 'rename' | 'remove' | 'select' };

/** The command of a key: one of a treegrid's keys (WAI-ARIA), or one of the editor's own; null for other keys. */
export function treeKeyCommand(
  { key, altKey }: { key: string; altKey: boolean },
  row: TreeRow,
  rows: readonly TreeRow[],
): TreeKeyCommand | null {
  if (altKey) return key === 'ArrowUp' ? { step: -1 } : key === 'ArrowDown' ? { step: 1 } : null;
  const at = rows.indexOf(row);
  switch (key) {
    case 'ArrowDown':
      return { focus: rows[at + 1]?.key };
    case 'ArrowUp':
      return { focus: rows[at - 1]?.key };
    case 'Home':
      return { focus: rows[0]?.key };
    case 'End':
      return { focus: rows.at(-1)?.key };
    default:
      return keyOfLine(key, row, rows[at + 1]);
  }
}

function keyOfLine(key: string, row: TreeRow, next: TreeRow | undefined): TreeKeyCommand | null {
  switch (key) {
    case 'ArrowRight':
      if (row.children > 0 && !row.isExpanded) return { expand: true };
      return { focus: row.isExpanded ? next?.key : undefined };
    case 'ArrowLeft':
      return row.isExpanded ? { expand: false } : { focus: row.parentKey ?? undefined };
    case 'Enter':
      return { run: 'open' };
    case 'F2':
      return { run: 'rename' };
    case 'Delete':
      return { run: 'remove' };
    case ' ':
      return row.kind === 'item' ? { run: 'select' } : { focus: undefined };
    default:
      return null;
  }
}
