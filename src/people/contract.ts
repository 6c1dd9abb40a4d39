import { consentKinds, staffRoles } from '#database/column-values.ts';
import { z } from 'zod';
import { CurrentPassword, SignIn, User } from '#accounts/contract.ts';
import { Email, Name, SearchText } from '#platform/contact-fields.ts';
import { FactorsExport } from '#accounts/factor-contract.ts';
import { OwnComplaint } from '#complaints/contract.ts';
import { MailSummary } from '#mail/contract.ts';
import { PushDevice } from '#push/contract.ts';
import { Order } from '#ordering/order.ts';
import {
  Id,
  Instant,
  CursorPaginatedQuery,
  freshSignInConditionText,
  SingleAnswer,
  PaginatedAnswer,
  PaginatedQuery,
} from '#platform/http/shapes.ts';

const Search = SearchText.optional();
const PersonId = z.object({ id: Id });

/** A customer in the owner's list, with their orders counted and summed up. */
export const Customer = z.object({
  ...PersonId.shape,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  email_verified_at: Instant.nullable(),
  created_at: Instant,
  orders: z.int(),
  /** The sum of orders that were handed over, in minor units. */
  spent: z.int(),
  last_order_at: Instant.nullable(),
});
export type Customer = z.infer<typeof Customer>;

export const StaffMember = z.object({
  ...PersonId.shape,
  name: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  store_ids: z.array(Id),
  created_at: Instant,
  /** Whether the member has a password. A member without one must first follow the link of the invitation. */
  has_password: z.boolean(),
  /** Whether the member signs in with a passkey, or with a code after the password. */
  has_second_factor: z.boolean(),
  /**
   * When the member last used any current sign-in, with a precision of one hour; null: the member is signed in nowhere.
   */
  last_used_at: Instant.nullable(),
  sign_ins: z.int(),
});
export type StaffMember = z.infer<typeof StaffMember>;

/**
 * An invited person. `invitation_link`: the link, if the shop has no mail server; only this response contains the link.
 * null: the link was mailed.
 */
const Invited = z.object({ data: StaffMember, invitation_link: z.string().nullable() });

const Place = z.object({ role: z.enum(staffRoles), store_ids: z.array(Id).max(200).default([]) });

/**
 * A consent to one of the two uses of personal data that need consent. The shop has no advertising and no cookies that
 * need consent.
 */
export const Consent = z.object({
  kind: z.enum(consentKinds),
  /** The page that asked for the consent; null: it is not known, or another program made the call. */
  page: z.string().nullable(),
  words: z.string(),
  /** The browser's `User-Agent`. */
  device: z.string(),
  given_at: Instant,
  withdrawn_at: Instant.nullable(),
});
export type Consent = z.infer<typeof Consent>;

export const PersonExport = z.object({
  exported_at: Instant,
  user: User.extend({ created_at: Instant }),
  sign_ins: z.array(SignIn),
  /**
   * The person's devices. `is_known`: the shop recognises the device, so a sign-in on this device is not mailed to the
   * person.
   */
  known_devices: z.array(
    z.object({ user_agent: z.string(), created_at: Instant, signed_in_at: Instant, is_known: z.boolean() }),
  ),
  second_factors: FactorsExport,
  identities: z.array(
    z.object({ issuer: z.string(), subject: z.string(), email: z.string().nullable(), created_at: Instant }),
  ),
  push_devices: z.array(PushDevice),
  /** The mails to the person's address in the last half year. */
  mails: z.array(MailSummary.pick({ at: true, kind: true, subject: true, state: true })),
  complaints: z.array(OwnComplaint),
  consents: z.array(Consent),
  orders: z.array(Order),
});
export type PersonExport = z.infer<typeof PersonExport>;

export const peopleEndpoints = {
  'GET /v1/auth/user/export': {
    isRecorded: true,
    access: 'customer',
    freshSignIn: true,
    summary: 'Everything the shop keeps about me.',
    response: SingleAnswer(PersonExport),
  },
  'DELETE /v1/auth/user': {
    access: 'customer',
    freshSignInFor: 'it, where they have a second factor',
    summary:
      'Delete my account. The shop keeps my orders, without me. Not while one is open. Without a password, only soon after signing in.',
    body: z.object({ password: CurrentPassword.optional() }),
    response: null,
    ownTransaction: true,
    errors: ['conflict'],
  },
  'GET /v1/customers': {
    isRecorded: true,
    readsPast: true,
    access: 'admin',
    freshSignInFor: freshSignInConditionText,
    summary: 'List the customers who have an account, by default the newest first.',
    query: CursorPaginatedQuery.extend({
      /** Finds customers with this text in the name, the email address or the phone number. */
      search: Search,
      sort: z
        .enum(['name', '-name', 'created_at', '-created_at', 'orders', '-orders', 'last_order_at', '-last_order_at'])
        .optional(),
    }),
    response: PaginatedAnswer(Customer),
  },
  'GET /v1/customers/{id}': {
    isRecorded: true,
    access: 'admin',
    summary: 'Read one customer. Their orders: GET /v1/orders?customer_id=…',
    response: SingleAnswer(
      Customer.extend({ addresses: User.shape.addresses, allergies: User.shape.allergies, consents: z.array(Consent) }),
    ),
  },
  'DELETE /v1/customers/{id}': {
    access: 'admin',
    summary:
      'Forget a customer, for good: their account and everything that names them. The shop keeps their orders, without them. Not while one is open.',
    response: null,
    errors: ['conflict'],
  },
  'POST /v1/customers/{id}/logout-everywhere': {
    access: 'admin',
    summary: 'End all sign-ins of a customer.',
    response: null,
  },
  'GET /v1/staff': {
    access: 'admin',
    summary: 'List who works here, by name.',
    query: PaginatedQuery.extend({ search: Search, store_id: Id.optional() }),
    response: PaginatedAnswer(StaffMember),
  },
  'POST /v1/staff': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Invite somebody: they get a mail with a link to choose a password, good for seven days. Without a mail server the answer has the link, once.',
    body: Place.extend({ name: Name, email: Email }),
    response: Invited,
    status: 201,
  },
  'PATCH /v1/staff/{id}': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Change what a staff member may do, or their name. Less than before ends their sign-ins.',
    body: z
      .object({
        name: Name,
        role: Place.shape.role,
        store_ids: z.array(Id).max(200),
        /** The member's present email address. It cannot be changed, so any other address is refused. */
        email: Email,
      })
      .partial(),
    response: SingleAnswer(StaffMember),
    errors: ['conflict'],
  },
  'POST /v1/staff/{id}/invite': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Mail the invitation again. Links of earlier ones no longer work. Without a mail server the answer has the link, once.',
    response: Invited,
    errors: ['conflict'],
  },
  'POST /v1/staff/{id}/logout-everywhere': {
    access: 'admin',
    summary: 'End all sign-ins of a staff member.',
    response: SingleAnswer(StaffMember),
  },
  'DELETE /v1/staff/{id}/factors': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Remove the passkeys, authenticator app and recovery codes that another member of staff has lost, and end their sign-ins. Their password alone signs them in then. They are told by mail.',
    response: SingleAnswer(StaffMember),
    errors: ['conflict'],
  },
  'DELETE /v1/staff/{id}': {
    access: 'admin',
    freshSignIn: true,
    summary: 'Take a staff member away, with their sign-ins at once. What they did stays in the log.',
    response: null,
    errors: ['conflict'],
  },
} as const;
