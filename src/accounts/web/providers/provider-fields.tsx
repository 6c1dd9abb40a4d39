import { Button, FileButton, Group, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { m } from '#messages';
import type { ProviderDetails, SignInProvider } from '#accounts/provider-contract.ts';
import type { ProviderValues } from '#accounts/web/providers/use-provider-draft.ts';
import type { SignInKind } from '#database/sign-in-columns.ts';

interface FieldsProps {
  kind: SignInKind;
  provider: SignInProvider | null;
  draft: ProviderValues;
}

/** The company's values, in the order in which its pages show them. Browsers do not store them. */
export function ProviderFields({ kind, provider, draft }: FieldsProps) {
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

/** The key is a file; its text can be pasted too. */
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
