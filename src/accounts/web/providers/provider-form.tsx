import { Alert, Button, FileButton, Group, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { m } from '#messages';
import type { ProviderDetails, SignInProvider, SignInProviderSetup } from '#accounts/provider-contract.ts';
import { type PresetProviderKind, presetProviderNames } from '#accounts/sign-in-kinds.ts';
import classes from '#accounts/web/providers/providers.module.css';
import type { SignInProviderKind } from '#database/column-values.ts';
import { providerConsoleUrls, useSignInProviderCalls } from '#accounts/web/providers/use-providers.ts';
import { CopyField } from '#ui/web/office/copy-field.tsx';
import { NewTabLink } from '#ui/web/office/office-page.tsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { formFailureOf, noFormFailure, withoutFieldErrors } from '#ui/web/form-errors.ts';

interface ProviderFormProps {
  kind: SignInProviderKind;
  /** The provider to change; null to set up a new one. */
  provider: SignInProvider | null;
  setup: SignInProviderSetup;
  onClose: () => void;
}

export function ProviderForm({ kind, provider, setup, onClose }: ProviderFormProps) {
  const { form, message, isSending, submit, ...draft } = useProviderDraft({ kind, provider, onDone: onClose });
  const guides = { google: GoogleGuide, apple: AppleGuide, other: OtherGuide };
  const Guide = guides[kind];
  const guide = <Guide returnUrl={setup.return_url} mailFrom={setup.mail_from} />;
  return (
    <>
      {kind !== 'other' && <AddressAlert kind={kind} returnUrl={setup.return_url} />}
      {provider ? (
        <details>
          <summary>{m.accounts_providers_guide()}</summary>
          {guide}
        </details>
      ) : (
        guide
      )}
      <form
        ref={form}
        noValidate
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ProviderFields kind={kind} provider={provider} draft={draft} />
        {message && (
          <Alert role="alert" color="bad">
            {message}
          </Alert>
        )}
        <Group gap="xs">
          <Button type="submit" loading={isSending}>
            {m.accounts_providers_save()}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {m.platform_cancel()}
          </Button>
        </Group>
      </form>
    </>
  );
}

/** Warns, before the owner fills in the company's forms, that the company would refuse this shop's address. */
function AddressAlert({ kind, returnUrl }: { kind: PresetProviderKind; returnUrl: string }) {
  const problem = redirectAddressProblem(kind, returnUrl);
  if (!problem) return null;
  const about = { name: presetProviderNames[kind], origin: new URL(returnUrl).origin };
  return (
    <Alert color="warm">
      {problem === 'https' ? m.accounts_providers_needs_https(about) : m.accounts_providers_needs_domain(about)}
    </Alert>
  );
}

/** The requirement that a redirect address does not meet: https, or a domain name. */
export type RedirectAddressProblem = 'https' | 'domain';

/**
 * Why Google or Apple (`kind`) refuses this redirect address; null: the address is accepted. Google accepts plain http
 * for `localhost` only, and no numeric address. Apple accepts no plain http, no `localhost` and no numeric address.
 */
export function redirectAddressProblem(kind: PresetProviderKind, address: string): RedirectAddressProblem | null {
  const { protocol, hostname } = new URL(address);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isNumeric(hostname) || (isLocal && kind === 'apple')) return 'domain';
  return protocol === 'https:' || isLocal ? null : 'https';
}

function isNumeric(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname);
}

interface GuideProps {
  returnUrl: string;
  mailFrom: string;
}

function GoogleGuide({ returnUrl }: GuideProps) {
  return (
    <ol className={classes.guide}>
      <li>
        <p>{m.accounts_guide_google_client()}</p>
        <NewTabLink to={providerConsoleUrls.googleClients}>{m.accounts_guide_google_open()}</NewTabLink>
      </li>
      <li>
        <p>{m.accounts_guide_google_type()}</p>
        <CopyField label={m.accounts_guide_google_redirect()} value={returnUrl} />
      </li>
      <li>
        <p>{m.accounts_guide_google_publish()}</p>
        <NewTabLink to={providerConsoleUrls.googleAudience}>{m.accounts_guide_google_open_audience()}</NewTabLink>
      </li>
      <li>
        <p>{m.accounts_guide_google_copy()}</p>
      </li>
    </ol>
  );
}

function AppleGuide({ returnUrl, mailFrom }: GuideProps) {
  const { hostname } = new URL(returnUrl);
  return (
    <ol className={classes.guide}>
      <li>
        <p>{m.accounts_guide_apple_app()}</p>
        <NewTabLink to={providerConsoleUrls.appleIdentifiers}>{m.accounts_guide_apple_open_identifiers()}</NewTabLink>
      </li>
      <li>
        <p>{m.accounts_guide_apple_service()}</p>
      </li>
      <li>
        <p>{m.accounts_guide_apple_configure()}</p>
        <CopyField label={m.accounts_guide_apple_domain()} value={hostname} />
        <CopyField label={m.accounts_guide_apple_return()} value={returnUrl} />
      </li>
      <li>
        <p>{m.accounts_guide_apple_key()}</p>
        <NewTabLink to={providerConsoleUrls.appleKeys}>{m.accounts_guide_apple_open_keys()}</NewTabLink>
      </li>
      <li>
        <p>{m.accounts_guide_apple_mail()}</p>
        <CopyField label={m.accounts_guide_apple_sender()} value={mailFrom} />
        <NewTabLink to={providerConsoleUrls.appleMail}>{m.accounts_guide_apple_open_mail()}</NewTabLink>
      </li>
      <li>
        <p>{m.accounts_guide_apple_copy()}</p>
      </li>
    </ol>
  );
}

