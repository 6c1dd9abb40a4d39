import { randomUUIDv7 } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { m } from '#messages';
import type { appRelease } from '#app-release/contract.ts';
import { compareVersions, newestFirst, updateFrom } from '#app-release/versions.ts';
import type { AppReleasesTable, Db, Tx } from '#database/schema.ts';
import { AppError, invalid } from '#platform/errors.ts';
import { Answer } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';
import type { FileStore } from '#platform/server/file-store.ts';
import { auditDone } from '#database/audit.ts';
import { pageOf } from '#database/read-page.ts';
import { sha256Of, sizeOfStored, storeFile } from '#platform/server/stored-files.ts';

interface AppReleaseServices {
  config: { APP_URL?: string | undefined };
  files: FileStore;
  now: () => Date;
}

export function appReleaseHandlers({ config, files, now }: AppReleaseServices): Handlers<typeof appRelease, Db, Tx> {
  return {
    'POST /v1/app-release/check-update': async ({ db, body, ownOrigin }) => {
      const newest = updateFrom(body.current_version, await readOffered(db, body.platform.toLowerCase()));
      if (!newest) return new Answer<never>(204, null);
      // The app downloads it outside of any page, so it needs the whole address.
      const origin = config.APP_URL ?? ownOrigin();
      return { ...newest, download_url: new URL(newest.download_url, origin).href, size: Number(newest.size) };
    },

    'GET /v1/app-releases': async ({ db, query }) =>
      pageOf('/v1/app-releases', query, (await readOffered(db)).map(present)),

    'POST /v1/app-releases/files': async ({ file, db, ...call }) => {
      // An APK is a ZIP archive.
      if (!file.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) {
        throw new AppError('unsupported_media_type', m.app_release_no_apk());
      }
      const sha256 = sha256Of(file);
      const url = await storeFile(files, `${sha256}.apk`, file);
      await auditDone(db, 'POST /v1/app-releases/files', call, null);
      return { data: { download_url: url, sha256, size: file.length } };
    },

    'POST /v1/app-releases': async ({ db, body }) => {
      // One at a time, so that "3.1" and "3.1.0" cannot both be created.
      await sql`select pg_advisory_xact_lock(hashtext('app_releases'))`.execute(db);
      const offered = await readOffered(db, body.platform);
      if (offered.some(({ version }) => compareVersions(version, body.version) === 0)) {
        throw new AppError('conflict', m.app_release_exists({ version: body.version }));
      }
      const { sha256, size } = await findFile(files, body);
      const { platform, version, download_url, notes } = body;
      const row = await db
        .insertInto('app_releases')
        .values({ id: randomUUIDv7(), platform, version, download_url, sha256, size, notes, created_at: now() })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { data: present(row) };
    },

    'DELETE /v1/app-releases/{id}': async ({ db, params }) => {
      const withdrawn = await db
        .updateTable('app_releases')
        .set({ withdrawn_at: now() })
        .where('id', '=', params.id)
        .where('withdrawn_at', 'is', null)
        .executeTakeFirst();
      if (withdrawn.numUpdatedRows === 0n) throw new AppError('not_found', m.app_release_not_found());
    },
  };
}

/** Releases that are not withdrawn, the newest version first. They are few, so they are sorted here, by number. */
async function readOffered(db: Db, platform?: string): Promise<Selectable<AppReleasesTable>[]> {
  const rows = await db
    .selectFrom('app_releases')
    .selectAll()
    .where('withdrawn_at', 'is', null)
    .$if(platform !== undefined, (query) => query.where('platform', '=', platform ?? ''))
    .execute();
  return newestFirst(rows);
}

async function findFile(
  files: FileStore,
  { download_url: url, sha256, size }: { download_url: string; sha256?: string | undefined; size?: number | undefined },
): Promise<{ sha256: string; size: number }> {
  if (!url.startsWith('/uploads/')) {
    if (sha256 === undefined || size === undefined) throw invalid('sha256', m.app_release_hash_needed());
    return { sha256, size };
  }
  const stored = await sizeOfStored(files, url);
  if (stored === null) throw invalid('download_url', m.app_release_file_missing());
  // A stored file's name is its hash.
  return { sha256: url.slice('/uploads/'.length, -'.apk'.length), size: stored };
}

const present = (row: Selectable<AppReleasesTable>) => ({
  ...row,
  platform: 'android' as const,
  size: Number(row.size),
  created_at: row.created_at.toISOString(),
});
