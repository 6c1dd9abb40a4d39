import type { TreeRow } from '#menu/web/editor/tree/tree-rows.ts';

/** The actions on a line. */
export interface LineCommands {
  focus: (row: TreeRow) => void;
  open: (row: Pick<TreeRow, 'kind' | 'id' | 'parentId'>) => void;
  expand: (row: TreeRow, isExpanded: boolean) => void;
  select: (row: TreeRow, isSelected: boolean) => void;
  rename: (row: TreeRow | null) => void;
  step: (row: TreeRow, by: -1 | 1) => void;
  moveTo: (row: TreeRow) => void;
  remove: (row: TreeRow) => void;
}
