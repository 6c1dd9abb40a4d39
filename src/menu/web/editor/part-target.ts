import type { PartKind } from '#menu/operations/menu-part.ts';

/** The selected part of the menu, and the parent through which it was selected, if that matters. */
export interface PartTarget {
  kind: PartKind;
  id: string;
  parentId: string | null;
  /** It was just created, and its name is selected for typing over it. */
  isNew?: boolean;
}

export type OpenPart = (target: PartTarget) => void;
