import { z } from 'zod';
import { knownDevice, Password, SignedIn } from '#accounts/contract.ts';
import { Id, Instant, Many, Money, One } from '#platform/http/shapes.ts';
import { orderSession } from '#ordering/contract.ts';

/** The secrets of orders that were placed in one browser. */
const Sessions = z.array(z.uuid()).max(30);
const Token = z.string().min(1).max(200);

/** An order that is in an account now, or will be. */
const OrderHead = z.object({
  id: Id,
  number: z.string(),
  placed_at: Instant.nullable(),
  total: Money,
  currency: z.string(),
});

/** The accounts and orders of a mailed link. */
export const AccountLink = z.object({
  email: z.string(),
  /** Whether the address has an account that is confirmed: its password stays as it is. Otherwise the link sets one. */
  has_account: z.boolean(),
  orders: z.array(OrderHead),
});
export type AccountLink = z.infer<typeof AccountLink>;

/** How a guest's orders come into an account. */
export const orderAccounts = {
  'POST /v1/auth/user/orders': {
    access: 'customer',
    summary:
      'Put orders that I placed as a guest into my account, by their sessions. Answers those that are in it now.',
    body: z.object({ sessions: Sessions.min(1) }),
    response: Many(OrderHead),
  },
  'POST /v1/orders/{id}/account-link': {
    access: 'guest',
    secret: orderSession,
    summary:
      "Mail a link to the order's address that puts it, and others of the same browser, into an account. The answer is the same whether there is one.",
    body: z.object({ sessions: Sessions.default([]) }),
    response: z.object({ message: z.string() }),
    ownTransaction: true,
    errors: ['forbidden', 'conflict'],
  },
  'POST /v1/account-links/read': {
    access: 'guest',
    summary: 'What the link of such a mail will do, within a day.',
    body: z.object({ token: Token }),
    response: One(AccountLink),
    ownTransaction: true,
  },
  'POST /v1/account-links/use': {
    access: 'guest',
    secret: knownDevice,
    summary: 'Do it, once. Without a confirmed account it needs a password, makes the account and signs in.',
    body: z.object({ token: Token, password: Password.optional() }),
    response: One(z.object({ orders: z.array(OrderHead), signed_in: SignedIn.nullable() })),
    ownTransaction: true,
    errors: ['conflict'],
  },
} as const;
