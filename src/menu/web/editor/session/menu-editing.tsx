import { useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useMemo, useSyncExternalStore } from 'react';
import { m } from '#messages';
import { applyOperations } from '#menu/operations/apply-operation.ts';
import { EditingContext, type Editing } from '#menu/web/editor/session/editing-context.ts';
import { editingSession, partsKey } from '#menu/web/editor/session/editing-session.ts';
import { endedMenus } from '#menu/operations/ended-menus.ts';
import { indexParts } from '#menu/operations/menu-part.ts';
import { EditConflict } from '#menu/web/editor/session/edit-conflict.tsx';
import { fetchParts } from '#menu/web/editor/session/send-edit.ts';
import { useUndoKeys } from '#menu/web/editor/session/use-undo-keys.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel, usePollingInterval } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';
import { confirmEnd, OpenOrders } from '#store/web/open-orders.ts';
import { shopNow } from '#platform/web/clock.ts';
import { fetchAgain } from '#platform/web/fetch-again.ts';

/** Reads a store's menu, keeps it up to date, and gives its children the functions to edit it. */
export function MenuEditing({ store, children }: { store: Store; children: ReactNode }) {
  const session = editingSession(store.id);
  const state = useSyncExternalStore(session.subscribe, session.read);
  const refetchInterval = usePollingInterval();
  const query = useQuery({
    queryKey: partsKey(store.id),
    queryFn: ({ signal }) => fetchParts(store.id, signal),
    refetchInterval,
  });
  const refetch = (): void => void fetchAgain(queryClient, partsKey(store.id));
  useChannel<{ 'menu.updated': { store_id: string } }>(
    STORES_CHANNEL,
    { 'menu.updated': ({ store_id: id }) => void (id === store.id && refetch()) },
    { onCaughtUp: refetch },
  );
  useUndoKeys(session);
  const countOpen = use(OpenOrders);
  const { edits } = state;
  const parts = useMemo(
    () =>
      query.data &&
      applyOperations(
        query.data,
        edits.flatMap((edit) => edit.operations),
      ),
    [query.data, edits],
  );
  const editing = useMemo((): Omit<Editing, 'state'> | null => {
    if (!parts) return null;
    const edit = askingEdit({ store, parts, session, countOpen });
    return { store, parts, index: indexParts(parts), session, countOpen, edit };
  }, [parts, store, session, countOpen]);
  const value = useMemo(() => editing && { ...editing, state }, [editing, state]);
  if (!value) {
    return query.isError ? <Trouble error={query.error} onRetry={() => void query.refetch()} /> : <Waiting />;
  }
  return (
    <EditingContext value={value}>
      {children}
      <EditConflict />
    </EditingContext>
  );
}

/** Makes an edit at once, or asks before one that takes a menu from customers who can order from it now. */
function askingEdit({
  store,
  parts,
  session,
  countOpen,
}: Pick<Editing, 'store' | 'parts' | 'session' | 'countOpen'>): Editing['edit'] {
  return (label, operations) => {
    const ended = endedMenus(store, parts, operations, new Date(shopNow()));
    if (ended.length === 0) return session.edit(label, operations);
    const name = ended.map((menu) => menu.name).join(', ');
    const question = {
      title: m.menu_edit_ends_title({ name }),
      body: m.menu_edit_ends_body(),
      action: m.menu_edit_ends(),
    };
    void confirmEnd(question, countOpen, [store.id]).then((isSure) => isSure && session.edit(label, operations));
  };
}
