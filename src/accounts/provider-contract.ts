import { z } from 'zod';
import { signInProviderKinds } from '#database/column-values.ts';
import { Id, Instant, ListAnswer, SingleAnswer } from '#platform/http/shapes.ts';
import { m } from '#messages';
import { knownDeviceHeader, CurrentPassword, SignInAnswer } from '#accounts/contract.ts';

const Choice = z.object({ id: z.string(), kind: z.enum(signInProviderKinds), name: z.string() });

export const Identity = z.object({
  id: Id,
  kind: z.enum(signInProviderKinds),
  name: z.string(),
  /** The email address that the provider gave last; null if it gave none. */
  email: z.string().nullable(),
  created_at: Instant,
  is_offered: z.boolean(),
});
export type Identity = z.infer<typeof Identity>;

const ProviderId = z.string().min(1).max(40);

/** The values with which the provider redirects the browser back, and the secret of the sign-in attempt. */
const SocialReturn = z.object({
  secret: z.string().min(1).max(200),
  state: z.string().min(1).max(500),
  code: z.string().min(1).max(4000),
  iss: z.string().max(500).optional(),
});

/** A started sign-in attempt: `url` is the provider's page; `secret` lets the same browser complete the attempt. */
const SocialBegun = z.object({ url: z.string(), secret: z.string() });

