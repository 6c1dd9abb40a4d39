import { type ReactNode, useId, useState } from 'react';
import { Notices } from '#ui/web/notices.tsx';
import { m } from '#messages';
import type { SignIn, User } from '#accounts/contract.ts';
import { EmailField, PasswordField, UsernameField } from '#accounts/web/account-fields.tsx';
import { reloadUser, setUser } from '#accounts/web/session.ts';
import { api, type ApiInput } from '#platform/web/api.ts';
import { AccountForm } from '#accounts/web/account-form.tsx';
import { pickByMailServer } from '#mail/web/pick-by-mail-server.ts';
import { formFailureOf, formFieldText } from '#ui/web/form-errors.ts';
import { Icon } from '#ui/web/icon.tsx';
import { notify } from '#ui/web/notify.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parseUserAgent } from '#accounts/devices.ts';
import { signOutEverywhere } from '#accounts/web/sign-in-and-out.ts';
import { dateWords } from '#platform/date-words.ts';
import { navigate } from '#platform/web/navigation.tsx';
import type { SignInChoice } from '#accounts/sign-in-kinds.ts';
import type { Identity } from '#accounts/provider-contract.ts';
import { SignInProviderLogo, beginConnectingIdentity, signInChoices } from '#accounts/web/provider-sign-in.tsx';

export function ProfileSection({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card grid content-start gap-4 p-4 sm:p-6">
      <div className="grid gap-1">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {hint && <p className="text-ink-soft">{hint}</p>}
      </div>
      {children}
      <Notices />
    </section>
  );
}

/**
 * The field in which the person confirms a change by their password. Renders nothing for a person without a password.
 */
export function OwnPasswordField({ user, name, errors }: { user: User; name: string; errors: string[] | undefined }) {
  if (!user.has_password) return null;
  return (
    <>
      <UsernameField user={user} />
      <PasswordField name={name} label={m.people_password_yours()} autoComplete="current-password" errors={errors} />
    </>
  );
}

/** Changes the person's own details on the server and on all pages that show them. Throws ApiError. */
export async function changeOwnDetails(change: ApiInput<'PATCH /v1/auth/user'>): Promise<void> {
  const { data } = await api('PATCH /v1/auth/user', change, { timeout: 20_000 });
  setUser(data);
}

export function EmailSection({ user }: { user: User }) {
  const [isChanging, setChanging] = useState(false);
  const save = async (form: FormData) => {
    await changeOwnDetails({
      email: formFieldText(form, 'email.email'),
      password: formFieldText(form, 'email.password'),
    });
    setChanging(false);
    notify({ text: pickByMailServer(m.people_email_changed(), m.people_email_changed_unsent()) });
  };
  return (
    <ProfileSection title={m.accounts_email()}>
      <p className="font-semibold wrap-anywhere">{user.email}</p>
      <EmailState user={user} />
      {!isChanging && user.has_password && (
        <div>
          <button type="button" className="btn btn-quiet" onClick={() => setChanging(true)}>
            {m.people_email_change()}
          </button>
        </div>
      )}
      {!user.has_password && <p className="text-ink-soft">{m.people_email_needs_password()}</p>}
      {isChanging && (
        <AccountForm
          prefix="email."
          submitLabel={m.people_email_change_submit()}
          onSubmit={save}
          onCancel={() => setChanging(false)}
        >
          {(errors) => (
            <>
              <EmailField name="email.email" label={m.people_email_new()} errors={errors['email.email']} />
              <OwnPasswordField user={user} name="email.password" errors={errors['email.password']} />
            </>
          )}
        </AccountForm>
      )}
    </ProfileSection>
  );
}

function EmailState({ user }: { user: User }) {
  const [isBusy, setBusy] = useState(false);
  if (user.email_verified_at !== null) {
    return (
      <p className="flex items-center gap-2 text-good-text">
        <Icon name="check" />
        {m.people_own_email_confirmed()}
      </p>
    );
  }
  const sendAgain = () => {
    if (isBusy) return;
    setBusy(true);
    api('POST /v1/auth/send-verification', {}, { timeout: 20_000 })
      .then(({ message }) => notify({ text: message }))
      // The email address may have been confirmed on another device since the page was loaded, so the user is read
      // again.
      .then(reloadUser)
      .catch((error: unknown) => notify({ text: formFailureOf(error).message ?? m.platform_internal() }))
      .finally(() => setBusy(false));
  };
  return (
    <div className="grid justify-items-start gap-3">
      <p className="flex items-start gap-2">
        <Icon name="info" className="mt-0.5 size-5" />
        {pickByMailServer(m.people_own_email_unconfirmed(), m.people_own_email_unsent())}
      </p>
      {pickByMailServer(
        <button type="button" className="btn btn-quiet" aria-disabled={isBusy} onClick={sendAgain}>
          {m.people_verify_send_again()}
        </button>,
        null,
      )}
    </div>
  );
}

export const devicesQueryKey = ['sign-ins'];

