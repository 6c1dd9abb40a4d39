import { z } from 'zod';
import { m } from '#messages';
import { readVersion } from '#app-release/versions.ts';
import { Id, Instant, One, Page, PageQuery } from '#platform/http/shapes.ts';

const Version = z
  .string()
  .trim()
  .max(40)
  .refine((text) => readVersion(text) !== null, { error: () => m.app_release_version_wrong() })
  .transform((text) => text.replace(/^v/i, ''));
const Sha256 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, { error: () => m.app_release_sha256_wrong() });

/** A version of the Android app that phones may download. */
export const AppRelease = z.object({
  id: Id,
  platform: z.enum(['android']),
  version: z.string(),
  download_url: z.string(),
  sha256: z.string(),
  /** Bytes. */
  size: z.int(),
  notes: z.string(),
  created_at: Instant,
});
export type AppRelease = z.infer<typeof AppRelease>;

export const AppFile = z.object({ download_url: z.string(), sha256: z.string(), size: z.int() });

export const appRelease = {
  'POST /v1/app-release/check-update': {
    access: 'guest',
    summary: 'Is there a newer app than this one? 204 when there is not, or for a platform that has no app.',
    body: z.object({ platform: z.string().max(40), current_version: Version }),
    response: AppRelease.omit({ id: true, platform: true, created_at: true }),
    also: { status: 204, when: 'There is nothing newer.' },
    isRead: true,
    ownTransaction: true,
  },
  'GET /v1/app-releases': {
    access: 'admin',
    summary: 'List the releases that are offered, the newest version first.',
    query: PageQuery,
    response: Page(AppRelease),
  },
  'POST /v1/app-releases/files': {
    access: 'admin',
    summary: "Store an app's file (APK), to be released afterwards.",
    upload: {
      types: ['application/vnd.android.package-archive', 'application/octet-stream'],
      limit: 150 * 1024 * 1024,
    },
    response: One(AppFile),
    status: 201,
    // The upload does not hold a database connection.
    ownTransaction: true,
  },
  'POST /v1/app-releases': {
    access: 'admin',
    summary: 'Offer a version: of a file stored here, or at an https address with its hash and size.',
    body: z.object({
      platform: z.enum(['android']).default('android'),
      version: Version,
      download_url: z
        .string()
        .max(500)
        .regex(/^(\/uploads\/[0-9a-f]{64}\.apk$|https:\/\/[^\s/]+\/)/, { error: () => m.app_release_url_wrong() }),
      sha256: Sha256.optional(),
      size: z
        .int()
        .min(1)
        .max(2 ** 31 - 1)
        .optional(),
      notes: z.string().trim().max(2000).default(''),
    }),
    response: One(AppRelease),
    status: 201,
    errors: ['conflict'],
  },
  'DELETE /v1/app-releases/{id}': { access: 'admin', summary: 'Withdraw a release.', response: null },
} as const;
