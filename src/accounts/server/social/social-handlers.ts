import { m } from '#messages';
import { sendIdentityNotice } from '#accounts/server/account-mail.ts';
import { checkAccountOwner } from '#accounts/server/check-owner.ts';
import { signInToAccount } from '#accounts/server/sign-ins.ts';
import type { AccountServices } from '#accounts/server/services.ts';
import {
  connectIdentity,
  findOrCreateCustomer,
  type IdentityRow,
  listIdentities,
  refuseIdentitiesFor,
  removeIdentity,
} from '#accounts/server/social/identities.ts';
import { isSameIssuer, type SignInProvider, type SignInProviders } from '#accounts/server/social/providers.ts';
import {
  type CompletedSocialSignIn,
  savePostedName,
  type SocialSignIn,
} from '#accounts/server/social/social-sign-in.ts';
import { countAttempt, resetCountsAfterSuccess } from '#accounts/server/throttle.ts';
import { findUser, readSignedInUser, type UserRow } from '#accounts/server/users.ts';
import type { Identity, socialSignInEndpoints } from '#accounts/provider-contract.ts';
import type { Db, Tx } from '#database/schema.ts';
import { inTransaction } from '#database/transaction.ts';
import { AppError, invalidFieldError } from '#platform/errors.ts';
import type { HandlerInput, Handlers } from '#platform/http/serve.ts';
import { presetProviderNames, type SignInChoice } from '#accounts/sign-in-kinds.ts';
import { keysOf } from '#platform/keys-of.ts';
import { createHash, randomBytes } from 'node:crypto';
import { hashToken } from '#accounts/server/hash-password.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { shorten } from '#platform/graphemes.ts';

type Services = Pick<AccountServices, 'config' | 'mail' | 'menus' | 'signInProviders'>;
type SocialCall<K extends keyof typeof socialSignInEndpoints> = HandlerInput<typeof socialSignInEndpoints, K, Db, Tx>;

export function socialHandlers(
  services: Services,
  signIn: SocialSignIn,
): Handlers<typeof socialSignInEndpoints, Db, Tx> {
  const { signInProviders } = services;
  return {
    'GET /v1/auth/social/providers': () => ({ data: signInProviders.choices() }),

    'POST /v1/auth/social/begin': async ({ db, body, now, address }) => {
      const provider = offered(services, body.provider);
      await countAttempt(db, 'social', { address }, now);
      const { app_challenge: challenge } = body;
      const aim =
        challenge === undefined ? ({ purpose: 'sign_in' } as const) : ({ purpose: 'app', challenge } as const);
      return { data: await signIn.begin(db, provider, aim, now) };
    },

    'POST /v1/auth/social/end': async (call) => {
      const { db, body, now, address } = call;
      const ended = await signIn.end(db, body, { purpose: 'sign_in' }, now);
      const user = await enter(services, db, ended, now);
      await resetCountsAfterSuccess(db, 'social', { address });
      return signInToAccount(services, db, user, call);
    },

    'POST /v1/auth/social/app-code': async ({ db, body, now, address }) => {
      const ended = await signIn.end(db, body, { purpose: 'app' }, now);
      const user = await enter(services, db, ended, now);
      await resetCountsAfterSuccess(db, 'social', { address });
      return { data: await makeAppCode(db, { userId: user.id, challenge: ended.challenge ?? '' }, now) };
    },

    'POST /v1/auth/social/app-token': async (call) => {
      const { db, body, now, address } = call;
      await countAttempt(db, 'social', { address }, now);
      const userId = await redeemAppCode(db, body.app_code, body.verifier, now);
      const user = userId === null ? undefined : await findUser(db, userId);
      if (!user) throw invalidFieldError('app_code', m.accounts_social_expired());
      // The customer became staff after the code was made.
      if (user.role !== 'customer') throw invalidFieldError('app_code', m.accounts_social_staff());
      await resetCountsAfterSuccess(db, 'social', { address });
      return signInToAccount(services, db, user, call);
    },

    'GET /v1/auth/identities': async ({ db, viewer }) => ({
      data: presentIdentities(await listIdentities(db, viewer.id ?? ''), signInProviders),
    }),

    'POST /v1/auth/social/connect': async (call) => {
      const { db, body, viewer, now, address } = call;
      const provider = offered(services, body.provider);
      const user = await readSignedInUser(db, viewer);
      refuseIdentitiesFor(user);
      await checkAccountOwner(db, user, { password: body.password ?? '', viewer, now });
      await countAttempt(db, 'social', { address }, now);
      return { data: await signIn.begin(db, provider, { purpose: 'link', userId: user.id }, now) };
    },

    'POST /v1/auth/identities': (call) => connect(services, signIn, call),
    'DELETE /v1/auth/identities/{id}': (call) => disconnect(services, call),
  };
}

