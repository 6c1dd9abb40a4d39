import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';

/** What a key does to the line with the focus; a `focus` of undefined is the end of the tree. */
export type KeyCommand =
  | { step: -1 | 1 }
  | { focus: string | undefined }
  | { expand: boolean }
  | { run: 'open' | 'rename' | 'remove' | 'select' };

/** The keys of a treegrid (WAI-ARIA), and our own; null for any other key. */
export function keyCommand(
  { key, altKey }: { key: string; altKey: boolean },
  row: TreeRow,
  rows: readonly TreeRow[],
): KeyCommand | null {
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
    case 'ArrowRight':
      if (row.children > 0 && !row.isExpanded) return { expand: true };
      return { focus: row.isExpanded ? rows[at + 1]?.key : undefined };
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
