import { z } from 'zod';
import { SocialBegun, SocialReturn } from '#accounts/social-contract.ts';
import { signInKinds } from '#accounts/sign-in-kinds.ts';
import { Id, Instant, One } from '#platform/http/shapes.ts';

/** A sign-in provider as the office shows it, without anything secret. */
export const SignInProvider = z.object({
  id: Id,
  kind: z.enum(signInKinds),
  /** On its button. */
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  team_id: z.string().nullable(),
  key_id: z.string().nullable(),
  /** False for a client without one, which only PKCE protects. */
  has_secret: z.boolean(),
  /** Whether customers can use it. */
  is_on: z.boolean(),
  /** When the owner last signed in with it to try it, since its details last changed. */
  tried_at: Instant.nullable(),
  problem: z
    .object({
      /**
       * As of failed sign-ins; `not_here`: its secrets are not on this machine; `twice`: the environment has a provider with
       * the same issuer, which is used instead.
       */
      kind: z.enum(['away', 'no_provider', 'client_refused', 'return_refused', 'clock', 'not_here', 'twice']),
      since: Instant.nullable(),
    })
    .nullable(),
  /** Customers who sign in with it, and how many of them have no other way, except to choose a password by mail. */
  customers: z.int(),
  only_way: z.int(),
});
export type SignInProvider = z.infer<typeof SignInProvider>;

export const SignInSetup = z.object({
  /** The address that providers ask for: they send browsers back to it. */
  return_url: z.string(),
  /** The sender of the shop's mails, which Apple asks for. */
  mail_from: z.string(),
  /** The provider of the server's settings. */
  environment: SignInProvider.pick({ kind: true, name: true, issuer: true, client_id: true }).nullable(),
  /** In the order in which they were set up. */
  providers: z.array(SignInProvider),
});
export type SignInSetup = z.infer<typeof SignInSetup>;

/** The person who tried a provider, as it says. Nothing of it is stored. */
export const TriedSignIn = z.object({
  email: z.string().nullable(),
  /** Whether a customer could be given an account for this address. */
  is_email_confirmed: z.boolean(),
  name: z.string(),
});
export type TriedSignIn = z.infer<typeof TriedSignIn>;

const Text = z.string().trim().max(300);
const Details = z.object({
  /** For `other`: the name on the button, and the provider's address. */
  name: Text.max(40),
  issuer: Text,
  client_id: Text,
  client_secret: Text.max(1000),
  /** For `apple`. */
  team_id: Text,
  key_id: Text,
  private_key: z.string().trim().max(4000),
});
export type ProviderDetails = Partial<z.infer<typeof Details>>;

export const signInProviders = {
  'GET /v1/sign-in-providers': {
    access: 'admin',
    summary: 'Where customers can sign in besides here, without anything secret.',
    response: One(SignInSetup),
  },
  'POST /v1/sign-in-providers': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Set up a sign-in provider, which is asked whether it knows the shop. Customers cannot use it yet.',
    body: Details.partial().extend({ kind: z.enum(signInKinds) }),
    response: One(SignInSetup),
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
    response: One(SignInSetup),
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
    response: One(SocialBegun),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'POST /v1/sign-in-trial': {
    access: 'admin',
    summary: 'End it, and learn what the provider says about the person.',
    body: SocialReturn,
    response: One(TriedSignIn),
    ownTransaction: true,
    errors: ['unavailable'],
  },
} as const;