/** The offered provider with this id; without an id, the first offered one. Throws 404 if there is none. */
function offered({ signInProviders }: Services, id: string | undefined): SignInProvider {
  const all = signInProviders.offered();
  const provider = id === undefined ? all[0] : all.find((each) => each.id === id);
  if (!provider) throw new AppError('not_found', m.accounts_social_gone());
  return provider;
}

async function enter(
  services: Services,
  db: Db,
  { claims, provider }: CompletedSocialSignIn,
  now: Date,
): Promise<UserRow> {
  return inTransaction(db, async (tx) => {
    const { user, isConnected } = await findOrCreateCustomer(tx, claims, now);
    if (isConnected)
      await sendIdentityNotice(tx, services, 'identity_connected', { to: user, provider: provider.name });
    return user;
  });
}

async function connect(services: Services, signIn: SocialSignIn, call: SocialCall<'POST /v1/auth/identities'>) {
  const { db, body, viewer, now, address } = call;
  const userId = viewer.id ?? '';
  const { claims, provider } = await signIn.end(db, body, { purpose: 'link', userId }, now);
  const identities = await inTransaction(db, async (tx) => {
    const user = await readSignedInUser(tx, viewer, 'locked');
    const before = await listIdentities(tx, userId);
    await connectIdentity(tx, user, claims, now);
    const after = await listIdentities(tx, userId);
    if (after.length > before.length) {
      await sendIdentityNotice(tx, services, 'identity_connected', { to: user, provider: provider.name });
    }
    return after;
  });
  await resetCountsAfterSuccess(db, 'social', { address });
  return { data: presentIdentities(identities, services.signInProviders) };
}

async function disconnect(services: Services, call: SocialCall<'DELETE /v1/auth/identities/{id}'>) {
  const { db, body, params, viewer, now } = call;
  const { signInProviders } = services;
  await checkAccountOwner(db, await readSignedInUser(db, viewer), { password: body.password ?? '', viewer, now });
  await inTransaction(db, async (tx) => {
    // The account's row is locked, so that two tabs cannot each remove one of the last two identities.
    const user = await readSignedInUser(tx, viewer, 'locked');
    const identities = await listIdentities(tx, user.id);
    const identity = identities.find(({ id }) => id === params.id.toLowerCase());
    if (!identity) throw new AppError('not_found', m.platform_not_found());
    if (isLastWay(user, identity, identities, signInProviders)) {
      throw new AppError('conflict', m.accounts_identity_last());
    }
    await removeIdentity(tx, identity.id);
    const provider = providerOf(identity, signInProviders).name;
    await sendIdentityNotice(tx, services, 'identity_removed', { to: user, provider });
  });
}

type ProviderLookup = Pick<SignInProviders, 'offered' | 'issuerOf'>;

function presentIdentities(identities: readonly IdentityRow[], providers: ProviderLookup): Identity[] {
  return identities.map((identity) => ({
    id: identity.id,
    ...providerOf(identity, providers),
    email: identity.email,
    created_at: identity.created_at.toISOString(),
    is_offered: isOffered(identity, providers),
  }));
}

