import { z } from 'zod';
import { m } from '#messages';
import { knownDeviceHeader, CurrentPassword, SignInAnswer } from '#accounts/contract.ts';
import { Id, Instant, SingleAnswer } from '#platform/http/shapes.ts';
import { nameField } from '#platform/contact-fields.ts';

/** The options for the browser's passkey calls (`navigator.credentials`), as the WebAuthn library makes them. */
const BrowserJson = z.record(z.string(), z.unknown());
const Registration = z.looseObject({
  id: z.string().max(2000),
  response: z.looseObject({
    clientDataJSON: z.string().max(10_000),
    attestationObject: z.string().max(40_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export const PasskeyAssertion = z.looseObject({
  id: z.string().max(2000),
  response: z.looseObject({
    clientDataJSON: z.string().max(10_000),
    authenticatorData: z.string().max(10_000),
    signature: z.string().max(10_000),
    userHandle: z.string().max(2000).optional(),
  }),
});

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

export const Factors = z.object({
  passkeys: z.array(Passkey),
  /** When codes of an authenticator app became required; null if they are not. */
  totp_since: Instant.nullable(),
  recovery_codes_left: z.int(),
  /** Present only in the response to the call that made the codes. */
  recovery_codes: z.array(z.string()).optional(),
  /** Whether browsers offer passkeys on this site: over https or on `localhost`, but never at an IP address. */
  can_have_passkeys: z.boolean(),
  /** Whether each start of the server resets this account (`ADMIN_EMAIL`) and removes its second factors. */
  is_removed_at_start: z.boolean(),
});
export type Factors = z.infer<typeof Factors>;

export const FactorsExport = Factors.pick({ passkeys: true, totp_since: true, recovery_codes_left: true });
export type FactorsExport = z.infer<typeof FactorsExport>;

const own = { access: 'store_admin', devices: false, ownTransaction: true } as const;
/**
 * A fresh sign-in is required, so that a stranger at a tablet that was left signed in cannot add a factor of their own.
 */
const change = { ...own, freshSignIn: true } as const;

export const factorEndpoints = {
  'GET /v1/auth/factors': {
    access: 'store_admin',
    devices: false,
    summary: 'My passkeys, and whether codes from an authenticator app are asked for when I sign in.',
    response: SingleAnswer(Factors),
  },
  'POST /v1/auth/passkeys/begin': {
    ...change,
    summary: 'What my browser makes a passkey by, for five minutes.',
    response: SingleAnswer(BrowserJson),
    errors: ['conflict'],
  },
  'POST /v1/auth/passkeys': {
    ...change,
    summary: 'Add the passkey that my browser has made. Then the password alone signs me in no longer.',
    body: z.object({
      response: Registration,
      name: nameField(60, () => m.accounts_name_missing()).optional(),
    }),
    response: SingleAnswer(Factors),
    status: 201,
    errors: ['conflict'],
  },
  'DELETE /v1/auth/passkeys/{id}': {
    ...change,
    summary: 'Remove one of my passkeys.',
    response: SingleAnswer(Factors),
  },
  'POST /v1/auth/totp/begin': {
    ...change,
    summary: 'A secret for an authenticator app. Nothing is asked for until a code has confirmed it.',
    response: SingleAnswer(z.object({ secret: z.string(), url: z.string() })),
    errors: ['conflict'],
  },
  'POST /v1/auth/totp': {
    ...change,
    summary: 'Confirm the secret with a code from the app. From then on a code is asked for at each sign-in.',
    body: z.object({ one_time_code: OneTimeCode }),
    response: SingleAnswer(Factors),
    status: 201,
  },
  'DELETE /v1/auth/totp': {
    ...change,
    summary: 'Remove my authenticator app.',
    response: SingleAnswer(Factors),
    errors: ['not_found'],
  },
  'POST /v1/auth/recovery-codes': {
    ...change,
    summary: 'Ten new recovery codes in place of the earlier ones. They are shown once.',
    response: SingleAnswer(Factors),
    errors: ['conflict'],
  },
  'POST /v1/auth/proof': {
    ...own,
    summary:
      'Show once more who I am, by one of these: then no call answers `fresh_sign_in_required`. A passkey begins as a sign-in. The password counts where there is no second factor.',
    body: z
      .object({ password: CurrentPassword, one_time_code: OneTimeCode, response: PasskeyAssertion })
      .partial()
      .refine((given) => Object.values(given).filter((part) => part !== undefined).length === 1, {
        error: () => m.accounts_proof_missing(),
        path: ['password'],
      }),
    response: SingleAnswer(z.object({ until: Instant })),
    errors: ['conflict'],
  },
  'POST /v1/auth/passkey-sign-in/begin': {
    access: 'guest',
    summary: 'What a browser signs in with a passkey by, for five minutes.',
    response: SingleAnswer(BrowserJson),
    isRead: true,
    ownTransaction: true,
    rate: { burst: 60, perSecond: 1 },
    errors: ['conflict'],
  },
  'POST /v1/auth/passkey-sign-in': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: 'Sign in with what a passkey has signed.',
    body: z.object({ response: PasskeyAssertion }),
    response: SignInAnswer,
    isRead: true,
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;
