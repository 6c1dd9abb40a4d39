import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { m } from '#messages';
import { presetHours } from '#office/web/guided-set-up/hours-presets.ts';
import { api, ApiError } from '#platform/web/api.ts';
import { refetchStores } from '#store/web/stores.ts';
import { notify } from '#ui/web/notify.ts';
import classes from '#ui/web/office/states.module.css';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

/** Asks an owner who has no shop yet for the name of the first one. The new shop takes no orders until it goes live. */
export function FirstShop() {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [, go] = useLocation();
  const begin = async (): Promise<void> => {
    if (name.trim() === '') return setFault(m.office_setup_missing());
    setBusy(true);
    setFault(null);
    try {
      const hours = presetHours('evenings', []);
      await api('POST /v1/stores', {
        name: name.trim(),
        is_accepting_orders: false,
        operational_hours: hours,
        is_first: true,
      });
    } catch (error) {
      const isNamed = error instanceof ApiError && error.code === 'conflict';
      if (!isNamed) {
        setFault(refusalWords(error));
        setBusy(false);
        return;
      }
      notify({ text: error.message });
    }
    go('/admin/set-up');
    await refetchStores();
  };
  return (
    <main className={classes.middle}>
      <h1>{m.office_first_shop()}</h1>
      <p>{m.office_first_shop_why()}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <TextInput
          label={m.office_first_shop_name()}
          autoComplete="organization"
          maxLength={80}
          value={name}
          error={fault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" mt="md" loading={isBusy}>
          {m.office_first_shop_begin()}
        </Button>
      </form>
    </main>
  );
}