export const socialSignInEndpoints = {
  'GET /v1/auth/social/providers': {
    access: 'guest',
    summary: 'Where else customers can sign in, in the order of the buttons.',
    response: ListAnswer(Choice),
  },
  'POST /v1/auth/social/begin': {
    access: 'guest',
    summary: 'Begin a sign-in at a provider: the first one, if none is named. An app sends its S256 challenge.',
    body: z.object({
      provider: ProviderId.optional(),
      app_challenge: z
        .string()
        .regex(/^[\w-]{43}$/, { error: () => m.accounts_app_link_cut() })
        .optional(),
    }),
    response: SingleAnswer(SocialBegun),
    ownTransaction: true,
    errors: ['not_found', 'unavailable'],
  },
  'POST /v1/auth/social/end': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: 'End a sign-in with what the provider sent the browser back with, once, within 15 minutes.',
    body: SocialReturn,
    response: SignInAnswer,
    ownTransaction: true,
    errors: ['unavailable'],
  },
  'POST /v1/auth/social/app-code': {
    access: 'guest',
    summary:
      'End a sign-in that was begun with an app_challenge: the browser gives the code to the app, within a minute.',
    body: SocialReturn,
    response: SingleAnswer(z.object({ app_code: z.string(), expires_at: Instant })),
    ownTransaction: true,
    errors: ['unavailable'],
  },
  'POST /v1/auth/social/app-token': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: "Sign the app in with that code, once, and the verifier of the app's challenge.",
    body: z.object({
      app_code: z.string().min(1).max(200),
      verifier: z.string().regex(/^[\w.~-]{43,128}$/, 'Send the verifier of RFC 7636.'),
    }),
    response: SignInAnswer,
    ownTransaction: true,
  },
  'GET /v1/auth/identities': {
    access: 'customer',
    summary: 'The accounts at other companies by which I sign in, oldest first.',
    response: ListAnswer(Identity),
  },
  'POST /v1/auth/social/connect': {
    access: 'customer',
    summary: 'Begin to connect an account at a provider to mine. Needs my password, or that I have just signed in.',
    body: z.object({ provider: ProviderId, password: CurrentPassword.optional() }),
    response: SingleAnswer(SocialBegun),
    ownTransaction: true,
    errors: ['not_found', 'unavailable'],
  },
  'POST /v1/auth/identities': {
    access: 'customer',
    summary: 'Connect it, with what the provider sent the browser back with.',
    body: SocialReturn,
    response: ListAnswer(Identity),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'DELETE /v1/auth/identities/{id}': {
    access: 'customer',
    freshSignInFor: 'it, where they have a second factor',
    summary: 'Sign in by it no longer. Not the last way to sign in. Needs what connecting needs.',
    body: z.object({ password: CurrentPassword.optional() }),
    response: null,
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;

export const SignInProvider = z.object({
  id: Id,
  kind: z.enum(signInProviderKinds),
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  team_id: z.string().nullable(),
  key_id: z.string().nullable(),
  /** False for a public client, which only PKCE protects. */
  has_secret: z.boolean(),
  is_on: z.boolean(),
  /** When the owner last tried a sign-in with the provider's present details; null if never. */
  tried_at: Instant.nullable(),
  problem: z
    .object({
      /**
       * Why sign-ins fail. `not_here`: the provider's secrets are not on this machine. `twice`: the environment sets up
       * a provider with the same issuer, and that provider takes precedence.
       */
      kind: z.enum(['away', 'no_provider', 'client_refused', 'return_refused', 'clock', 'not_here', 'twice']),
      since: Instant.nullable(),
    })
    .nullable(),
  /**
   * How many customers sign in with this provider. `only_way` counts the customers among them who have no password and
   * no other provider.
   */
  customers: z.int(),
  only_way: z.int(),
});
export type SignInProvider = z.infer<typeof SignInProvider>;

export const SignInProviderSetup = z.object({
  /** The redirect address, which the owner enters at the provider. */
  return_url: z.string(),
  /** The sender address of the shop's mails, which the owner registers at Apple. */
  mail_from: z.string(),
  /** The provider that environment variables set up; null without one. */
  environment: SignInProvider.pick({ kind: true, name: true, issuer: true, client_id: true }).nullable(),
  /** The providers that the owner set up, oldest first. */
  providers: z.array(SignInProvider),
});
export type SignInProviderSetup = z.infer<typeof SignInProviderSetup>;

/** The person who signed in at a trial, as the provider describes them. Nothing about them is stored. */
export const TrialSignInPerson = z.object({
  email: z.string().nullable(),
  is_email_confirmed: z.boolean(),
  name: z.string(),
});
export type TrialSignInPerson = z.infer<typeof TrialSignInPerson>;

const Text = z.string().trim().max(300);
const Details = z.object({
  /** The fields of the kind `other`: `name` is the button's text, and `issuer` the provider's address. */
  name: Text.max(40),
  issuer: Text,
  client_id: Text,
  client_secret: Text.max(1000),
  /** The fields of the kind `apple`: the ids of the shop's team and key at Apple, and the key itself. */
  team_id: Text,
  key_id: Text,
  private_key: z.string().trim().max(4000),
});
export type ProviderDetails = Partial<z.infer<typeof Details>>;

export const signInProviderEndpoints = {
  'GET /v1/sign-in-providers': {
    access: 'admin',
    summary: 'Where customers can sign in besides here, without anything secret.',
    response: SingleAnswer(SignInProviderSetup),
  },
  'POST /v1/sign-in-providers': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Set up a sign-in provider, which is asked whether it knows the shop. Customers cannot use it yet.',
    body: Details.partial().extend({ kind: z.enum(signInProviderKinds) }),
    response: SingleAnswer(SignInProviderSetup),
    status: 201,
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'PATCH /v1/sign-in-providers/{id}': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Change what is given. Other details are tried as at the beginning. `is_on`: whether customers can use it.',
    body: Details.extend({ is_on: z.boolean() }).partial(),
    response: SingleAnswer(SignInProviderSetup),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'DELETE /v1/sign-in-providers/{id}': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Remove a sign-in provider and its secrets. Customers who used it can choose a password by mail.',
    response: null,
    ownTransaction: true,
  },
  'POST /v1/sign-in-providers/{id}/trial': {
    access: 'admin',
    summary: 'Begin a sign-in that tries the provider and signs nobody in.',
    response: SingleAnswer(SocialBegun),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'POST /v1/sign-in-trial': {
    access: 'admin',
    summary: 'End it, and learn what the provider says about the person.',
    body: SocialReturn,
    response: SingleAnswer(TrialSignInPerson),
    ownTransaction: true,
    errors: ['unavailable'],
  },
} as const;
