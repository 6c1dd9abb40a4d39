import { appReleaseEndpoints } from '#app-release/contract.ts';
import { endpointRegistration } from '#database/endpoint-registration.ts';
import type { FastifyInstance } from 'fastify';
import { appPlatforms, formatFingerprint, isAppPlatform, newerRelease } from '#app-release/release-rules.ts';
import {
  deletePlaySigning,
  deleteOldInstalls,
  recordInstall,
  offeredReleases,
  presentOfferedApp,
  presentRelease,
  readPlaySigning,
  readReleases,
  setPlaySigning,
  countVersionsInUse,
} from '#app-release/server/release-rows.ts';
import type { Db, Tx } from '#database/schema.ts';
import { m } from '#messages';
import { countAttempt } from '#accounts/server/throttle.ts';
import { AppError } from '#platform/errors.ts';
import type { BeforeSendingFileHook } from '#platform/server/files/stored-files.ts';
import { makeRelease, publishRelease, saveAppFile, withdrawRelease } from '#app-release/server/make-release.ts';
import type { AppReleaseServices } from '#app-release/server/services.ts';
import { paginateArray } from '#database/read-page.ts';
import { AnswerWithStatus } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';

function appReleaseHandlers(services: AppReleaseServices): Handlers<typeof appReleaseEndpoints, Db, Tx> {
  const { config, now } = services;
  return {
    'POST /v1/app-release/check-update': async ({ db, body, ownOrigin, header, address }) => {
      const platform = body.platform.toLowerCase();
      if (!isAppPlatform(platform)) return new AnswerWithStatus<never>(204, null);
      const version = body.current_version;
      await recordInstall(db, { id: header('x-app-install'), platform, version, address }, now());
      const newest = newerRelease(body.current_version, offeredReleases(await readReleases(db), platform));
      if (!newest) return new AnswerWithStatus<never>(204, null);
      // The app downloads the file without a page, so the URL must be absolute.
      const origin = config.APP_URL ?? ownOrigin();
      return { ...newest, download_url: new URL(newest.download_url, origin).href, size: Number(newest.size) };
    },

    'GET /v1/app-release/current': async ({ db, query }) => {
      const [offered] = offeredReleases(await readReleases(db), query.platform);
      return { data: offered ? presentOfferedApp(offered) : null };
    },

    'GET /v1/app-releases': async ({ db, query }) => {
      const all = await readReleases(db);
      const wanted = all.filter(({ platform }) => query.platform === undefined || platform === query.platform);
      return paginateArray(
        '/v1/app-releases',
        query,
        wanted.map((row) => presentRelease(row, all)),
      );
    },

    'GET /v1/app-releases/usage': async ({ db }) => {
      await deleteOldInstalls(db, now());
      return { data: await countVersionsInUse(db, now()) };
    },

    'GET /v1/app-releases/play-signing': async ({ db }) => ({ data: await readPlaySigning(db) }),
    'PATCH /v1/app-releases/play-signing': async ({ db, body }) => ({ data: await setPlaySigning(db, body, now()) }),
    'DELETE /v1/app-releases/play-signing': ({ db }) => deletePlaySigning(db),
    'POST /v1/app-releases/files': (call) => saveAppFile(services, call),
    'POST /v1/app-releases': (call) => makeRelease(services, call),
    'POST /v1/app-releases/{id}/publish': (call) => publishRelease(services, call),
    'DELETE /v1/app-releases/{id}': (call) => withdrawRelease(services, call),
  };
}

/**
 * Serves the list of apps that may open the shop's links: the current release of each platform, and the app on Google
 * Play.
 */
function serveAssetLinks(app: FastifyInstance, { db }: { db: Db }): void {
  app.get('/.well-known/assetlinks.json', async (_request, reply) => {
    const rows = await readReleases(db);
    const own = appPlatforms.flatMap((platform) => offeredReleases(rows, platform)[0]?.facts ?? []);
    const play = await readPlaySigning(db);
    const signers = Map.groupBy([...own, ...(play ? [play] : [])], ({ package: name }) => name);
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
    return JSON.stringify(
      [...signers].map(([name, apps]) => ({
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: name,
          sha256_cert_fingerprints: [...new Set(apps.map(({ signer }) => formatFingerprint(signer)))],
        },
      })),
    );
  });
}

export const appReleaseDomain = {
  name: 'app-release',
  calls: [endpointRegistration(appReleaseEndpoints, appReleaseHandlers)],
  routes: serveAssetLinks,
};

const noHeaders: Record<string, string> = {};

/**
 * Guards downloads of apps: only published releases are sent, not withdrawn ones, and each address has a rate limit.
 */
export function guardAppDownloads({ db, now }: { db: Db; now: () => Date }): BeforeSendingFileHook {
  return async (name, request) => {
    if (!name.endsWith('.apk')) return noHeaders;
    const row = await db
      .selectFrom('app_releases')
      .select(['platform', 'version'])
      .where('sha256', '=', name.slice(0, -'.apk'.length))
      .where('published_at', 'is not', null)
      .where('withdrawn_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw new AppError('not_found', m.platform_not_found());
    if (request.method !== 'HEAD') await countAttempt(db, 'app-download', { address: request.ip }, now());
    return {
      // A shared cache must not serve a withdrawn app.
      'cache-control': 'private, no-cache',
      'content-disposition': `attachment; filename="${row.platform}-${row.version}.apk"`,
    };
  };
}
