import { z } from 'zod';
import { m } from '#messages';
import { knownDevice, SignedIn } from '#accounts/contract.ts';
import { Id, Instant, One } from '#platform/http/shapes.ts';
import { isPlainName } from '#platform/plain-name.ts';

/** What browsers give and take (`PublicKeyCredential.toJSON`), as WebAuthn defines it. */
const BrowserJson = z.record(z.string(), z.unknown());
const Registration = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: z.string().max(10_000),
    attestationObject: z.string().max(40_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
  clientExtensionResults: BrowserJson.default({}),
});
const Assertion = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: z.string().max(10_000),
    authenticatorData: z.string().max(10_000),
    signature: z.string().max(10_000),
    userHandle: z.string().max(2000).optional(),
  }),
  clientExtensionResults: BrowserJson.default({}),
});

/** A code of an app, or a recovery code. */
export const OneTimeCode = z
  .string()
  .trim()
  .min(1, { error: () => m.accounts_code_missing() })
  .max(40);

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: Instant,
  last_used_at: Instant.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** How a member of staff signs in, beside the password. */
export const Factors = z.object({
  passkeys: z.array(Passkey),
  /** Since when codes of an app are asked for; null: they are not. */
  totp_since: Instant.nullable(),
  recovery_codes_left: z.int(),
  /** Whether this site can have passkeys: not over plain http, nor at an IP address. */
  can_have_passkeys: z.boolean(),
  /** The start of the server names this account (`ADMIN_EMAIL`), and removes all of it. */
  is_removed_at_start: z.boolean(),
});
export type Factors = z.infer<typeof Factors>;

/** `recovery_codes`: only with the first factor, and never again. */
export const ChangedFactors = Factors.extend({ recovery_codes: z.array(z.string()).optional() });

const own = { access: 'store_admin', devices: false, ownTransaction: true } as const;

export const factors = {
  'GET /v1/auth/factors': {
    access: 'store_admin',
    devices: false,
    summary: 'My passkeys, and whether codes of an app are asked for when I sign in.',
    response: One(Factors),
  },
  'POST /v1/auth/passkeys/begin': {
    ...own,
    summary: 'What my browser makes a passkey by, for five minutes.',
    response: One(BrowserJson),
    errors: ['conflict'],
  },
  'POST /v1/auth/passkeys': {
    ...own,
    summary: 'Add the passkey that my browser has made. Then the password alone signs me in no longer.',
    body: z.object({
      response: Registration,
      name: z
        .string()
        .trim()
        .min(1)
        .max(60)
        .refine(isPlainName, { error: () => m.accounts_name_invisible() })
        .optional(),
    }),
    response: One(ChangedFactors),
    status: 201,
    errors: ['conflict'],
  },
  'DELETE /v1/auth/passkeys/{id}': { ...own, summary: 'Remove one of my passkeys.', response: One(ChangedFactors) },
  'POST /v1/auth/totp/begin': {
    ...own,
    summary: 'A secret for an app that shows codes. Nothing is asked for until one of them has confirmed it.',
    response: One(z.object({ secret: z.string(), url: z.string() })),
    errors: ['conflict'],
  },
  'POST /v1/auth/totp': {
    ...own,
    summary: 'Confirm the secret with a code of the app. From then on a code is asked for at each sign-in.',
    body: z.object({ one_time_code: OneTimeCode }),
    response: One(ChangedFactors),
    status: 201,
  },
  'DELETE /v1/auth/totp': {
    ...own,
    summary: 'Ask for codes of the app no longer.',
    response: One(ChangedFactors),
    errors: ['not_found'],
  },
  'POST /v1/auth/recovery-codes': {
    ...own,
    summary: 'Ten new recovery codes in place of the earlier ones. They are shown once.',
    response: One(ChangedFactors),
    errors: ['conflict'],
  },
  'POST /v1/auth/passkey-sign-in/begin': {
    access: 'guest',
    summary: 'What a browser signs in with a passkey by, for five minutes.',
    response: One(BrowserJson),
    isRead: true,
    ownTransaction: true,
    rate: { burst: 60, perSecond: 1 },
    errors: ['conflict'],
  },
  'POST /v1/auth/passkey-sign-in': {
    access: 'guest',
    secret: knownDevice,
    summary: 'Sign in with what a passkey has signed.',
    body: z.object({ response: Assertion }),
    response: SignedIn,
    isRead: true,
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;
