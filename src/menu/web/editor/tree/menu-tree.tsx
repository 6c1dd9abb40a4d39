import { m } from '#messages';
import classes from '#menu/web/editor/tree/menu-tree.module.css';
import type { PartTarget } from '#menu/web/editor/part-target.ts';
import { TreeDrag } from '#menu/web/editor/tree/tree-drag.tsx';
import { TreeLine } from '#menu/web/editor/tree/tree-line.tsx';
import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';
import { type TreeHandlers, useMenuTree } from '#menu/web/editor/tree/use-menu-tree.ts';

interface TreeProps extends TreeHandlers {
  rows: readonly TreeRow[];
  opened: PartTarget | null;
}

/**
 * The menu as a treegrid (WAI-ARIA): one line has the focus; arrows move it, open and close lines; Alt and an arrow
 * move the thing itself. Only the focused line's controls can be reached by Tab.
 */
export function MenuTree({ rows, opened, ...handlers }: TreeProps) {
  const { grid, focused, renaming, commands, move, onKeyDown } = useMenuTree(rows, handlers);
  const { selected, onExpand } = handlers;
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
