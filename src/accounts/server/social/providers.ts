import type { FastifyBaseLogger } from 'fastify';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type SignInProviderKind, signInProviderKinds } from '#database/column-values.ts';
import {
  presetProviderIssuers,
  type PresetProviderKind,
  presetProviderNames,
  type SignInChoice,
} from '#accounts/sign-in-kinds.ts';
import type { Db, SignInProvidersTable, Tx } from '#database/schema.ts';
import { announceSettingsChange, type SettingsWatch } from '#database/listen.ts';
import { keysOf } from '#platform/keys-of.ts';
import { openSecretStore, type SecretStore } from '#platform/server/secrets/secret-store.ts';

export type SignInProviderRow = Selectable<SignInProvidersTable>;

/** A provider's secrets: either a client secret or a key, or neither for a public client. */
const ProviderSecrets = z.object({
  clientSecret: z.string().nullable(),
  /** The key that signs Apple's client secrets, in PEM; null for other kinds. */
  privateKey: z.string().nullable(),
});
export type SignInProviderSecrets = z.infer<typeof ProviderSecrets>;

export interface SignInProvider extends SignInChoice {
  issuer: string;
  clientId: string;
  secrets: SignInProviderSecrets;
  /** Apple's ids of the shop's team and key; null for other kinds. */
  teamId: string | null;
  keyId: string | null;
}

/** The sign-in providers, cached in this instance. After a change by any instance, the cache is reloaded. */
export interface SignInProviders {
  offered(): readonly SignInProvider[];
  choices(): SignInChoice[];
  /**
   * A provider by id, even if the provider is switched off; null: unknown id, or the provider's secrets are not on this
   * machine.
   */
  get(id: string): SignInProvider | null;
  environment(): SignInProvider | null;
  /** Returns the issuer of Google or Apple; tests replace the function. */
  issuerOf(kind: PresetProviderKind): string;
  reload(): Promise<void>;
  secrets: SecretStore<SignInProviderSecrets>;
}

export interface SignInProvidersConfig {
  dataDir: string;
  SECRETS_KEY?: string | undefined;
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME?: string | undefined;
  OIDC_GOOGLE_ISSUER?: string | undefined;
  OIDC_APPLE_ISSUER?: string | undefined;
}

interface SignInProvidersOptions {
  db: Db;
  /** The watch of settings, which must listen to `signInProvidersChannel`. */
  watch: Pick<SettingsWatch, 'keep'>;
  log: FastifyBaseLogger;
  config: SignInProvidersConfig;
}

export const signInProvidersChannel = 'hatch_sign_in_providers';
export const environmentProviderId = 'environment';

/** Announces a change to every instance once `tx` is committed. */
export function announceSignInProviders(tx: Tx): Promise<void> {
  return announceSettingsChange(tx, signInProvidersChannel);
}

export async function openSignInProviders(options: SignInProvidersOptions): Promise<SignInProviders> {
  const { db, watch, log, config } = options;
  const secrets = openSecretStore(config, {
    folder: 'sign-in-keys',
    use: 'hatch sign-in providers',
    schema: ProviderSecrets,
  });
  const issuers: Record<PresetProviderKind, string> = {
    google: config.OIDC_GOOGLE_ISSUER ?? presetProviderIssuers.google,
    apple: config.OIDC_APPLE_ISSUER ?? presetProviderIssuers.apple,
  };
  const environment = readEnvironment(config, issuers);
  let known: ReadonlyMap<string, SignInProvider> = new Map();
  let offered: readonly SignInProvider[] = [];
  let choices: SignInChoice[] = [];

  const reload = await watch.keep(signInProvidersChannel, async () => {
    const rows = await db.selectFrom('sign_in_providers').selectAll().orderBy('created_at').orderBy('id').execute();
    const next = new Map<string, SignInProvider>(environment ? [[environmentProviderId, environment]] : []);
    const shown: SignInProvider[] = environment ? [environment] : [];
    for (const row of rows) {
      const read = await secrets.read(row.id, row.sealed);
      if (!read) {
        log.error({ provider: row.id }, 'the secrets of a sign-in provider are not on this machine');
        continue;
      }
      const provider = ready(row, read);
      next.set(row.id, provider);
      // Identities are found by their issuer, so a second button for the same issuer is left out.
      if (row.is_on && !(environment && isSameIssuer(row.issuer, environment.issuer))) shown.push(provider);
    }
    known = next;
    offered = shown.toSorted((a, b) => signInProviderKinds.indexOf(a.kind) - signInProviderKinds.indexOf(b.kind));
    choices = offered.map(({ id, kind, name }) => ({ id, kind, name }));
  });
  return {
    offered: () => offered,
    choices: () => choices,
    get: (id) => known.get(id) ?? null,
    environment: () => environment,
    issuerOf: (kind) => issuers[kind],
    reload,
    secrets,
  };
}

function readEnvironment(
  config: SignInProvidersConfig,
  issuers: Record<PresetProviderKind, string>,
): SignInProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = config;
  if (issuer === undefined || clientId === undefined) return null;
  const kind: SignInProviderKind = keysOf(issuers).find((preset) => isSameIssuer(issuers[preset], issuer)) ?? 'other';
  return {
    id: environmentProviderId,
    kind,
    name: name ?? (kind === 'other' ? new URL(issuer).hostname : presetProviderNames[kind]),
    issuer,
    clientId,
    secrets: { clientSecret: clientSecret ?? null, privateKey: null },
    teamId: null,
    keyId: null,
  };
}

export function isSameIssuer(a: string, b: string): boolean {
  return new URL(a).href === new URL(b).href;
}

function ready(row: SignInProviderRow, secrets: SignInProviderSecrets): SignInProvider {
  const { id, kind, name, issuer, client_id: clientId, team_id: teamId, key_id: keyId } = row;
  return { id, kind, name, issuer, clientId, secrets, teamId, keyId };
}
