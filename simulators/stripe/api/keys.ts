import { createHash } from 'node:crypto';
import { newAccount } from '../objects/account.ts';
import type { Books, World } from '../world.ts';
import { createBooks } from '../world.ts';
import { StripeFailure } from './failure.ts';

/** What a restricted key may do: `write` includes `read`. */
export type Right = `${Resource}_${'read' | 'write'}`;

export type Resource =
  | 'accounts_kyc_basic'
  | 'balance'
  | 'balance_transaction_source'
  | 'charge'
  | 'checkout_session'
  | 'coupon'
  | 'customer'
  | 'dispute'
  | 'event'
  | 'payment_intent'
  | 'payment_method'
  | 'payment_method_configurations'
  | 'payment_method_domains'
  | 'payout'
  | 'webhook';

export interface Key {
  secret: string;
  account: string;
  livemode: boolean;
  /** `all` for a secret key. */
  rights: ReadonlySet<Right> | 'all';
  isRevoked: boolean;
  /** It takes requests of other IP addresses only. */
  isElsewhere: boolean;
}

/** A key to be made: a secret key unless it has rights. */
export interface NewKey {
  account?: string;
  livemode?: boolean;
  rights?: readonly Right[];
}

export interface Keys {
  create(given?: NewKey): string;
  revoke(secret: string): void;
  /** Limits a key to IP addresses that this machine does not have, or ends the limit. */
  limitToOthers(secret: string, isLimited?: boolean): void;
  /** Adds rights to a restricted key, or takes them away. */
  change(secret: string, rights: readonly Right[]): void;
  /** The key of a request, from its `Authorization` header; throws 401. */
  find(authorization: string | undefined): Key;
  /** Throws 403 if the key may not. */
  check(key: Key, right: Right): void;
}

export const defaultAccount = 'acct_1LocalStripeHatch';

export function createKeys(world: World): Keys {
  const keys = new Map<string, Key>();
  return {
    create({ account = defaultAccount, livemode = false, rights } = {}) {
      booksOf(world, account, livemode);
      const secret = world.newId(`${rights ? 'rk' : 'sk'}_${livemode ? 'live' : 'test'}`, 48);
      const may = rights ? new Set(rights) : ('all' as const);
      keys.set(secret, { secret, account, livemode, rights: may, isRevoked: false, isElsewhere: false });
      return secret;
    },
    revoke(secret) {
      known(keys, secret).isRevoked = true;
    },
    limitToOthers(secret, isLimited = true) {
      known(keys, secret).isElsewhere = isLimited;
    },
    change(secret, rights) {
      known(keys, secret).rights = new Set(rights);
    },
    find(authorization) {
      const secret = secretIn(authorization);
      if (!secret) {
        throw unauthorized(
          "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
        );
      }
      const key = keys.get(secret);
      if (!key) throw unauthorized(`Invalid API Key provided: ${masked(secret)}`);
      if (key.isRevoked) throw unauthorized(`Expired API Key provided: ${masked(secret)}`, 'api_key_expired');
      if (key.isElsewhere) throw unauthorized('The API key provided does not allow requests from your IP address.');
      return key;
    },
    check(key, right) {
      if (key.rights === 'all' || key.rights.has(right)) return;
      if (right.endsWith('_read') && key.rights.has(right.replace(/_read$/, '_write') as Right)) return;
      throw new StripeFailure(403, {
        type: 'invalid_request_error',
        message: `The provided key '${masked(key.secret)}' does not have the required permissions for this endpoint on account '${key.account}'. Having the 'rak_${right}' permission would allow this request to continue.`,
      });
    },
  };
}

/** An account's objects in one mode; the account is made at its first use. */
export function booksOf(world: World, account: string, livemode: boolean): Books {
  const name = `${account} ${livemode ? 'live' : 'test'}`;
  const known = world.books.get(name);
  if (known) return known;
  const books = createBooks(newAccount(world, account), livemode);
  world.books.set(name, books);
  return books;
}

/** The first characters and the last four, as Stripe shows keys; also for the log. */
export function masked(secret: string): string {
  return `${secret.slice(0, 8)}${'*'.repeat(Math.max(secret.length - 12, 0))}${secret.slice(-4)}`;
}

function known(keys: Map<string, Key>, secret: string): Key {
  const key = keys.get(secret);
  if (!key) throw new Error(`No key ${masked(secret)}`);
  return key;
}

function secretIn(authorization = ''): string | undefined {
  const [scheme = '', value = ''] = authorization.split(' ');
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0];
  return undefined;
}

function unauthorized(message: string, code?: string): StripeFailure {
  return new StripeFailure(401, { type: 'invalid_request_error', message, ...(code && { code }) });
}

/** A short text that only equal requests have. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
