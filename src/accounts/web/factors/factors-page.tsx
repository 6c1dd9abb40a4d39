import { Alert, Button, Group, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type InputEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { Factors, Passkey } from '#accounts/factor-contract.ts';
import classes from '#accounts/web/devices/devices.module.css';
import {
  factorsQuery,
  type FactorSectionProps,
  signInsQueryKey,
  notifyFactorFailure,
  factorCallOptions,
} from '#accounts/web/factors/factor-queries.ts';
import { canUsePasskeys, makePasskey } from '#accounts/web/factors/passkey-browser.ts';
import { setUser, useSession } from '#accounts/web/session.ts';
import { dateWords } from '#platform/date-words.ts';
import { api, ApiError, type ApiInput, type ApiAnswer } from '#platform/web/api.ts';
import type { Store } from '#store/contract.ts';
import { confirm } from '#ui/web/office/dialogs.tsx';
import { OfficePage } from '#ui/web/office/office-page.tsx';
import { OfficeLoadFailure, LoadingState } from '#ui/web/office/states.tsx';
import { jsonFile, saveFile } from '#ui/web/save-file.ts';
import { notify } from '#ui/web/notify.ts';
import type { User } from '#accounts/contract.ts';
import { UsernameField } from '#accounts/web/account-fields.tsx';
import {
  formFailureOf,
  browserFormErrors,
  noFormFailure,
  formFieldText,
  withoutFieldErrors,
} from '#ui/web/form-errors.ts';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { QrCode } from '#ui/web/qr-code.tsx';

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
      {query.isPending && <LoadingState />}
      {query.isError && !factors && <OfficeLoadFailure error={query.error} onRetry={() => void query.refetch()} />}
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

function Passkeys({ factors, store, onChange }: FactorSectionProps) {
  const add = useMutation({
    mutationFn: async () => {
      const { data } = await api('POST /v1/auth/passkeys/begin', {}, factorCallOptions);
      const response = await makePasskey(data);
      return (await api('POST /v1/auth/passkeys', { response }, factorCallOptions)).data;
    },
    onSuccess: onChange,
    onError: notifyFactorFailure,
  });
  const remove = useMutation({
    mutationFn: async (id: string) => (await api('DELETE /v1/auth/passkeys/{id}', { id }, factorCallOptions)).data,
    onSuccess: onChange,
    onError: notifyFactorFailure,
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

function CodesLeft({ factors, onChange }: Omit<FactorSectionProps, 'store'>) {
  const make = useMutation({
    mutationFn: async () => (await api('POST /v1/auth/recovery-codes', {}, factorCallOptions)).data,
    onSuccess: onChange,
    onError: notifyFactorFailure,
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

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  return (
    <section className={classes.panel} aria-label={m.accounts_recovery_title()}>
      <h2>{m.accounts_recovery_title()}</h2>
      <p role="alert">{m.accounts_recovery_means()}</p>
      <pre className={classes.spelt}>{text}</pre>
      <Group>
        <Button
          component="a"
          variant="default"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          {m.accounts_recovery_save()}
        </Button>
        <Button onClick={onDone}>{m.accounts_recovery_kept()}</Button>
      </Group>
    </section>
  );
}

/**
 * Downloads everything that the shop stores about the signed-in member of staff. Customers download theirs on the
 * account page.
 */
function OwnData() {
  const download = useMutation({
    mutationFn: async () => (await api('GET /v1/auth/user/export', {}, { timeout: 60_000 })).data,
    onSuccess: (data) => saveFile(jsonFile(data), 'my-data.json'),
    onError: notifyFactorFailure,
  });
  return (
    <section className={classes.panel} aria-label={m.people_data()}>
      <h2>{m.people_data()}</h2>
      <p>{m.people_data_hint()}</p>
      <Group>
        <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
          {m.people_data_download()}
        </Button>
      </Group>
    </section>
  );
}

/** Offers to end the person's other sign-ins, because a new second factor does not end the sign-ins from before. */
function OtherDevices() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: signInsQueryKey,
    queryFn: async ({ signal }) => (await api('GET /v1/auth/sign-ins', {}, { signal, ...factorCallOptions })).data,
  });
  const others = query.data?.filter(({ is_current: isCurrent }) => !isCurrent) ?? [];
  const end = useMutation({
    mutationFn: async () => {
      for (const { id } of others) await api('DELETE /v1/auth/sign-ins/{id}', { id }, factorCallOptions);
    },
    onSuccess: () => notify({ text: m.accounts_others_ended() }),
    onError: notifyFactorFailure,
    // If a call fails, some of the sign-ins may have ended, so the list is read again in any case.
    onSettled: () => client.invalidateQueries({ queryKey: signInsQueryKey }),
  });
  if (others.length === 0) return null;
  return (
    <section className={classes.panel} aria-label={m.accounts_others()}>
      <h2>{m.accounts_others()}</h2>
      <p>{m.accounts_others_hint({ count: others.length })}</p>
      <Group>
        <Button variant="default" loading={end.isPending} onClick={() => end.mutate()}>
          {m.accounts_others_end()}
        </Button>
      </Group>
    </section>
  );
}

/**
 * Changes the password of the signed-in member of staff; the present password is required. Customers change theirs on
 * the account page.
 */
function OwnPassword({ user, factors }: { user: User; factors: FactorSectionProps['factors'] }) {
  const { form, failure, isSending, submit, clear } = usePasswordChange();
  const field = (name: 'current_password' | 'password') => ({
    name,
    required: true,
    withAsterisk: false,
    maxLength: 200,
    'data-missing': m.accounts_password_missing(),
    error: failure.errors[name]?.join(' '),
    // Mantine's password field does not set `aria-invalid` itself.
    'aria-invalid': failure.errors[name] !== undefined,
  });
  return (
    <section className={classes.panel} aria-label={m.accounts_password()}>
      <h2>{m.accounts_password()}</h2>
      <p>{m.people_password_change_hint()}</p>
      {factors.is_removed_at_start && <p>{m.accounts_own_password_at_start()}</p>}
      <form ref={form} noValidate className={classes.fields} onSubmit={submit} onInput={clear}>
        <UsernameField user={user} />
        <PasswordInput
          label={m.people_password_current()}
          autoComplete="current-password"
          {...field('current_password')}
        />
        <PasswordInput
          label={m.people_password_new()}
          description={m.accounts_password_hint()}
          autoComplete="new-password"
          minLength={8}
          data-wrong={m.accounts_password_hint()}
          {...field('password')}
        />
        {failure.message && <p role="alert">{failure.message}</p>}
        <Group>
          <Button type="submit" variant="default" loading={isSending}>
            {m.people_password_change()}
          </Button>
        </Group>
      </form>
    </section>
  );
}

function usePasswordChange() {
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState(noFormFailure);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const refuse = (refused: typeof failure) => {
    setFailure(refused);
    setRefusals((count) => count + 1);
  };
  const change = useMutation({
    mutationFn: async (body: ApiInput<'POST /v1/auth/password'>) =>
      (await api('POST /v1/auth/password', body, factorCallOptions)).data,
    onSuccess: (user) => {
      setUser(user);
      form.current?.reset();
      notify({ text: m.people_password_changed() });
      void client.invalidateQueries({ queryKey: signInsQueryKey });
    },
    onError: (error) => refuse(formFailureOf(error)),
  });
  return {
    form,
    failure,
    isSending: change.isPending,
    submit(event: FormEvent<HTMLFormElement>): void {
      event.preventDefault();
      if (change.isPending) return;
      const errors = browserFormErrors(event.currentTarget);
      if (Object.keys(errors).length > 0) {
        refuse({ errors });
        return;
      }
      setFailure(noFormFailure);
      const typed = new FormData(event.currentTarget);
      change.mutate({
        current_password: formFieldText(typed, 'current_password'),
        password: formFieldText(typed, 'password'),
      });
    },
    clear({ target }: InputEvent<HTMLFormElement>): void {
      if (target instanceof HTMLInputElement) setFailure(withoutFieldErrors(failure, target.name));
    },
  };
}

type Begun = ApiAnswer<'POST /v1/auth/totp/begin'>['data'];

function AuthenticatorApp({ factors, store, onChange }: FactorSectionProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const begin = useMutation({
    mutationFn: async () => (await api('POST /v1/auth/totp/begin', {}, factorCallOptions)).data,
    onSuccess: setBegun,
    onError: notifyFactorFailure,
  });
  const remove = useMutation({
    mutationFn: async () => (await api('DELETE /v1/auth/totp', {}, factorCallOptions)).data,
    onSuccess: onChange,
    onError: notifyFactorFailure,
  });
  const ask = async (): Promise<void> => {
    const question = { title: m.accounts_totp_remove_title(), body: m.accounts_totp_remove_means() };
    if (await confirm({ ...question, action: m.accounts_factor_remove(), isDangerous: true })) remove.mutate();
  };
  const take = (answer: Parameters<FactorSectionProps['onChange']>[0]) => {
    setBegun(null);
    onChange(answer);
  };
  return (
    <section className={classes.panel} aria-label={m.accounts_totp()}>
      <h2>{m.accounts_totp()}</h2>
      {factors.totp_since ? (
        <div className={classes.head}>
          <p>{m.accounts_totp_since({ date: dateWords(factors.totp_since, store.timezone) })}</p>
          <Button variant="subtle" color="bad" loading={remove.isPending} onClick={() => void ask()}>
            {m.accounts_factor_remove()}
          </Button>
        </div>
      ) : begun ? (
        <Confirming begun={begun} onConfirmed={take} />
      ) : (
        <>
          <p>{m.accounts_totp_hint()}</p>
          <Group>
            <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
              {m.accounts_totp_begin()}
            </Button>
          </Group>
        </>
      )}
    </section>
  );
}

function Confirming({ begun, onConfirmed }: { begun: Begun; onConfirmed: FactorSectionProps['onChange'] }) {
  const [code, setCode] = useState('');
  const [words, setWords] = useState<string | null>(null);
  const check = useMutation({
    mutationFn: async () => (await api('POST /v1/auth/totp', { one_time_code: code }, factorCallOptions)).data,
    onSuccess: onConfirmed,
    onError: (error) =>
      setWords((error instanceof ApiError ? error.errors['one_time_code']?.[0] : undefined) ?? refusalWords(error)),
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setWords(null);
    check.mutate();
  };
  return (
    <form className={classes.fields} onSubmit={send}>
      <p>{m.accounts_totp_scan()}</p>
      <div className={classes.code}>
        <QrCode text={begun.url} label={m.accounts_totp_qr()} />
        <div>
          <p className={classes.soft}>{m.accounts_totp_type()}</p>
          <p>{begun.secret.replaceAll(/(.{4})/g, '$1 ')}</p>
        </div>
      </div>
      <TextInput
        label={m.accounts_totp_code()}
        value={code}
        error={words}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        onChange={({ target }) => setCode(target.value)}
      />
      <Group>
        <Button type="submit" loading={check.isPending} disabled={code.trim() === ''}>
          {m.accounts_totp_confirm()}
        </Button>
      </Group>
    </form>
  );
}
