import { z } from 'zod';
import { m } from '#messages';
import { knownDevice, SignedIn } from '#accounts/contract.ts';
import { OwnPassword } from '#accounts/fields.ts';
import { signInKinds } from '#accounts/sign-in-kinds.ts';
import { Id, Instant, Many, One } from '#platform/http/shapes.ts';

const Choice = z.object({ id: z.string(), kind: z.enum(signInKinds), name: z.string() });

/** An account at a sign-in provider by which a customer signs in here. */
export const Identity = z.object({
  id: Id,
  kind: z.enum(signInKinds),
  /** Of the provider. */
  name: z.string(),
  /** The address there, when the person last signed in. */
  email: z.string().nullable(),
  created_at: Instant,
  /** Whether the shop offers this provider now. */
  is_offered: z.boolean(),
});
export type Identity = z.infer<typeof Identity>;

/** An id of `GET /v1/auth/social/providers`. */
const ProviderId = z.string().min(1).max(40);

/** The provider's return values, and the secret of the attempt's beginning. */
export const SocialReturn = z.object({
  secret: z.string().min(1).max(200),
  state: z.string().min(1).max(500),
  code: z.string().min(1).max(4000),
  iss: z.string().max(500).optional(),
});

/** `url` is the provider's page; `secret` is for ending the attempt, in the same browser. */
export const SocialBegun = z.object({ url: z.string(), secret: z.string() });

export const social = {
  'GET /v1/auth/social/providers': {
    access: 'guest',
    summary: 'Where else customers can sign in, in the order of the buttons.',
    response: Many(Choice),
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
    response: One(SocialBegun),
    ownTransaction: true,
    errors: ['not_found', 'unavailable'],
  },
  'POST /v1/auth/social/end': {
    access: 'guest',
    secret: knownDevice,
    summary: 'End a sign-in with what the provider sent the browser back with, once, within 15 minutes.',
    body: SocialReturn,
    response: SignedIn,
    ownTransaction: true,
    errors: ['unavailable'],
  },
  'POST /v1/auth/social/app-code': {
    access: 'guest',
    summary:
      'End a sign-in that was begun with an app_challenge: the browser gives the code to the app, within a minute.',
    body: SocialReturn,
    response: One(z.object({ app_code: z.string(), expires_at: Instant })),
    ownTransaction: true,
    errors: ['unavailable'],
  },
  'POST /v1/auth/social/app-token': {
    access: 'guest',
    secret: knownDevice,
    summary: "Sign the app in with that code, once, and the verifier of the app's challenge.",
    body: z.object({
      app_code: z.string().min(1).max(200),
      verifier: z.string().regex(/^[\w.~-]{43,128}$/, 'Send the verifier of RFC 7636.'),
    }),
    response: SignedIn,
    ownTransaction: true,
  },
  'GET /v1/auth/identities': {
    access: 'customer',
    summary: 'The accounts at other companies by which I sign in, oldest first.',
    response: Many(Identity),
  },
  'POST /v1/auth/social/connect': {
    access: 'customer',
    summary: 'Begin to connect an account at a provider to mine. Needs my password, or that I have just signed in.',
    body: z.object({ provider: ProviderId, password: OwnPassword.optional() }),
    response: One(SocialBegun),
    ownTransaction: true,
    errors: ['not_found', 'unavailable'],
  },
  'POST /v1/auth/identities': {
    access: 'customer',
    summary: 'Connect it, with what the provider sent the browser back with.',
    body: SocialReturn,
    response: Many(Identity),
    ownTransaction: true,
    errors: ['conflict', 'unavailable'],
  },
  'DELETE /v1/auth/identities/{id}': {
    access: 'customer',
    freshSignInFor: 'it, where they have a second factor',
    summary: 'Sign in by it no longer. Not the last way to sign in. Needs what connecting needs.',
    body: z.object({ password: OwnPassword.optional() }),
    response: null,
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;
