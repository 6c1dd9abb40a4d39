import { resolve } from 'node:path';
import { z } from 'zod';
import { readStripeKey } from '#payment/stripe-key.ts';
import { Email } from '#platform/contact-fields.ts';
import { ConfigError } from '#platform/errors.ts';
import { DatabaseAddress } from '#database/database-address.ts';
import { isLoopbackUrl, isOriginUrl, isTrafficPrivate } from '#platform/server/addresses.ts';
import { type Networks, parseNetworks } from '#platform/server/client-address.ts';
import { minPassphraseLength } from '#backup/passphrase.ts';
import { type PlaceSettings, readPlaceSettings } from '#backup/server/places/place-settings.ts';
import { logLevels } from '#platform/server/log.ts';
import { type BucketSettings, readBucketSettings } from '#platform/server/files/file-bucket.ts';

const flag = z
  .enum(['', '0', '1', 'true', 'false'])
  .default('')
  .transform((text) => text === '1' || text === 'true');

const text = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional();

const localIssuer = text.pipe(
  z
    .url({ protocol: /^https?$/ })
    .refine((url) => isLoopbackUrl(new URL(url)), { error: 'must be on this machine: http://localhost:4000' })
    .optional(),
);

const Environment = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: text,
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: text.pipe(DatabaseAddress.optional()),
  /** The URL of PostgreSQL itself, if DATABASE_URL leads to a pooler that shares sessions. */
  DATABASE_DIRECT_URL: text.pipe(DatabaseAddress.optional()),
  REDIS_URL: text,
  ADMIN_EMAIL: text.pipe(Email.optional()),
  ADMIN_PASSWORD: text.pipe(z.string().min(8, 'must have at least 8 characters').optional()),
  APP_URL: text.pipe(
    z
      .url({ protocol: /^https?$/ })
      .refine(isOriginUrl, { error: 'must be an address without a path: https://shop.example.com' })
      .optional(),
  ),
  PUSHER_APP_ID: text,
  PUSHER_APP_KEY: text,
  PUSHER_APP_SECRET: text,
  /** The base URL of the API and the host of the sockets, for browsers; empty: the page's own origin. */
  API_URL: text,
  /** Origins of other sites whose pages may call the API, separated by commas. */
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((part) => part.trim() || []))
    .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin), {
      error: 'must be origins such as https://shop.example.com, separated by commas',
    }),
  /** Proxies on other machines whose `X-Forwarded-For` is trusted: addresses and networks, separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list, context): Networks => {
      try {
        return parseNetworks(list);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be addresses or networks such as 10.0.0.7, 10.0.0.0/8' });
        return z.NEVER;
      }
    }),
  STORE_NAME: text,
  /** The URL of map tiles, with `{z}`, `{x}` and `{y}`; without it, pages show the shop's location without a map. */
  MAP_TILES_URL: text.pipe(
    z
      .url({ protocol: /^https?$/, error: 'must be an address with {z}, {x} and {y} in it' })
      .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), {
        error: 'must have {z}, {x} and {y} in it',
      })
      .optional(),
  ),
  /** A service that knows the addresses of a postcode, with the protocol of Ideal Postcodes. */
  ADDRESS_LOOKUP_URL: text.pipe(
    z.url({ protocol: /^https?$/, error: 'must look like https://api.ideal-postcodes.co.uk/v1' }).optional(),
  ),
  ADDRESS_LOOKUP_KEY: text,
  /** The attribution of the map tiles, as HTML. */
  MAP_ATTRIBUTION: text,
  PAYMENT_SANDBOX: flag,
  STRIPE_SECRET_KEY: text.pipe(
    z
      .string()
      .refine((key) => readStripeKey(key).isUsable, {
        error: 'must be a secret or restricted key of Stripe, which begins with sk_ or rk_',
      })
      .optional(),
  ),
  /**
   * One or more secrets, separated by commas: while a secret is rotated, Stripe signs each webhook with the old and the
   * new secret.
   */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((part) => part.trim() || []))
    .refine((secrets) => secrets.every((secret) => secret.startsWith('whsec_')), {
      error: 'must begin with whsec_',
    }),
  /** The URL of a simulated Stripe on this machine, for tests. */
  STRIPE_API_BASE: text.pipe(
    z.url({ protocol: /^https?$/, error: 'must look like http://127.0.0.1:12111' }).optional(),
  ),
  /**
   * The key that encrypts the secrets in the database, such as card keys and second factors. Without SECRETS_KEY, the
   * data folder has such a key.
   */
  SECRETS_KEY: text.pipe(
    z.string().min(32, 'must have at least 32 characters: take those of "openssl rand -base64 32"').optional(),
  ),
  ALERT_WEBHOOK_URL: text.pipe(
    z.url({ protocol: /^https?$/, error: 'must look like https://alerts.example.com/hook' }).optional(),
  ),
  /** Allows printers on this machine, which `npm run printer` simulates. */
  PRINTER_SIMULATOR: flag,
  /**
   * For tests: an origin on this machine that replaces every push service, and the path of that origin's certificate.
   */
  PUSH_TEST_SERVICE: text.pipe(z.url({ protocol: /^https$/, hostname: /^(localhost|127\.0\.0\.1)$/ }).optional()),
  PUSH_TEST_CERTIFICATE: text,
  SMTP_URL: text.pipe(
    z.url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@host:port' }).optional(),
  ),
  MAIL_FROM: text,
  /** Sign-in by OpenID Connect: the provider's URL, the shop's client id and secret, and the button's name. */
  OIDC_ISSUER: text.pipe(z.url({ protocol: /^https?$/ }).optional()),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_NAME: text,
  /** The URLs of a simulated Google and Apple on this machine, for tests of sign-in. */
  OIDC_GOOGLE_ISSUER: localIssuer,
  OIDC_APPLE_ISSUER: localIssuer,
  S3_ENDPOINT: text.pipe(z.url({ protocol: /^https?$/, error: 'must look like https://s3.example.com' }).optional()),
  S3_REGION: z.string().trim().min(1).default('us-east-1'),
  S3_BUCKET: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_TIMEOUT_MS: z.coerce.number().int().min(100).max(120_000).default(10_000),
  /**
   * The second backup location: a folder's path, or `s3://bucket/prefix`. A bucket needs the four BACKUP_S3_ variables.
   */
  BACKUP_TO: text,
  /** The passphrase that seals backups, unless one was already set in the office. */
  BACKUP_PASSPHRASE: text.pipe(
    z.string().min(minPassphraseLength, `must have at least ${minPassphraseLength} characters`).optional(),
  ),
  BACKUP_S3_ENDPOINT: text.pipe(
    z.url({ protocol: /^https?$/, error: 'must look like https://s3.example.com' }).optional(),
  ),
  BACKUP_S3_REGION: text,
  BACKUP_S3_ACCESS_KEY_ID: text,
  BACKUP_S3_SECRET_ACCESS_KEY: text,
  /**
   * A separate port for the metrics. Without METRICS_TOKEN only this machine can reach the port. Empty: there is no
   * separate port.
   */
  METRICS_PORT: text.pipe(
    z
      .string()
      .refine((port) => /^\d{1,5}$/.test(port) && Number(port) <= 65_535, { error: 'must be a port: 0 to 65535' })
      .transform(Number)
      .optional(),
  ),
  /** A request with this token may read the metrics: at METRICS_PORT if that is set, otherwise at PORT. */
  METRICS_TOKEN: text.pipe(
    z.string().min(16, 'must have at least 16 characters: take those of "openssl rand -hex 16"').optional(),
  ),
  LOG_LEVEL: z.enum(logLevels).default('info'),
});

