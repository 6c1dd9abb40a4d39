import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import classes from '#offers/web/offers.module.css';
import { api, ApiError } from '#platform/web/api.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';

interface ShownCustomer {
  name: string;
  email: string;
}

const timeout = 15_000;
const keyOf = (id: string) => ['offers', 'customer', id];

interface ChoiceProps {
  chosen: readonly string[];
  error?: string | undefined;
  onChange: (ids: string[]) => void;
}

export function CustomerChoice({ chosen, error, onChange }: ChoiceProps) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), 300);
  const isSought = sought.length >= 2 && typed.trim() !== '';
  const { data, error: failure } = useQuery({
    queryKey: ['offers', 'customers', sought],
    enabled: isSought,
    queryFn: ({ signal }) => api('GET /v1/customers', { search: sought, per_page: 8 }, { signal, timeout }),
  });
  const found = isSought ? data?.data.filter(({ id }) => !chosen.includes(id)) : undefined;
  return (
    <div className={classes.form}>
      <TextInput
        label={m.offers_customers()}
        description={m.offers_customers_hint()}
        value={typed}
        maxLength={100}
        autoComplete="off"
        error={error}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter is suppressed, because it would save the offer.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <p role="status" className={classes.hint}>
        {isSought && failure && refusalWords(failure)}
        {isSought && data?.data.length === 0 && m.offers_customers_none({ text: sought })}
      </p>
      <ul className={classes.people}>
        {found?.map(({ id, name, email }) => (
          <li key={id}>
            <PersonWords name={name} email={email} />
            <Button
              variant="default"
              aria-label={m.offers_customer_add_of({ name })}
              onClick={() => {
                client.setQueryData<ShownCustomer>(keyOf(id), { name, email });
                setTyped('');
                onChange([...chosen, id]);
              }}
            >
              {m.offers_customer_add()}
            </Button>
          </li>
        ))}
      </ul>
      <ChosenCustomers chosen={chosen} onChange={onChange} />
    </div>
  );
}

function ChosenCustomers({ chosen, onChange }: Pick<ChoiceProps, 'chosen' | 'onChange'>) {
  const customers = useQueries({
    queries: chosen.map((id) => ({ queryKey: keyOf(id), queryFn: () => readCustomer(id) })),
  });
  return (
    <ul className={classes.people}>
      {chosen.map((id, place) => {
        const { data, isError } = customers[place] ?? {};
        const name =
          data?.name ?? (data === null ? m.offers_customer_erased() : isError ? m.offers_customer_unread() : '…');
        return (
          <li key={id}>
            <PersonWords name={name} email={data?.email ?? ''} />
            <Button
              variant="subtle"
              aria-label={m.offers_customer_remove_of({ name })}
              onClick={() => onChange(chosen.filter((one) => one !== id))}
            >
              {m.offers_customer_remove()}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function PersonWords({ name, email }: ShownCustomer) {
  return (
    <span>
      {name} <span className={classes.hint}>{email}</span>
    </span>
  );
}

/** Returns a customer's name and email address; null if the account was deleted. */
async function readCustomer(id: string): Promise<ShownCustomer | null> {
  try {
    const { name, email } = (await api('GET /v1/customers/{id}', { id }, { timeout })).data;
    return { name, email };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}
