import { z } from 'zod';
import { m } from '#messages';
import { appPlatforms, parseVersion } from '#app-release/release-rules.ts';
import { Id, Instant, ListAnswer, SingleAnswer, PaginatedAnswer, PaginatedQuery } from '#platform/http/shapes.ts';

const Version = z
  .string()
  .trim()
  .max(40)
  .refine((text) => parseVersion(text) !== null, { error: () => m.app_release_version_wrong() })
  .transform((text) => text.replace(/^v/i, ''));
const Sha256 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, { error: () => m.app_release_sha256_wrong() });
const Platform = z.enum(appPlatforms);

const ReadFacts = z.object({
  package: z.string(),
  version: z.string(),
  version_code: z.int(),
  min_sdk: z.int(),
  target_sdk: z.int(),
  /** The SHA-256 of the certificate that signs the app. */
  signer: z.string(),
  is_debug_key: z.boolean(),
  /** The URL of the app's shop; null for the kitchen app, which has none. */
  shop: z.string().nullable(),
});

export const AppFile = ReadFacts.extend({
  download_url: z.string(),
  sha256: z.string(),
  /** The size of the file in bytes. */
  size: z.int(),
  /** The platform that the app's manifest names; null: it names none. */
  platform: Platform.nullable(),
});
export type AppFile = z.infer<typeof AppFile>;

/** A version of an Android app. Phones are offered the newest published version. */
export const AppRelease = z.object({
  id: Id,
  platform: Platform,
  version: z.string(),
  download_url: z.string(),
  sha256: z.string(),
  size: z.int(),
  notes: z.string(),
  state: z.enum(['draft', 'published', 'withdrawn']),
  is_current: z.boolean(),
  /** The facts that the server read from the app's file; null: the release was stored before Hatch read files. */
  facts: ReadFacts.nullable(),
  created_at: Instant,
  published_at: Instant.nullable(),
  withdrawn_at: Instant.nullable(),
});
export type AppRelease = z.infer<typeof AppRelease>;

export const OfferedApp = z.object({
  platform: Platform,
  version: z.string(),
  download_url: z.string(),
  sha256: z.string(),
  size: z.int(),
  notes: z.string(),
  published_at: Instant,
  facts: ReadFacts.pick({ package: true, min_sdk: true, signer: true }).nullable(),
});
export type OfferedApp = z.infer<typeof OfferedApp>;

/** A certificate's fingerprint, with or without colons. */
const Fingerprint = z
  .string()
  .trim()
  .max(200)
  .transform((text) => text.replaceAll(/[:\s]/g, '').toLowerCase())
  .refine((text) => /^[0-9a-f]{64}$/.test(text), { error: () => m.app_release_fingerprint_wrong() });
const PackageName = z
  .string()
  .trim()
  .max(200)
  .regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, { error: () => m.app_release_package_wrong() });

export const PlaySigning = z.object({
  package: z.string(),
  signer: z.string(),
});
export type PlaySigning = z.infer<typeof PlaySigning>;

const VersionInUse = z.object({
  platform: Platform,
  version: z.string(),
  /** The number of installs that asked for updates in the last 30 days. */
  installs: z.int(),
  last_seen_at: Instant,
});
export type VersionInUse = z.infer<typeof VersionInUse>;

export const appReleaseEndpoints = {
  'POST /v1/app-release/check-update': {
    access: 'guest',
    summary:
      'Is there a newer app than this one? 204 when there is not, or for a platform that has no app. An app may send a random id of its own as `X-App-Install`, by which the versions in use are counted.',
    body: z.object({ platform: z.string().max(40), current_version: Version }),
    response: z.object({
      download_url: z.string(),
      version: z.string(),
      sha256: z.string(),
      size: z.int(),
      notes: z.string(),
    }),
    also: { status: 204, when: 'There is nothing newer.' },
    isRead: true,
    ownTransaction: true,
  },
  'GET /v1/app-release/current': {
    access: 'guest',
    summary: 'The app that phones are offered, to show before it is downloaded; null when there is none.',
    query: z.object({ platform: Platform.default('android') }),
    response: SingleAnswer(OfferedApp.nullable()),
  },
  'GET /v1/app-releases': {
    access: 'admin',
    summary: 'List the releases, the newest version first, those that were withdrawn too.',
    query: PaginatedQuery.extend({ platform: Platform.optional() }),
    response: PaginatedAnswer(AppRelease),
  },
  'GET /v1/app-releases/usage': {
    access: 'admin',
    summary: 'Which versions installed apps have, by what they sent within 30 days.',
    response: ListAnswer(VersionInUse),
  },
  'GET /v1/app-releases/play-signing': {
    access: 'admin',
    summary: "By which key Google Play signs the customers' app; null while the shop is not on Play.",
    response: SingleAnswer(PlaySigning.nullable()),
  },
  'PATCH /v1/app-releases/play-signing': {
    access: 'admin',
    freshSignIn: true,
    summary: "Set by which key Google Play signs the customers' app, so that the shop's links open in it, too.",
    body: z.object({ package: PackageName, signer: Fingerprint }),
    response: SingleAnswer(PlaySigning),
  },
  'DELETE /v1/app-releases/play-signing': {
    access: 'admin',
    freshSignIn: true,
    summary: 'The shop is not on Google Play any more.',
    response: null,
  },
  'POST /v1/app-releases/files': {
    access: 'admin',
    summary: "Store an app's file (APK), to be released afterwards. The server reads what it is from the file itself.",
    query: z.object({ platform: Platform.optional() }),
    upload: {
      types: ['application/vnd.android.package-archive', 'application/octet-stream'],
      limit: 150 * 1024 * 1024,
      isStreamed: true,
    },
    response: SingleAnswer(AppFile),
    status: 201,
    // The handler opens its transaction after the upload, so that a slow upload holds no database connection.
    ownTransaction: true,
    errors: ['invalid'],
  },
  'POST /v1/app-releases': {
    access: 'admin',
    summary: 'Make a release of a stored file; phones are offered it once it is published.',
    body: z.object({
      platform: Platform.optional(),
      /** The `download_url` in the response of `POST /v1/app-releases/files`. */
      download_url: z.string().regex(/^\/uploads\/[0-9a-f]{64}\.apk$/, { error: () => m.app_release_url_wrong() }),
      /** The app's version, which must equal the version in the file; missing: the version in the file is used. */
      version: Version.optional(),
      sha256: Sha256.optional(),
      notes: z.string().trim().max(2000).default(''),
    }),
    response: SingleAnswer(AppRelease),
    status: 201,
    errors: ['conflict'],
  },
  'POST /v1/app-releases/{id}/publish': {
    access: 'admin',
    freshSignIn: true,
    summary:
      'Offer a release to phones, also one that was withdrawn. The first one fixes package and signer for good; signed with a debug key, it needs `confirm`.',
    body: z.object({ confirm: z.boolean().optional() }),
    response: SingleAnswer(AppRelease),
    errors: ['conflict', 'invalid'],
  },
  'DELETE /v1/app-releases/{id}': {
    access: 'admin',
    summary: 'Withdraw a release: it is no longer offered nor sent. Phones that have it keep it.',
    response: null,
  },
} as const;