export interface Config extends z.infer<typeof Environment> {
  /** Warnings about unsafe settings, which are logged at the start. */
  warnings: string[];
  /** The S3 bucket for uploads; null: the data folder stores them. */
  bucket: BucketSettings | null;
  /** The second backup location in BACKUP_TO; null: BACKUP_TO is not set, but the office may have set a location. */
  backupPlace: PlaceSettings | null;
  dataDir: string;
  /**
   * The shop's public URL, without a final slash. It is never derived from a request, because an attacker can forge the
   * `Host` header. The links in mails, and their tokens, would then lead to the attacker's site.
   */
  publicUrl: string;
  isProduction: boolean;
  /** The address on which METRICS_PORT listens: this machine only, unless a token guards it. */
  metricsHost: string;
  /** `--empty`: create an empty shop, which its owner sets up, instead of the demo shop. */
  isEmptyStart: boolean;
  /** `--demo`: create the demo shop even at a public address or in another machine's database. */
  isDemoStart: boolean;
  /** `--take-copy`: start with a data folder that was copied while its database ran. */
  takesCopy: boolean;
}

const together = [
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['PUSH_TEST_SERVICE', 'PUSH_TEST_CERTIFICATE'],
] as const;

/**
 * Reads the settings from the environment and the arguments. Throws ConfigError for invalid or contradictory settings.
 */