export function DevicesSection() {
  const queries = useQueryClient();
  const devices = useQuery({
    queryKey: devicesQueryKey,
    queryFn: async ({ signal }) => (await api('GET /v1/auth/sign-ins', {}, { signal, timeout: 20_000 })).data,
  });
  const tell = (error: unknown) => notify({ text: formFailureOf(error).message ?? m.platform_internal() });
  const end = (id: string) => {
    api('DELETE /v1/auth/sign-ins/{id}', { id }, { timeout: 20_000 })
      .then(() => notify({ text: m.people_device_ended() }))
      .then(() => queries.invalidateQueries({ queryKey: devicesQueryKey }))
      .catch(tell);
  };
  const endAll = () => {
    signOutEverywhere()
      .then(() => navigate('/'))
      .catch(tell);
  };
  return (
    <ProfileSection title={m.people_devices()} hint={m.people_devices_hint()}>
      {devices.isPending && (
        <div aria-hidden="true" className="grid gap-3">
          <div className="skeleton h-16" />
          <div className="skeleton h-16" />
        </div>
      )}
      {devices.isError && (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{formFailureOf(devices.error).message ?? m.platform_internal()}</p>
          <button type="button" className="btn btn-quiet" onClick={() => void devices.refetch()}>
            {m.platform_retry()}
          </button>
        </div>
      )}
      {devices.data && (
        <>
          <ul className="grid gap-3">
            {devices.data.map((device) => (
              <Device key={device.id} device={device} onEnd={() => end(device.id)} />
            ))}
          </ul>
          <div>
            <button type="button" className="btn btn-danger" onClick={endAll}>
              {m.people_sign_out_everywhere()}
            </button>
          </div>
        </>
      )}
    </ProfileSection>
  );
}

function Device({ device, onEnd }: { device: SignIn; onEnd: () => void }) {
  const { browser, system } = parseUserAgent(device.user_agent);
  const name =
    browser && system ? m.people_device({ browser, system }) : (browser ?? system ?? m.people_device_unknown());
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-box border border-line p-3">
      <div>
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-ink-soft">
          {device.is_current
            ? m.people_device_this()
            : m.people_device_last_used({ date: dateWords(device.last_used_at, timeZone) })}
        </p>
      </div>
      {!device.is_current && (
        <button type="button" className="link min-h-11" onClick={onEnd}>
          {m.people_device_end()}
          <span className="sr-only"> {name}</span>
        </button>
      )}
    </li>
  );
}

const identitiesKey = ['identities'];

/**
 * The section with the person's identities at sign-in providers. Renders nothing if the person has no identity and the
 * shop has no provider.
 */
export function IdentitiesSection({ user }: { user: User }) {
  const identities = useQuery({
    queryKey: identitiesKey,
    queryFn: async ({ signal }) => (await api('GET /v1/auth/identities', {}, { signal, timeout: 20_000 })).data,
  });
  const choices = signInChoices();
  if (choices.length === 0 && !identities.data?.length) return null;
  return (
    <ProfileSection title={m.people_identities()} hint={m.people_identities_hint()}>
      {identities.isPending && <div aria-hidden="true" className="skeleton h-16" />}
      {identities.isError && (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{formFailureOf(identities.error).message ?? m.platform_internal()}</p>
          <button type="button" className="btn btn-quiet" onClick={() => void identities.refetch()}>
            {m.platform_retry()}
          </button>
        </div>
      )}
      {identities.data && <Identities user={user} identities={identities.data} choices={choices} />}
    </ProfileSection>
  );
}

interface IdentitiesProps {
  user: User;
  identities: readonly Identity[];
  choices: readonly SignInChoice[];
}

function Identities({ user, identities, choices }: IdentitiesProps) {
  /** The id of the identity or provider for which the password is asked; null: none. */
  const [asked, setAsked] = useState<string | null>(null);
  const free = choices.filter(({ kind, name }) => !identities.some((one) => one.kind === kind && one.name === name));
  const shared = { user, onAsk: setAsked };
  return (
    <>
      {identities.length > 0 && (
        <ul className="grid gap-3">
          {identities.map((identity) => (
            <Connected key={identity.id} identity={identity} needsAnswer={asked === identity.id} {...shared} />
          ))}
        </ul>
      )}
      {user.email_verified_at === null && free.length > 0 && (
        <p className="text-ink-soft">{m.accounts_identity_unconfirmed()}</p>
      )}
      {user.email_verified_at !== null &&
        free.map((choice) => <Free key={choice.id} choice={choice} needsAnswer={asked === choice.id} {...shared} />)}
    </>
  );
}

interface RowProps {
  user: User;
  needsAnswer: boolean;
  onAsk: (id: string | null) => void;
}

function Connected({ identity, user, needsAnswer, onAsk }: RowProps & { identity: Identity }) {
  const queries = useQueryClient();
  const { id, kind, name, email, created_at: since } = identity;
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const disconnect = async (form: FormData) => {
    const password = user.has_password ? { password: formFieldText(form, 'disconnect.password') } : {};
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
            <SignInProviderLogo kind={kind} />
            {name}
          </p>
          <p className="text-sm wrap-anywhere text-ink-soft">
            {[email, m.people_identity_since({ date: dateWords(since, timeZone) })].filter(Boolean).join(' · ')}
          </p>
        </div>
        {!needsAnswer && (
          <button type="button" className="link min-h-11" onClick={() => onAsk(id)}>
            {m.people_identity_remove()}
            <span className="sr-only"> {name}</span>
          </button>
        )}
      </div>
      {needsAnswer && (
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

function Free({ choice, user, needsAnswer, onAsk }: RowProps & { choice: SignInChoice }) {
  const { id, kind, name } = choice;
  const connect = (form: FormData) =>
    beginConnectingIdentity(id, user.has_password ? formFieldText(form, 'connect.password') : undefined);
  if (needsAnswer) {
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
        <SignInProviderLogo kind={kind} />
        {m.people_identity_add({ name })}
      </button>
    </div>
  );
}
