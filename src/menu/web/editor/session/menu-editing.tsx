import { useQuery } from '@tanstack/react-query';
import { type ReactNode, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import { m } from '#messages';
import type { MenuParts } from '#menu/fields.ts';
import { copyDishFieldsToChoices } from '#menu/deals.ts';
import { applyOperations, menusTakenOffSale } from '#menu/operations/apply-operation.ts';
import { type MenuEditingState, EditingContext, useMenuEditing } from '#menu/web/editor/session/editing-context.ts';
import { editingSessionOf, type EditingSession, menuPartsKey } from '#menu/web/editor/session/editing-session.ts';
import { indexParts } from '#menu/operations/menu-operation.ts';
import { fetchMenuParts } from '#menu/web/editor/session/edit-queue.ts';
import { queryClient } from '#ui/web/office/query-client.ts';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { STORES_CHANNEL } from '#store/channels.ts';
import { useChannel, usePollingInterval } from '#realtime/web/use-channel.ts';
import type { Store } from '#store/contract.ts';
import { confirmServiceEnd, CountOpenOrdersContext } from '#store/web/confirm-service-end.ts';
import { shopNow } from '#platform/web/clock.ts';
import { cancelAndRefetch } from '#platform/web/cancel-and-refetch.ts';
import { ActionIcon, Button, Group, Table } from '@mantine/core';
import { partFieldWords, fieldValueWords } from '#menu/web/editor/part-words.ts';
import { Dialog } from '#ui/web/office/dialogs.tsx';
import classes from '#menu/web/editor/session/saving-state.module.css';
import { Icon } from '#ui/web/office/office-icon.tsx';

/** Reads a store's menu, keeps it current, and provides the menu and its edits to the children. */
export function MenuEditingProvider({ store, children }: { store: Store; children: ReactNode }) {
  const session = editingSessionOf(store.id);
  const state = useSyncExternalStore(session.subscribe, session.read);
  const refetchInterval = usePollingInterval();
  const query = useQuery({
    queryKey: menuPartsKey(store.id),
    queryFn: ({ signal }) => fetchMenuParts(store.id, signal),
    refetchInterval,
  });
  const refetch = (): void => void cancelAndRefetch(queryClient, menuPartsKey(store.id));
  useChannel<{ 'menu.updated': { store_id: string } }>(
    STORES_CHANNEL,
    { 'menu.updated': ({ store_id: id }) => void (id === store.id && refetch()) },
    { onCaughtUp: refetch },
  );
  useUndoKeys(session);
  const countOpen = use(CountOpenOrdersContext);
  const { edits } = state;
  const parts = useMemo(
    () =>
      query.data &&
      copyDishFieldsToChoices(
        applyOperations(
          query.data,
          edits.flatMap((edit) => edit.operations),
        ),
      ),
    [query.data, edits],
  );
  const editing = useMemo((): Omit<MenuEditingState, 'state'> | null => {
    if (!parts) return null;
    const edit = askingEdit({ store, parts, session, countOpen });
    return { store, parts, index: indexParts(parts), session, countOpen, edit };
  }, [parts, store, session, countOpen]);
  const value = useMemo(() => editing && { ...editing, state }, [editing, state]);
  if (!value) {
    return query.isError ? (
      <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingState />
    );
  }
  return (
    <EditingContext value={value}>
      {children}
      <EditConflict />
    </EditingContext>
  );
}

/** Reads a store's saved menu again into the cache, and so updates the pages that show it. */
export async function refetchMenuParts(storeId: string): Promise<MenuParts> {
  const saved = await fetchMenuParts(storeId, AbortSignal.timeout(20_000));
  queryClient.setQueryData(menuPartsKey(storeId), saved);
  return saved;
}

function askingEdit({
  store,
  parts,
  session,
  countOpen,
}: Pick<MenuEditingState, 'store' | 'parts' | 'session' | 'countOpen'>): MenuEditingState['edit'] {
  return (label, operations) => {
    const ended = menusTakenOffSale(store, parts, operations, new Date(shopNow()));
    if (ended.length === 0) return session.edit(label, operations);
    const name = ended.map((menu) => menu.name).join(', ');
    const question = {
      title: m.menu_edit_ends_title({ name }),
      body: m.menu_edit_ends_body(),
      action: m.menu_edit_ends(),
    };
    void confirmServiceEnd(question, countOpen, [store.id]).then((isSure) => isSure && session.edit(label, operations));
  };
}

/**
 * Undoes by Ctrl+Z and redoes by Ctrl+Shift+Z or Ctrl+Y, or with ⌘. A focused text field undoes its own typing instead.
 */
function useUndoKeys(session: EditingSession): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if ((key !== 'z' && key !== 'y') || isTyping(event.target)) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) session.redo();
      else session.undo();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [session]);
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'button'].includes(target.type);
}

function EditConflict() {
  const { state, session, store, index } = useMenuEditing();
  const { conflict } = state;
  if (!conflict) return null;
  const { edit, at, fields, current } = conflict;
  const operation = edit.operations[at];
  const wanted: Record<string, unknown> = operation?.kind === 'change' ? operation.fields : {};
  const words = (field: string, value: unknown) => fieldValueWords(field, value, { currency: store.currency, index });
  return (
    <Dialog
      opened
      size="lg"
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={m.menu_edit_conflict_title({ name: String(current['name'] ?? edit.label) })}
    >
      <p>{m.menu_edit_conflict_hint()}</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{m.menu_edit_conflict_field()}</Table.Th>
            <Table.Th>{m.menu_edit_conflict_theirs()}</Table.Th>
            <Table.Th>{m.menu_edit_conflict_mine()}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{partFieldWords(field)}</Table.Th>
              <Table.Td data-theirs>{words(field, current[field])}</Table.Td>
              <Table.Td data-mine>{words(field, wanted[field])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => session.settle('theirs')}>
          {m.menu_edit_conflict_keep()}
        </Button>
        <Button onClick={() => session.settle('mine')}>{m.menu_edit_conflict_overwrite()}</Button>
      </Group>
    </Dialog>
  );
}

export function SavingStateToolbar() {
  const { state, session } = useMenuEditing();
  const { edits, isStuck, conflict, past, future } = state;
  const status = conflict ? 'conflict' : isStuck ? 'stuck' : edits.length > 0 ? 'saving' : 'saved';
  const words = {
    conflict: m.menu_edit_not_saved(),
    stuck: m.menu_edit_waiting({ count: edits.length }),
    saving: m.menu_edit_saving(),
    saved: m.menu_edit_saved(),
  }[status];
  const last = past.at(-1);
  const next = future.at(-1);
  return (
    <div className={classes.saving}>
      <output data-saving={status}>
        <Icon name={status === 'saved' ? 'check' : status === 'stuck' ? 'offline' : 'clock'} /> {words}
      </output>
      {status === 'stuck' && (
        <Button variant="default" onClick={session.wake}>
          {m.platform_retry()}
        </Button>
      )}
      <ActionIcon
        aria-label={last ? m.menu_edit_undo_what({ what: last.label }) : m.platform_undo()}
        disabled={!last}
        onClick={session.undo}
      >
        <Icon name="undo" />
      </ActionIcon>
      <ActionIcon
        className={classes.redo}
        aria-label={next ? m.menu_edit_redo_what({ what: next.label }) : m.menu_edit_redo()}
        disabled={!next}
        onClick={session.redo}
      >
        <Icon name="undo" />
      </ActionIcon>
    </div>
  );
}
