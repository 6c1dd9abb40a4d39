import { Alert, Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import type { Factors, Passkey } from '#accounts/factor-contract.ts';
import classes from '#accounts/web/devices/devices.module.css';
import { AuthenticatorApp } from '#accounts/web/factors/authenticator-app.tsx';
import { factorsQuery, type PartProps, tell, withTimeout } from '#accounts/web/factors/factor-parts.ts';
import { OtherDevices } from '#accounts/web/factors/other-devices.tsx';
import { OwnPassword } from '#accounts/web/factors/own-password.tsx';
import { OwnData } from '#accounts/web/factors/own-data.tsx';
import { canUsePasskeys, makePasskey } from '#accounts/web/factors/passkey-browser.ts';
import { RecoveryCodes } from '#accounts/web/factors/recovery-codes.tsx';
import { useSession } from '#accounts/web/session.ts';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { Trouble, Waiting } from '#ui/web/office/states.tsx';

/** How the person in the office signs in. */
export function FactorsPage({ store }: { store: Store }) {
  const { user } = useSession();
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  const query = useQuery(factorsQuery);
  const take = ({ recovery_codes: made, ...factors }: Factors) => {
    client.setQueryData(factorsQuery.queryKey, factors);
    if (made) setCodes(made);
  };
  const factors = query.data;
  return (
    <OfficePage title={m.office_page_factors()} hint={m.accounts_factors_hint()}>
      {query.isPending && <Waiting />}
      {query.isError && !factors && <Trouble error={query.error} onRetry={() => void query.refetch()} />}
      {factors?.is_removed_at_start && (
        <Alert color="bad" maw="54rem" mb="lg">
          {m.accounts_factors_removed_at_start()}
        </Alert>
      )}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {factors && (
        <>
          <Passkeys factors={factors} store={store} onChange={take} />
          <AuthenticatorApp factors={factors} store={store} onChange={take} />
          {(factors.passkeys.length > 0 || factors.totp_since) && <CodesLeft factors={factors} onChange={take} />}
          {user && <OwnPassword user={user} factors={factors} />}
          <OtherDevices />
          <OwnData />
        </>
      )}
    </OfficePage>
  );
}

function Passkeys({ factors, store, onChange }: PartProps) {
  const add = useMutation({
    mutationFn: async () => {
      const { data } = await api('POST /v1/auth/passkeys/begin', {}, withTimeout);
      const response = await makePasskey(data);
      return (await api('POST /v1/auth/passkeys', { response }, withTimeout)).data;
    },
    onSuccess: onChange,
    onError: tell,
  });
  const remove = useMutation({
    mutationFn: async (id: string) => (await api('DELETE /v1/auth/passkeys/{id}', { id }, withTimeout)).data,
    onSuccess: onChange,
    onError: tell,
  });
  const ask = async ({ id, name }: Passkey): Promise<void> => {
    const title = m.accounts_passkey_remove_title({ name });
    const body = m.accounts_passkey_remove_means();
    if (await confirm({ title, body, action: m.accounts_factor_remove(), isDangerous: true })) remove.mutate(id);
  };
  const mayAdd = factors.can_have_passkeys && canUsePasskeys();
  return (
    <section className={classes.panel} aria-label={m.accounts_passkeys()}>
      <h2>{m.accounts_passkeys()}</h2>
      <p>{m.accounts_passkeys_hint()}</p>
      {factors.passkeys.length > 0 && (
        <ul className={classes.list}>
          {factors.passkeys.map((passkey) => (
            <li key={passkey.id} className={classes.head}>
              <span>
                {passkey.name} <span className={classes.soft}>{dateWords(passkey.created_at, store.timezone)}</span>
              </span>
              <Button variant="subtle" color="bad" loading={remove.isPending} onClick={() => void ask(passkey)}>
                {m.accounts_factor_remove()}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {mayAdd ? (
        <Group>
          <Button loading={add.isPending} onClick={() => add.mutate()}>
            {m.accounts_passkey_add()}
          </Button>
        </Group>
      ) : (
        <p className={classes.soft}>{m.accounts_passkey_nowhere()}</p>
      )}
    </section>
  );
}

function CodesLeft({ factors, onChange }: Omit<PartProps, 'store'>) {
  const make = useMutation({
    mutationFn: async () => (await api('POST /v1/auth/recovery-codes', {}, withTimeout)).data,
    onSuccess: onChange,
    onError: tell,
  });
  return (
    <section className={classes.panel} aria-label={m.accounts_recovery()}>
      <h2>{m.accounts_recovery()}</h2>
      <p>{m.accounts_recovery_left({ count: factors.recovery_codes_left })}</p>
      <Group>
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          {m.accounts_recovery_new()}
        </Button>
      </Group>
    </section>
  );
}
