import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import classes from '#accounts/web/devices/devices.module.css';
import { type PartProps, tell, withTimeout } from '#accounts/web/factors/factor-parts.ts';
import { dateWords } from '#platform/date-words.ts';
import { api, ApiError, type Received } from '#platform/web/api.ts';
import { confirm } from '#ui/web/office/confirm.tsx';
import { refusalWords } from '#ui/web/office/refusal-words.ts';
import { QrCode } from '#ui/web/qr-code.tsx';

type Begun = Received<'POST /v1/auth/totp/begin'>['data'];

/** An authenticator app: switched on by a code from it, and off again. */
export function AuthenticatorApp({ factors, store, onChange }: PartProps) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const begin = useMutation({
    mutationFn: async () => (await api('POST /v1/auth/totp/begin', {}, withTimeout)).data,
    onSuccess: setBegun,
    onError: tell,
  });
  const remove = useMutation({
    mutationFn: async () => (await api('DELETE /v1/auth/totp', {}, withTimeout)).data,
    onSuccess: onChange,
    onError: tell,
  });
  const ask = async (): Promise<void> => {
    const question = { title: m.accounts_totp_remove_title(), body: m.accounts_totp_remove_means() };
    if (await confirm({ ...question, action: m.accounts_factor_remove(), isDangerous: true })) remove.mutate();
  };
  const take = (answer: Parameters<PartProps['onChange']>[0]) => {
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

function Confirming({ begun, onConfirmed }: { begun: Begun; onConfirmed: PartProps['onChange'] }) {
  const [code, setCode] = useState('');
  const [words, setWords] = useState<string | null>(null);
  const check = useMutation({
    mutationFn: async () => (await api('POST /v1/auth/totp', { one_time_code: code }, withTimeout)).data,
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
