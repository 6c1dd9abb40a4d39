import { randomUUIDv7 } from 'node:crypto';
import type { z } from 'zod';
import { m } from '#messages';
import type { ProviderDetails, signInProviderEndpoints } from '#accounts/provider-contract.ts';
import { providerProblemWords } from '#accounts/provider-problem-words.ts';
import { presetProviderNames } from '#accounts/sign-in-kinds.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import {
  isAppleKey,
  type SignInProviderClient,
  classifySignInProviderFailure,
} from '#accounts/server/social/provider-client.ts';
import {
  announceSignInProviders,
  isSameIssuer,
  type SignInProviderRow,
  type SignInProviderSecrets,
  type SignInProvider,
} from '#accounts/server/social/providers.ts';
import type { SignInProviderKind } from '#database/column-values.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, type FieldErrors, invalidFieldError } from '#platform/errors.ts';
import { isLoopbackUrl } from '#platform/server/addresses.ts';

type Services = Pick<AccountServices, 'config' | 'db' | 'log' | 'now' | 'signInProviders'>;
type Audit = (tx: Tx) => Promise<void>;
type NewProvider = z.output<(typeof signInProviderEndpoints)['POST /v1/sign-in-providers']['body']>;
type ProviderChange = z.output<(typeof signInProviderEndpoints)['PATCH /v1/sign-in-providers/{id}']['body']>;

/** Checks a new provider by a call to it, and stores it switched off. */
export async function addSignInProvider(
  services: Services,
  client: SignInProviderClient,
  { kind, ...given }: NewProvider,
  audit: Audit,
): Promise<void> {
  const { db, now, signInProviders: known } = services;
  const provider = await checkProvider(services, client, kind, { ...nothing, ...given });
  const id = randomUUIDv7();
  await inTransaction(db, async (tx) => {
    const added = await tx
      .insertInto('sign_in_providers')
      .values({
        id,
        kind,
        ...columnsOf(provider),
        sealed: await known.secrets.keep(id, provider.secrets),
        created_at: now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) throw new AppError('conflict', m.accounts_provider_exists());
    await announceSignInProviders(tx);
    await audit(tx);
  });
  await known.reload();
}

/**
 * Changes the given fields of a provider. A change of any field but `is_on` is checked by a call to the provider, and
 * needs another trial.
 */
export async function changeSignInProvider(
  services: Services,
  client: SignInProviderClient,
  { row, change: { is_on: isOn, ...given } }: { row: SignInProviderRow; change: ProviderChange },
  audit: Audit,
): Promise<void> {
  const { db, signInProviders: known } = services;
  const details = Object.keys(given).length === 0 ? null : given;
  const provider =
    details && (await checkProvider(services, client, row.kind, await withStoredSecrets(services, row, details)));
  await inTransaction(db, async (tx) => {
    const changed = {
      ...(isOn !== undefined && { is_on: isOn }),
      ...(provider && {
        ...columnsOf(provider),
        sealed: await known.secrets.keep(row.id, provider.secrets),
        tried_at: null,
        problem: null,
        problem_since: null,
      }),
    };
    if (Object.keys(changed).length > 0) {
      await tx.updateTable('sign_in_providers').set(changed).where('id', '=', row.id).execute();
    }
    await announceSignInProviders(tx);
    await audit(tx);
  });
  await known.reload();
}

export async function removeSignInProvider(services: Services, id: string, audit: Audit): Promise<void> {
  const { db, signInProviders: known } = services;
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('sign_in_providers').where('id', '=', id).execute();
    await announceSignInProviders(tx);
    await audit(tx);
  });
  await known.secrets.wipe(id);
  await known.reload();
}

export async function findSignInProviderRow(db: Db, id: string): Promise<SignInProviderRow> {
  const row = await db.selectFrom('sign_in_providers').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', m.platform_not_found());
  return row;
}

const nothing: WholeDetails = {
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  team_id: '',
  key_id: '',
  private_key: '',
};

/** Completes the given fields with the stored ones. Secrets that are not on this machine must be given again. */
async function withStoredSecrets({ signInProviders: known }: Services, row: SignInProviderRow, given: ProviderDetails) {
  const secrets = await known.secrets.read(row.id, row.sealed);
  return {
    name: row.name,
    issuer: row.issuer,
    client_id: row.client_id,
    client_secret: secrets?.clientSecret ?? '',
    team_id: row.team_id ?? '',
    key_id: row.key_id ?? '',
    private_key: secrets?.privateKey ?? '',
    ...given,
  };
}

type CheckedProvider = Omit<SignInProvider, 'id'>;

/**
 * Checks a provider's details by a call to it. Throws 422 for a wrong field, 503 if the provider does not answer, 409
 * for other problems.
 */
async function checkProvider(
  services: Services,
  client: SignInProviderClient,
  kind: SignInProviderKind,
  details: WholeDetails,
): Promise<CheckedProvider> {
  const errors = checkDetails(kind, details);
  const [first] = Object.values(errors).flat();
  if (first !== undefined) throw new AppError('invalid', first, { errors });
  const provider = await readDetails(services, kind, details);
  try {
    await client.probe({ ...provider, id: '' });
  } catch (error) {
    const failure = classifySignInProviderFailure(error);
    services.log.warn({ err: error, failure }, 'a sign-in provider was not set up');
    // The probe uses an invented sign-in. If the provider refuses only this sign-in (`refused`), it has accepted the
    // shop.
    if (failure === 'refused') return provider;
    const words = providerProblemWords(failure, provider);
    if (failure === 'away') throw new AppError('unavailable', words);
    if (failure === 'client_refused') throw invalidFieldError(kind === 'apple' ? 'client_id' : 'client_secret', words);
    if (failure === 'no_provider' && kind === 'other') throw invalidFieldError('issuer', words);
    throw new AppError('conflict', words);
  }
  return provider;
}

