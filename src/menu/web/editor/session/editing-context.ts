import { createContext, use } from 'react';
import type { MenuParts } from '#menu/fields.ts';
import type { EditingSession, EditingSessionState } from '#menu/web/editor/session/editing-session.ts';
import type { PartsIndex } from '#menu/operations/menu-operation.ts';
import type { Store } from '#store/contract.ts';
import type { CountOpenOrders } from '#store/web/confirm-service-end.ts';

export interface MenuEditingState {
  store: Store;
  parts: MenuParts;
  index: PartsIndex;
  session: EditingSession;
  state: EditingSessionState;
  countOpen: CountOpenOrders;
  /** Makes an edit. If customers would lose an available menu, it asks for a confirmation first. */
  edit: EditingSession['edit'];
}

export const EditingContext = createContext<MenuEditingState | null>(null);

export function useMenuEditing(): MenuEditingState {
  const editing = use(EditingContext);
  if (!editing) throw new Error('Only within <MenuEditingProvider>.');
  return editing;
}
