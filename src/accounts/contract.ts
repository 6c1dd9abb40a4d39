import { userRoles } from '#database/column-values.ts';
import { z } from 'zod';
import { m } from '#messages';
import { AllergenCode } from '#menu/menu-shapes.ts';
import { DeliveryAddress, SavedAddress, withNormalPostcode } from '#store/delivery-address.ts';
import { parseDeviceCode } from '#accounts/devices.ts';
import { Email, Name, nameField, SignInEmail, Phone, PhoneOrNone } from '#platform/contact-fields.ts';
import { plainContactText } from '#platform/plain-text.ts';
import type { SecretHeader } from '#platform/http/endpoint.ts';
import { Id, Instant, ListAnswer, SingleAnswer } from '#platform/http/shapes.ts';

/**
 * Normalises a password by RFC 8265's OpaqueString (NFC, every blank is U+0020), so that a password is the same from
 * any keyboard.
 */
export function normalisePassword(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** A new password: 8 to 200 characters of any kind, counted after `normalisePassword`. */
export const Password = z.string().overwrite(normalisePassword).min(8).max(200);

/** The current password of an account. The password is only compared, so the rules for new passwords do not apply. */
export const CurrentPassword = z
  .string()
  .min(1, { error: () => m.accounts_password_missing() })
  .max(200);

export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.enum(userRoles),
  store_ids: z.array(Id),
  addresses: z.array(DeliveryAddress),
  allergies: z.array(z.string()),
  locale: z.string(),
  email_verified_at: Instant.nullable(),
  /** False for a person who signs in through an OpenID provider and has no password. */
  has_password: z.boolean(),
  /** Whether this user is a signed-in device, such as a kitchen tablet, and not a person. */
  is_device: z.boolean().optional(),
});
export type User = z.infer<typeof User>;

export const SignIn = z.object({
  id: Id,
  user_agent: z.string(),
  created_at: Instant,
  /** When the sign-in was last used. The value lags by up to an hour, for admins by up to 15 minutes. */
  last_used_at: Instant,
  expires_at: Instant,
  is_current: z.boolean(),
});
export type SignIn = z.infer<typeof SignIn>;

const MessageAnswer = z.object({ message: z.string() });
/** The answer to a sign-in. `device_token` is sent as `X-Known-Device` at later sign-ins on this device. */
export const SignInAnswer = z.object({ token: z.string(), user: User, device_token: z.string() });

/**
 * The header that names a known device. Without the header a device counts as new, and the account's owner may get a
 * mail about the sign-in.
 */
export const knownDeviceHeader: SecretHeader = {
  scheme: 'knownDevice',
  header: 'X-Known-Device',
  description: 'The `device_token` of an earlier sign-in on this device.',
};

