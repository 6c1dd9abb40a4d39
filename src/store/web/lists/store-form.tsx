import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { api, ApiError } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { refetchStores } from '#store/web/stores.ts';
import { notify } from '#ui/web/notify.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

const fields = ['name', 'phone', 'email'] as const;
type Draft = Record<(typeof fields)[number], string>;

interface FormProps {
  /** null: a new shop. */
  store: Store | null;
  onDone: () => void;
  onManage: (id: string) => void;
}

/** A shop's name, and how to contact it. */
export function StoreForm({ store, onDone, onManage }: FormProps) {
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
