import { z } from 'zod';
import { Id, Instant, One } from '#platform/http/shapes.ts';
import { DeliveryAddress } from '#ordering/order.ts';

export const User = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.enum(['admin', 'store_admin', 'customer']),
  store_ids: z.array(Id),
  addresses: z.array(DeliveryAddress),
  allergies: z.array(z.string()),
  locale: z.string(),
  email_verified_at: Instant.nullable(),
});
export type User = z.infer<typeof User>;

const Email = z.string().trim().toLowerCase().pipe(z.email('Enter an email address, for example name@example.com.').max(120));
export const Password = z.string().min(8, 'Use at least 8 characters.').max(200, 'Use at most 200 characters.');
const Name = z.string().trim().min(1, 'Tell us your name.').max(80);

const SignedIn = z.object({ token: z.string(), user: User });

export const accounts = {
  'POST /v1/auth/login': {
    access: 'guest',
    summary: 'Sign in.',
    body: z.object({ email: z.string().trim().toLowerCase().min(1, 'Enter your email address.').max(200), password: z.string().min(1, 'Enter your password.').max(200) }),
    response: SignedIn,
    ownTransaction: true,
  },
  'POST /v1/auth/register/customer': {
    access: 'guest',
    summary: 'Open a customer account and sign in.',
    body: z.object({
      name: Name,
      email: Email,
      phone: z.string().trim().regex(/^\+?[\d\s().-]{7,20}$/, 'Enter a phone number, for example 07700 900123.'),
      password: Password,
    }),
    response: SignedIn,
    status: 201,
    ownTransaction: true,
  },
  'POST /v1/auth/logout': { access: 'customer', summary: 'End this sign-in.', response: null },
  'GET /v1/auth/user': { access: 'customer', summary: 'Who is signed in.', response: One(User) },
} as const;

/** The first visit to an empty shop. */
export const setup = {
  'GET /v1/setup': {
    access: 'guest',
    summary: 'Whether the shop still waits for its owner.',
    response: One(z.object({ is_needed: z.boolean() })),
  },
  'POST /v1/setup': {
    access: 'guest',
    summary: "Create the owner's account and the shop; once.",
    body: z.object({
      owner: z.object({ name: Name, email: Email, password: Password }),
      store: z.object({
        name: z.string().trim().min(1, "Enter the shop's name.").max(80),
        phone: z.string().trim().max(20).default(''),
        postcode: z.string().trim().max(10).default(''),
      }),
    }),
    response: SignedIn,
    status: 201,
    ownTransaction: true,
    errors: ['already_set_up'],
  },
} as const;