function OtherGuide({ returnUrl }: GuideProps) {
  return (
    <ol className={classes.guide}>
      <li>
        <p>{m.accounts_guide_other_client()}</p>
        <CopyField label={m.accounts_guide_other_redirect()} value={returnUrl} />
      </li>
      <li>
        <p>{m.accounts_guide_other_confirmed()}</p>
      </li>
    </ol>
  );
}

interface FieldsProps {
  kind: SignInProviderKind;
  provider: SignInProvider | null;
  draft: ProviderValues;
}

/**
 * The inputs for the values that the company issues, in the order of the company's pages. Browsers do not store these
 * inputs.
 */
function ProviderFields({ kind, provider, draft }: FieldsProps) {
  const field = (name: keyof ProviderDetails) => ({
    value: draft.valueOf(name),
    error: draft.said(name),
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => draft.change(name, currentTarget.value),
  });
  const kept = provider?.has_secret ? m.accounts_providers_secret_kept() : undefined;
  if (kind === 'apple') {
    return (
      <>
        <TextInput
          label={m.accounts_providers_services_id()}
          placeholder="com.example.shop.signin"
          {...field('client_id')}
        />
        <TextInput
          label={m.accounts_providers_team_id()}
          placeholder="A1B2C3D4E5"
          maxLength={10}
          {...field('team_id')}
        />
        <TextInput label={m.accounts_providers_key_id()} placeholder="F6G7H8J9K0" maxLength={10} {...field('key_id')} />
        <KeyFile field={field('private_key')} kept={kept} draft={draft} />
      </>
    );
  }
  return (
    <>
      {kind === 'other' && (
        <>
          <TextInput
            label={m.accounts_providers_name()}
            description={m.accounts_providers_name_hint()}
            maxLength={40}
            {...field('name')}
          />
          <TextInput
            label={m.accounts_providers_issuer()}
            description={m.accounts_providers_issuer_hint()}
            placeholder="https://login.example.com"
            type="url"
            {...field('issuer')}
          />
        </>
      )}
      <TextInput
        label={m.accounts_providers_client_id()}
        placeholder={kind === 'google' ? '1234567890-abc.apps.googleusercontent.com' : undefined}
        {...field('client_id')}
      />
      <PasswordInput
        label={m.accounts_providers_client_secret()}
        description={kept ?? (kind === 'other' ? m.accounts_providers_secret_optional() : undefined)}
        {...field('client_secret')}
        autoComplete="new-password"
      />
    </>
  );
}

interface KeyFileProps {
  field: { value: string; error: string | undefined };
  kept: string | undefined;
  draft: ProviderValues;
}

function KeyFile({ field, kept, draft }: KeyFileProps) {
  const read = (file: File | null): void => {
    void file?.text().then((text) => draft.change('private_key', text));
  };
  return (
    <div>
      <Textarea
        label={m.accounts_providers_key_file()}
        description={kept ?? m.accounts_providers_key_file_hint()}
        placeholder="-----BEGIN PRIVATE KEY-----"
        autosize
        minRows={2}
        maxRows={6}
        {...field}
      />
      <Group mt="xs">
        <FileButton accept=".p8,.pem,.txt" onChange={read}>
          {(props) => (
            <Button variant="default" {...props}>
              {m.accounts_providers_choose_file()}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}

type Field = keyof ProviderDetails;

interface ProviderValues {
  valueOf(field: Field): string;
  change(field: Field, value: string): void;
  /** The server's message about a field until the field is changed; undefined without one. */
  said(field: Field): string | undefined;
}

export interface ProviderDraft extends ProviderValues {
  message: string | undefined;
  isSending: boolean;
  /** The form, whose first refused field takes the focus. */
  form: RefObject<HTMLFormElement | null>;
  submit(): void;
}

interface ProviderDraftOf {
  kind: SignInProviderKind;
  provider: SignInProvider | null;
  onDone: () => void;
}

/**
 * The details of a provider in the form. Only the fields that the owner typed are sent. Stored secrets are never shown.
 */
function useProviderDraft({ kind, provider, onDone }: ProviderDraftOf): ProviderDraft {
  const [typed, setTyped] = useState<ProviderDetails>({});
  const [failure, setFailure] = useState(noFormFailure);
  const { add, change } = useSignInProviderCalls();
  const form = useRef<HTMLFormElement>(null);
  const wrong = Object.keys(failure.errors).join();
  useEffect(() => {
    if (wrong !== '') form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  const kept: ProviderDetails = provider
    ? {
        name: provider.name,
        issuer: provider.issuer,
        client_id: provider.client_id,
        team_id: provider.team_id ?? '',
        key_id: provider.key_id ?? '',
      }
    : {};
  const options = { onSuccess: onDone, onError: (error: unknown) => setFailure(formFailureOf(error)) };
  return {
    valueOf: (field) => typed[field] ?? kept[field] ?? '',
    change(field, value) {
      setTyped({ ...typed, [field]: value });
      setFailure(withoutFieldErrors(failure, field));
    },
    said: (field) => failure.errors[field]?.[0],
    message: failure.message,
    isSending: add.isPending || change.isPending,
    form,
    submit() {
      setFailure(noFormFailure);
      if (provider) change.mutate({ id: provider.id, ...typed }, options);
      else add.mutate({ kind, ...typed }, options);
    },
  };
}
