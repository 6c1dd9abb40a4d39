import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { use, useState } from 'react';
import { useLocation } from 'wouter';
import { m } from '#messages';
import { visibleRowsOf } from '#ui/list-view.ts';
import { type ListColumn, DataList } from '#ui/web/office/data-list.tsx';
import { confirm, SideSheet } from '#ui/web/office/dialogs.tsx';
import { Icon } from '#ui/web/office/office-icon.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { EmptyState } from '#ui/web/office/states.tsx';
import { useListView } from '#ui/web/office/use-paged-list.ts';
import { saveChosenStoreId, refetchStores, useStoresQuery } from '#store/web/stores.ts';
import { confirmStoppingOrders, CountOpenOrdersContext } from '#store/web/confirm-service-end.ts';
import type { Store } from '#store/contract.ts';
import { compareNames } from '#platform/compare-names.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

export function StoresPage() {
  const query = useStoresQuery();
  const stores = query.data ?? [];
  const countOpen = use(CountOpenOrdersContext);
  const { view, change } = useListView();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<Store | 'new' | null>(null);
  const shown = visibleRowsOf(stores, view, {
    textOf: (store) => `${store.name} ${store.slug} ${store.address.city} ${store.address.postcode}`,
    sorts: {
      name: (a, b) => compareNames(a.name, b.name),
      city: (a, b) => compareNames(a.address.city, b.address.city),
    },
  });
  const showChanged = async (): Promise<void> => {
    setSelected(new Set());
    await refetchStores();
  };
  const deleteThem = async (ids: ReadonlySet<string>): Promise<void> => {
    if (await deleteStores(stores.filter(({ id }) => ids.has(id)))) await showChanged();
  };
  const take = async (isAccepting: boolean): Promise<void> => {
    if (!isAccepting && !(await confirmStoppingOrders(countOpen, [...selected]))) return;
    await takeOrders(selected, isAccepting);
    await showChanged();
  };
  return (
    <OfficePage
      title={m.office_page_stores()}
      actions={
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpened('new')}>
          {m.store_list_new()}
        </Button>
      }
    >
      <DataList
        label={m.office_page_stores()}
        columns={columns()}
        rows={query.data && shown.rows}
        rowId={(store) => store.id}
        rowName={(store) => store.name}
        view={{ ...view, page: shown.page }}
        onView={change}
        total={shown.total}
        pages={shown.pages}
        error={query.error}
        onRetry={() => void query.refetch()}
        selection={{
          ids: selected,
          onChange: setSelected,
          actions: (
            <>
              <Button variant="default" onClick={() => void take(true)}>
                {m.store_list_orders_yes()}
              </Button>
              <Button variant="default" onClick={() => void take(false)}>
                {m.store_list_orders_no()}
              </Button>
              <Button variant="light" color="bad" onClick={() => void deleteThem(selected)}>
                {m.store_list_delete()}
              </Button>
            </>
          ),
        }}
        rowActions={(store) => (
          <ActionIcon
            color="bad"
            aria-label={m.store_list_delete_one({ name: store.name })}
            onClick={() => void deleteThem(new Set([store.id]))}
          >
            <Icon name="close" />
          </ActionIcon>
        )}
        onOpen={setOpened}
        empty={<EmptyState title={m.office_no_store()} />}
      />
      <OpenedStore opened={opened} onClose={() => setOpened(null)} />
    </OfficePage>
  );
}

function OpenedStore({ opened, onClose }: { opened: Store | 'new' | null; onClose: () => void }) {
  const [, go] = useLocation();
  return (
    <SideSheet
      opened={opened !== null}
      onClose={onClose}
      position="right"
      size="min(30rem, 100%)"
      title={opened === 'new' ? m.store_list_new() : (opened?.name ?? '')}
    >
      {opened && (
        <StoreForm
          key={opened === 'new' ? 'new' : opened.id}
          store={opened === 'new' ? null : opened}
          onDone={onClose}
          onManage={(id) => {
            saveChosenStoreId(id);
            go('/store/manage');
          }}
        />
      )}
    </SideSheet>
  );
}

function columns(): ListColumn<Store>[] {
  return [
    { key: 'name', label: m.store_list_name(), cell: (store) => store.name, isSortable: true },
    { key: 'city', label: m.store_list_city(), cell: (store) => store.address.city || '–', isSortable: true },
    { key: 'phone', label: m.store_list_phone(), cell: (store) => store.phone || '–' },
    {
      key: 'state',
      label: m.store_list_orders(),
      cell: (store) => (store.is_accepting_orders ? m.store_list_orders_yes() : m.store_list_orders_no()),
    },
  ];
}

/** The timeout of a call, in milliseconds. */
const timeout = 15_000;

/**
 * Asks the owner for confirmation, deletes the stores, and reports each store that cannot be deleted. Returns false if
 * the owner cancels.
 */
async function deleteStores(doomed: readonly Pick<Store, 'id' | 'name'>[]): Promise<boolean> {
  const isSure = await confirm({
    title: m.store_list_delete_title({ names: doomed.map(({ name }) => name).join(', ') }),
    body: m.store_list_delete_words(),
    action: m.store_list_delete(),
    isDangerous: true,
  });
  if (!isSure) return false;
  for (const { id, name } of doomed) {
    try {
      await api('DELETE /v1/stores/{id}', { id }, { timeout });
      notify({ text: m.store_list_deleted({ name }) });
    } catch (error) {
      notify({ text: `${name}: ${refusalWords(error)}`, tone: 'bad' });
    }
  }
  return true;
}

async function takeOrders(ids: Iterable<string>, isAccepting: boolean): Promise<void> {
  try {
    for (const id of ids) await api('PATCH /v1/stores/{id}', { id, is_accepting_orders: isAccepting }, { timeout });
    notify({ text: isAccepting ? m.store_list_orders_yes() : m.store_list_orders_no() });
  } catch (error) {
    notify({ text: refusalWords(error), tone: 'bad' });
  }
}

const fields = ['name', 'phone', 'email'] as const;
type Draft = Record<(typeof fields)[number], string>;

interface FormProps {
  /** The shop to change; null: a new shop. */
  store: Store | null;
  onDone: () => void;
  onManage: (id: string) => void;
}

function StoreForm({ store, onDone, onManage }: FormProps) {
  const [draft, setDraft] = useState<Draft>({
    name: store?.name ?? '',
    phone: store?.phone ?? '',
    email: store?.email ?? '',
  });
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const labels = { name: m.store_list_name(), phone: m.store_list_phone(), email: m.store_list_email() };
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      if (store) {
        const was = { name: store.name, phone: store.phone, email: store.email };
        await api('PATCH /v1/stores/{id}', { id: store.id, ...draft, was }, { timeout: 15_000 });
      } else await api('POST /v1/stores', draft, { timeout: 15_000 });
      await refetchStores();
      notify({ text: m.store_list_saved({ name: draft.name }) });
      onDone();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : new ApiError(0, {}));
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        {fields.map((field) => (
          <TextInput
            key={field}
            label={labels[field]}
            type={field === 'email' ? 'email' : 'text'}
            value={draft[field]}
            error={error?.errors[field]?.[0]}
            onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
          />
        ))}
        {error && Object.keys(error.errors).length === 0 && <p role="alert">{refusalWords(error)}</p>}
        <Group>
          <Button type="submit" loading={isBusy}>
            {m.store_list_save()}
          </Button>
          {store && (
            <Button variant="default" onClick={() => onManage(store.id)}>
              {m.store_list_manage()}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