async function readDetails(
  services: Services,
  kind: SignInProviderKind,
  details: WholeDetails,
): Promise<CheckedProvider> {
  const { name, client_id: clientId, client_secret: clientSecret, team_id, key_id, private_key: privateKey } = details;
  if (kind === 'apple') {
    if (!(await isAppleKey(privateKey))) throw invalidFieldError('private_key', m.accounts_provider_private_key());
    const issuer = services.signInProviders.issuerOf('apple');
    const secrets: SignInProviderSecrets = { clientSecret: null, privateKey };
    return { kind, name: presetProviderNames.apple, issuer, clientId, secrets, teamId: team_id, keyId: key_id };
  }
  return {
    kind,
    name: kind === 'google' ? presetProviderNames.google : name,
    issuer: kind === 'google' ? services.signInProviders.issuerOf('google') : readIssuer(services, details.issuer),
    clientId,
    secrets: { clientSecret: clientSecret || null, privateKey: null },
    teamId: null,
    keyId: null,
  };
}

/**
 * Normalises a typed issuer: removes a final slash, and the path of the issuer's configuration document. Throws 422 or
 * 409 if the shop cannot use the issuer.
 */
function readIssuer({ config, signInProviders: known }: Services, typed: string): string {
  const url = new URL(typed.replace(/\/\.well-known\/openid-configuration$/, ''));
  // Without https, the issuer and the shop's public address must both be on this machine.
  const isLocal = url.protocol === 'http:' && isLoopbackUrl(url) && isLoopbackUrl(new URL(config.publicUrl));
  if (url.protocol !== 'https:' && !isLocal) throw invalidFieldError('issuer', m.accounts_provider_issuer_https());
  if (url.search || url.hash || url.username) throw invalidFieldError('issuer', m.accounts_provider_issuer_missing());
  const issuer = url.href.replace(/\/$/, '');
  const environment = known.environment();
  if (environment && isSameIssuer(environment.issuer, issuer)) {
    throw new AppError('conflict', m.accounts_provider_twice({ name: environment.name }));
  }
  for (const kind of ['google', 'apple'] as const) {
    if (isSameIssuer(known.issuerOf(kind), issuer)) {
      throw invalidFieldError('issuer', m.accounts_provider_use_preset({ name: presetProviderNames[kind] }));
    }
  }
  return issuer;
}

function columnsOf({ name, issuer, clientId, teamId, keyId }: CheckedProvider) {
  return { name, issuer, client_id: clientId, team_id: teamId, key_id: keyId };
}

type WholeDetails = Required<ProviderDetails>;

type Rule = [field: keyof ProviderDetails, isRight: (typed: string, all: WholeDetails) => boolean, words: () => string];

const appleName = /^[A-Z0-9]{10}$/;
const wanted = (typed: string): boolean => typed !== '';

/**
 * The rules for the fields of each kind: required fields and common mistakes. A field's first broken rule gives its
 * message.
 */
const rules: Record<SignInProviderKind, readonly Rule[]> = {
  google: [
    ['client_id', wanted, () => m.accounts_provider_client_id_missing()],
    ['client_id', (typed) => /^\S+\.apps\.googleusercontent\.com$/.test(typed), () => m.accounts_provider_google_id()],
    ['client_secret', wanted, () => m.accounts_provider_secret_missing()],
    ['client_secret', isNoId, () => m.accounts_provider_google_secret()],
  ],
  apple: [
    ['client_id', wanted, () => m.accounts_provider_services_id_missing()],
    ['client_id', (typed) => /^[\w-]+(\.[\w-]+)+$/.test(typed), () => m.accounts_provider_services_id()],
    ['team_id', (typed) => appleName.test(typed), () => m.accounts_provider_team_id()],
    ['key_id', (typed) => appleName.test(typed), () => m.accounts_provider_key_id()],
    ['key_id', (typed, { team_id: team }) => typed !== team, () => m.accounts_provider_key_id_is_team()],
    ['private_key', wanted, () => m.accounts_provider_private_key_missing()],
    ['private_key', (typed) => typed.includes('-----BEGIN PRIVATE KEY-----'), () => m.accounts_provider_private_key()],
  ],
  other: [
    ['name', wanted, () => m.accounts_provider_name_missing()],
    ['issuer', (typed) => URL.canParse(typed), () => m.accounts_provider_issuer_missing()],
    ['client_id', wanted, () => m.accounts_provider_client_id_missing()],
  ],
};

/**
 * Checks a provider's details by `rules`; returns messages by field, empty if no rule is broken. Details that break no
 * rule may still be wrong, which only a call to the provider shows.
 */
function checkDetails(kind: SignInProviderKind, details: WholeDetails): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, isRight, words] of rules[kind]) {
    if (!errors[field] && !isRight(details[field], details)) errors[field] = [words()];
  }
  return errors;
}

function isNoId(typed: string): boolean {
  return !typed.endsWith('.apps.googleusercontent.com');
}
