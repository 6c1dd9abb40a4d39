import { createContext, use } from 'react';
import type { MenuParts } from '#menu/endpoints-editing.ts';
import type { EditingSession, SessionState } from '#menu/web/editor/editing-session.ts';
import type { Change } from '#menu/web/editor/menu-change.ts';
import type { PartKind, PartsIndex } from '#menu/web/editor/menu-part.ts';
import type { Store } from '#store/contract.ts';

export interface Editing {
  store: Store;
  /** The menu with everything that was done here, sent or not. */
  parts: MenuParts;
  index: PartsIndex;
  session: EditingSession;
  state: SessionState;
  edit: EditingSession['edit'];
  /** The change that makes a new thing, and the id it will have. */
  make: (kind: PartKind, fields: Record<string, unknown> & { name: string }) => { id: string; change: Change };
}

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (!editing) throw new Error('Only within <MenuEditing>.');
  return editing;
}