export const accountEndpoints = {
  'POST /v1/auth/login': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: 'Sign in.',
    body: z.object({
      email: SignInEmail,
      password: z
        .string()
        .min(1, { error: () => m.accounts_password_missing() })
        .max(200),
      /**
       * A code of an authenticator app, or a recovery code. Required in the next attempt after the error
       * `second_factor_required`.
       */
      one_time_code: z.string().trim().max(40).optional(),
    }),
    response: SignInAnswer,
    ownTransaction: true,
    errors: ['second_factor_required'],
  },
  'POST /v1/auth/register/customer': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: 'Open a customer account and sign in.',
    body: z.object({
      name: Name,
      email: Email,
      phone: Phone,
      password: Password,
    }),
    response: SignInAnswer,
    status: 201,
    ownTransaction: true,
  },
  'POST /v1/auth/logout': {
    access: 'customer',
    devices: true,
    summary: 'End this sign-in. A device is signed out for good.',
    response: null,
  },
  'POST /v1/auth/logout-everywhere': {
    access: 'customer',
    summary: 'End all my sign-ins, this one too.',
    response: null,
    ownTransaction: true,
  },
  'GET /v1/auth/sign-ins': {
    access: 'customer',
    summary: 'The devices I am signed in on, the latest first.',
    response: ListAnswer(SignIn),
  },
  'DELETE /v1/auth/sign-ins/{id}': {
    access: 'customer',
    summary: 'Sign one of my devices out.',
    response: null,
    ownTransaction: true,
  },
  'GET /v1/auth/user': {
    access: 'customer',
    devices: true,
    summary: 'Who is signed in.',
    response: SingleAnswer(User),
  },
  'PATCH /v1/auth/user': {
    access: 'customer',
    freshSignInFor: 'another email address, where they have a second factor',
    summary: 'Change my details. Another email address needs my password.',
    body: z
      .object({
        name: Name,
        email: Email,
        phone: PhoneOrNone,
        addresses: z.array(SavedAddress).max(20),
        allergies: z.array(AllergenCode).max(14),
        locale: z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'Use a language, for example en or en-GB.'),
        password: CurrentPassword,
      })
      .partial(),
    response: SingleAnswer(User),
    ownTransaction: true,
  },
  'POST /v1/auth/user/addresses': {
    access: 'customer',
    summary:
      'Save an address that I ordered to: in place of `replaces`, or of one with the same door, or at the end of my addresses.',
    body: z.object({
      address: SavedAddress,
      replaces: DeliveryAddress.transform(withNormalPostcode).optional(),
    }),
    response: SingleAnswer(User),
    ownTransaction: true,
  },
  'POST /v1/auth/password': {
    access: 'customer',
    freshSignInFor: 'it, where they have a second factor',
    summary: 'Choose another password. My other sign-ins end.',
    body: z.object({ current_password: CurrentPassword, password: Password }),
    response: SingleAnswer(User),
    ownTransaction: true,
  },
  'POST /v1/auth/forgot-password': {
    access: 'guest',
    summary: 'Ask for a link to choose another password. The answer is the same whether there is such an account.',
    body: z.object({ email: Email }),
    /** `is_sent` is false without a mail server; `message` then says whom to ask for the link. */
    response: MessageAnswer.extend({ is_sent: z.boolean() }),
    ownTransaction: true,
  },
  'POST /v1/auth/reset-password': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: 'Choose another password with the token of a mailed link: once, within an hour. All sign-ins end.',
    body: z.object({ token: z.string().min(1).max(200), password: Password }),
    response: MessageAnswer.extend({ device_token: z.string() }),
    ownTransaction: true,
  },
  'POST /v1/auth/send-verification': {
    access: 'customer',
    summary: 'Send me another link that confirms my email address. Does nothing once it is confirmed.',
    response: MessageAnswer,
    ownTransaction: true,
  },
  'POST /v1/auth/verify-email': {
    access: 'customer',
    summary: 'Confirm the email address of my account with the token of a mailed link, within a day.',
    body: z.object({ token: z.string().min(1).max(200) }),
    response: MessageAnswer,
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;

export const setupEndpoints = {
  'GET /v1/setup': {
    access: 'guest',
    summary: 'Whether the installation still waits for its owner.',
    response: SingleAnswer(z.object({ is_needed: z.boolean() })),
  },
  'POST /v1/setup': {
    access: 'guest',
    secret: knownDeviceHeader,
    summary: "Create the owner's account and the shop, once, with the code that the server prints when it starts.",
    body: z.object({
      code: z.string().max(40).transform(parseDeviceCode),
      owner: z.object({ name: Name, email: Email, password: Password }),
      store: z.object({
        name: nameField(80, () => "Enter the shop's name."),
        phone: z.string().overwrite(plainContactText).max(20).default(''),
        postcode: z.string().overwrite(plainContactText).max(10).default(''),
      }),
    }),
    response: SignInAnswer,
    status: 201,
    ownTransaction: true,
    errors: ['already_set_up'],
  },
} as const;