export function readConfig(environment: NodeJS.ProcessEnv, args: readonly string[] = []): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    const [line = ''] = lines;
    throw new ConfigError(
      lines.length === 1
        ? `This setting cannot be used:${line.slice(1)}`
        : `These settings cannot be used:\n${lines.join('\n')}`,
    );
  }
  const values = parsed.data;
  if (args.includes('--empty') && args.includes('--demo')) throw new ConfigError('Give --empty or --demo, not both.');
  refuseContradictions(values);
  const warnings = [...judgePusherSecret(values), ...judgeProxies(values)];
  if (values.PUSH_TEST_SERVICE && values.NODE_ENV === 'production') {
    throw new ConfigError('PUSH_TEST_SERVICE is for tests: it cannot be set where NODE_ENV is production.');
  }
  return {
    ...values,
    warnings,
    bucket: readBucketSettings(values),
    backupPlace: readPlaceSettings(values),
    dataDir: resolve(values.DATA_DIR),
    publicUrl: (values.APP_URL ?? `http://localhost:${values.PORT}`).replace(/\/$/, ''),
    isProduction: values.NODE_ENV === 'production',
    metricsHost: values.METRICS_TOKEN === undefined ? '127.0.0.1' : (values.HOST ?? '0.0.0.0'),
    isEmptyStart: args.includes('--empty'),
    isDemoStart: args.includes('--demo'),
    takesCopy: args.includes('--take-copy'),
  };
}

function refuseContradictions(values: z.infer<typeof Environment>): void {
  for (const [one, other] of together) {
    if (Boolean(values[one]) !== Boolean(values[other])) {
      throw new ConfigError(`Set ${one} and ${other} together, or neither.`);
    }
  }
  for (const name of [
    'OIDC_ISSUER',
    'S3_ENDPOINT',
    'BACKUP_S3_ENDPOINT',
    'ALERT_WEBHOOK_URL',
    'ADDRESS_LOOKUP_URL',
  ] as const) {
    const url = values[name];
    if (url && !isTrafficPrivate(new URL(url))) throw new ConfigError(`${name} must begin with https://.`);
  }
  refuseUnsafeStripe(values);
  if (values.METRICS_PORT !== undefined && values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT) {
    throw new ConfigError(
      'METRICS_PORT must be another port than PORT. To read the metrics at PORT, set METRICS_TOKEN alone.',
    );
  }
  if (values.DATABASE_DIRECT_URL && !values.DATABASE_URL) {
    throw new ConfigError('DATABASE_DIRECT_URL is for a database of your own: set DATABASE_URL as well.');
  }
}

/** The minimum length of PUSHER_APP_SECRET, whose holder may listen to every order. */
const shortestSecret = 16;

function judgePusherSecret({ PUSHER_APP_SECRET, APP_URL }: z.infer<typeof Environment>): string[] {
  if (PUSHER_APP_SECRET === undefined || PUSHER_APP_SECRET.length >= shortestSecret) return [];
  const line = `PUSHER_APP_SECRET must have at least ${shortestSecret} characters: take those of "openssl rand -hex 16".`;
  if (APP_URL !== undefined && !isLoopbackUrl(new URL(APP_URL))) throw new ConfigError(line);
  return [line];
}

/**
 * The prefix lengths of the largest private networks, 10.0.0.0/8 and fc00::/7. A network with a shorter prefix also has
 * public addresses.
 */
const largestPrivate = { ipv4: 8, ipv6: 7 };

function judgeProxies({ TRUSTED_PROXIES }: z.infer<typeof Environment>): string[] {
  const wide = TRUSTED_PROXIES.filter(([network, bits]) => bits < largestPrivate[network.kind()]);
  if (wide.length === 0) return [];
  const named = wide.map(([network, bits]) => `${network.toString()}/${bits}`).join(', ');
  return [
    `TRUSTED_PROXIES has ${named}, in which strangers are: anybody there may say that they are any other client, and gets past every limit. Name the proxies only.`,
  ];
}

/** Throws ConfigError if a simulated Stripe is on another machine, or would get a live key. */
function refuseUnsafeStripe({ STRIPE_API_BASE, STRIPE_SECRET_KEY }: z.infer<typeof Environment>): void {
  if (!STRIPE_API_BASE) return;
  if (!isLoopbackUrl(new URL(STRIPE_API_BASE))) {
    throw new ConfigError('STRIPE_API_BASE must be on this machine, such as http://127.0.0.1:12111.');
  }
  if (!STRIPE_SECRET_KEY) return;
  const key = readStripeKey(STRIPE_SECRET_KEY);
  if (key.isUsable && key.mode === 'live') {
    throw new ConfigError('STRIPE_SECRET_KEY is a live key: with a local STRIPE_API_BASE, only test keys can be used.');
  }
}
