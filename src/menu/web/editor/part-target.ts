import type { PartKind } from '#menu/operations/menu-part.ts';

/** A part of the menu that is looked at, and the parent through which, where that matters. */
export interface PartTarget {
  kind: PartKind;
  id: string;
  parentId: string | null;
  /** Just made, under a name to be typed over. */
  isNew?: boolean;
}

export type OpenPart = (target: PartTarget) => void;
