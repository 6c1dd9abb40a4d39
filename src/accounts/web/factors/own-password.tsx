import { Button, Group, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type InputEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import classes from '#accounts/web/devices/devices.module.css';
import { type PartProps, signInsKey, withTimeout } from '#accounts/web/factors/factor-parts.ts';
import { takeUser } from '#accounts/web/session.ts';
import { UsernameField } from '#accounts/web/username-field.tsx';
import { api, type Input } from '#platform/web/api.ts';
import { failureOf, nativeErrors, noFailure, textOf, withoutField } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

/** Another password, with the present one. Customers have it on their own page. */
export function OwnPassword({ user, factors }: { user: User; factors: PartProps['factors'] }) {
  const { form, failure, isSending, submit, clear } = usePasswordChange();
  const field = (name: 'current_password' | 'password') => ({
    name,
    required: true,
    withAsterisk: false,
    maxLength: 200,
    'data-missing': m.accounts_password_missing(),
    error: failure.errors[name]?.join(' '),
    // The library leaves it out of its password field.
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
  const [failure, setFailure] = useState(noFailure);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const refuse = (refused: typeof failure) => {
    setFailure(refused);
    setRefusals((count) => count + 1);
  };
  const change = useMutation({
    mutationFn: async (body: Input<'POST /v1/auth/password'>) =>
      (await api('POST /v1/auth/password', body, withTimeout)).data,
    onSuccess: (user) => {
      takeUser(user);
      form.current?.reset();
      notify({ text: m.people_password_changed() });
      void client.invalidateQueries({ queryKey: signInsKey });
    },
    onError: (error) => refuse(failureOf(error)),
  });
  return {
    form,
    failure,
    isSending: change.isPending,
    submit(event: FormEvent<HTMLFormElement>): void {
      event.preventDefault();
      if (change.isPending) return;
      const errors = nativeErrors(event.currentTarget);
      if (Object.keys(errors).length > 0) {
        refuse({ errors });
        return;
      }
      setFailure(noFailure);
      const typed = new FormData(event.currentTarget);
      change.mutate({ current_password: textOf(typed, 'current_password'), password: textOf(typed, 'password') });
    },
    clear({ target }: InputEvent<HTMLFormElement>): void {
      if (target instanceof HTMLInputElement) setFailure(withoutField(failure, target.name));
    },
  };
}