/** The kind and name of an identity's provider, even if the provider is no longer offered. */
function providerOf({ issuer }: Pick<IdentityRow, 'issuer'>, providers: ProviderLookup): Omit<SignInChoice, 'id'> {
  const known = providers.offered().find((provider) => isSameIssuer(provider.issuer, issuer));
  if (known) return { kind: known.kind, name: known.name };
  const preset = keysOf(presetProviderNames).find((kind) => isSameIssuer(providers.issuerOf(kind), issuer));
  return preset
    ? { kind: preset, name: presetProviderNames[preset] }
    : { kind: 'other', name: new URL(issuer).hostname };
}

function isLastWay(
  user: Pick<UserRow, 'password_hash'>,
  identity: IdentityRow,
  all: readonly IdentityRow[],
  providers: ProviderLookup,
): boolean {
  if (user.password_hash !== null) return false;
  return !all.some((other) => other.id !== identity.id && isOffered(other, providers));
}

function isOffered({ issuer }: Pick<IdentityRow, 'issuer'>, providers: ProviderLookup): boolean {
  return providers.offered().some((provider) => isSameIssuer(provider.issuer, issuer));
}

/** Milliseconds in which the app can redeem its code. */
const validFor = 60_000;

/** Makes the code by which the app takes over a browser's sign-in; redeeming it needs the challenge's verifier. */
async function makeAppCode(
  db: Db,
  { userId, challenge }: { userId: string; challenge: string },
  now: Date,
): Promise<{ app_code: string; expires_at: string }> {
  const code = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + validFor);
  await db
    .insertInto('social_codes')
    .values({ code_hash: hashToken(code), user_id: userId, challenge, expires_at: expires })
    .execute();
  return { app_code: code, expires_at: expires.toISOString() };
}

/**
 * Redeems an app's code and returns its user; null if the code or the verifier is invalid. A wrong verifier uses up the
 * code.
 */
async function redeemAppCode(db: Db, code: string, verifier: string, now: Date): Promise<string | null> {
  const row = await db
    .deleteFrom('social_codes')
    .where('code_hash', '=', hashToken(code))
    .returning(['user_id', 'challenge', 'expires_at'])
    .executeTakeFirst();
  if (!row || row.expires_at <= now) return null;
  return equalInConstantTime(row.challenge, challengeOf(verifier)) ? row.user_id : null;
}

/** The challenge of a verifier by the method S256 of RFC 7636. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

const bodyLimit = 16 * 1024;

/** The parameters of a provider's posted answer; others are dropped. */
const Posted = z.object({
  state: z.string().max(500).optional(),
  code: z.string().max(4000).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(200).optional(),
  user: z.string().max(4000).optional(),
});

/** Apple's `user`, posted at a person's first sign-in. `user` is unsigned, so the shop uses only the name. */
const PostedPerson = z.object({
  name: z.object({ firstName: z.string().max(80).catch(''), lastName: z.string().max(80).catch('') }),
});

/**
 * Receives a provider's posted answer (OpenID's `form_post`), and redirects to the page that handles answers. The
 * redirect has code and state behind `#`, so that no server logs them.
 */
export function serveProviderFormPost(http: FastifyInstance, { db }: Pick<AccountServices, 'db'>): void {
  http.post('/auth/callback', { bodyLimit }, async (request, reply) => {
    const { user, ...answer } = Posted.safeParse(request.body).data ?? {};
    const name = readName(user);
    if (name !== '' && answer.state !== undefined) await savePostedName(db, answer.state, name);
    const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(`/auth/callback#${new URLSearchParams(given).toString()}`, 303);
  });
}

function readName(user: string | undefined): string {
  if (user === undefined) return '';
  try {
    const { firstName, lastName } = PostedPerson.parse(JSON.parse(user)).name;
    const words = `${firstName} ${lastName}`.replaceAll(/\p{C}/gu, '');
    return shorten(words.replaceAll(/\s+/g, ' ').trim(), 80, '');
  } catch {
    return '';
  }
}
