import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#messages';
import type { User } from '#accounts/contract.ts';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import type { Identity } from '#accounts/provider-contract.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { BrandMark, leaveToConnect, signInChoices } from '#accounts/web/social.tsx';
import { OwnPasswordField, Section } from '#people/web/profile/section.tsx';
import { dateWords } from '#platform/date-words.ts';
import { api } from '#platform/web/api.ts';
import { failureOf, textOf } from '#ui/web/form-errors.ts';
import { notify } from '#ui/web/notify.ts';

const identitiesKey = ['identities'];

/** Accounts at other companies that sign the person in; nothing where the shop offers none and there is none. */
export function IdentitiesSection({ user }: { user: User }) {
  const identities = useQuery({
    queryKey: identitiesKey,
    queryFn: async ({ signal }) => (await api('GET /v1/auth/identities', {}, { signal, timeout: 20_000 })).data,
  });
  const choices = signInChoices();
  if (choices.length === 0 && !identities.data?.length) return null;
  return (
    <Section title={m.people_identities()} hint={m.people_identities_hint()}>
      {identities.isPending && <div aria-hidden="true" className="skeleton h-16" />}
      {identities.isError && (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{failureOf(identities.error).message ?? m.platform_internal()}</p>
          <button type="button" className="btn btn-quiet" onClick={() => void identities.refetch()}>
            {m.platform_retry()}
          </button>
        </div>
      )}
      {identities.data && <Identities user={user} identities={identities.data} choices={choices} />}
    </Section>
  );
}

interface IdentitiesProps {
  user: User;
  identities: readonly Identity[];
  choices: readonly SignInChoice[];
}

function Identities({ user, identities, choices }: IdentitiesProps) {
  /** Which of them a password is asked for. */
  const [asked, setAsked] = useState<string | null>(null);
  const free = choices.filter(({ kind, name }) => !identities.some((one) => one.kind === kind && one.name === name));
  const shared = { user, onAsk: setAsked };
  return (
    <>
      {identities.length > 0 && (
        <ul className="grid gap-3">
          {identities.map((identity) => (
            <Connected key={identity.id} identity={identity} isAsked={asked === identity.id} {...shared} />
          ))}
        </ul>
      )}
      {user.email_verified_at === null && free.length > 0 && (
        <p className="text-ink-soft">{m.accounts_identity_unconfirmed()}</p>
      )}
      {user.email_verified_at !== null &&
        free.map((choice) => <Free key={choice.id} choice={choice} isAsked={asked === choice.id} {...shared} />)}
    </>
  );
}

interface RowProps {
  user: User;
  isAsked: boolean;
  onAsk: (id: string | null) => void;
}

function Connected({ identity, user, isAsked, onAsk }: RowProps & { identity: Identity }) {
  const queries = useQueryClient();
  const { id, kind, name, email, created_at: since } = identity;
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const disconnect = async (form: FormData) => {
    const password = user.has_password ? { password: textOf(form, 'disconnect.password') } : {};
    await api('DELETE /v1/auth/identities/{id}', { id, ...password }, { timeout: 20_000 });
    onAsk(null);
    notify({ text: m.people_identity_removed({ name }) });
    await queries.invalidateQueries({ queryKey: identitiesKey });
  };
  return (
    <li className="grid gap-3 rounded-box border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex items-center gap-2 font-semibold">
            <BrandMark kind={kind} />
            {name}
          </p>
          <p className="text-sm wrap-anywhere text-ink-soft">
            {[email, m.people_identity_since({ date: dateWords(since, timeZone) })].filter(Boolean).join(' · ')}
          </p>
        </div>
        {!isAsked && (
          <button type="button" className="link min-h-11" onClick={() => onAsk(id)}>
            {m.people_identity_remove()}
            <span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {isAsked && (
        <AccountForm
          prefix="disconnect."
          tone="danger"
          submitLabel={m.people_identity_remove_submit({ name })}
          onSubmit={disconnect}
          onCancel={() => onAsk(null)}
        >
          {(errors) => (
            <OwnPasswordField user={user} name="disconnect.password" errors={errors['disconnect.password']} />
          )}
        </AccountForm>
      )}
    </li>
  );
}

function Free({ choice, user, isAsked, onAsk }: RowProps & { choice: SignInChoice }) {
  const { id, kind, name } = choice;
  const connect = (form: FormData) =>
    leaveToConnect(id, user.has_password ? textOf(form, 'connect.password') : undefined);
  if (isAsked) {
    return (
      <AccountForm
        prefix="connect."
        submitLabel={m.accounts_social_continue({ name })}
        onSubmit={connect}
        onCancel={() => onAsk(null)}
      >
        {(errors) => <OwnPasswordField user={user} name="connect.password" errors={errors['connect.password']} />}
      </AccountForm>
    );
  }
  return (
    <div>
      <button type="button" className="btn btn-quiet" onClick={() => onAsk(id)}>
        <BrandMark kind={kind} />
        {m.people_identity_add({ name })}
      </button>
    </div>
  );
}
