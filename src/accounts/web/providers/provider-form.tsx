import { Alert, Button, Group } from '@mantine/core';
import { m } from '#messages';
import type { SignInProvider, SignInSetup } from '#accounts/provider-contract.ts';
import { returnProblem } from '#accounts/return-address.ts';
import { presetNames, type PresetKind } from '#accounts/sign-in-kinds.ts';
import { ProviderFields } from '#accounts/web/providers/provider-fields.tsx';
import { AppleGuide, GoogleGuide, OtherGuide } from '#accounts/web/providers/provider-guides.tsx';
import classes from '#accounts/web/providers/providers.module.css';
import { useProviderDraft } from '#accounts/web/providers/use-provider-draft.ts';
import type { SignInKind } from '#database/sign-in-columns.ts';

interface ProviderFormProps {
  kind: SignInKind;
  /** null: it is set up for the first time. */
  provider: SignInProvider | null;
  setup: SignInSetup;
  onClose: () => void;
}

/** The steps at the company, and the fields for its values. */
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

/** The company would refuse the address of this shop: better known before than after its forms. */
function AddressAlert({ kind, returnUrl }: { kind: PresetKind; returnUrl: string }) {
  const problem = returnProblem(kind, returnUrl);
  if (!problem) return null;
  const about = { name: presetNames[kind], origin: new URL(returnUrl).origin };
  return (
    <Alert color="warm">
      {problem === 'https' ? m.accounts_providers_needs_https(about) : m.accounts_providers_needs_domain(about)}
    </Alert>
  );
}
