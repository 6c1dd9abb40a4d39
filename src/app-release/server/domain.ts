import { appRelease } from '#app-release/contract.ts';
import { appReleaseHandlers } from '#app-release/server/handlers.ts';
import { calls } from '#database/domain.ts';
import type { FastifyInstance } from 'fastify';
import { fingerprintWords } from '#app-release/app-words.ts';
import { appPlatforms } from '#app-release/platforms.ts';
import { offeredOf, readPlaySigning, readReleases } from '#app-release/server/release-rows.ts';
import type { Db } from '#database/schema.ts';
import { m } from '#messages';
import { countAttempt } from '#accounts/server/throttle.ts';
import { AppError } from '#platform/errors.ts';
import type { BeforeSending } from '#platform/server/files/stored-files.ts';

/** Tells Android which apps may open the shop's links: the published ones, and Play's, by package and signers. */
function serveAssetLinks(app: FastifyInstance, { db }: { db: Db }): void {
  app.get('/.well-known/assetlinks.json', async (_request, reply) => {
    const rows = await readReleases(db);
    const own = appPlatforms.flatMap((platform) => offeredOf(rows, platform)[0]?.facts ?? []);
    const play = await readPlaySigning(db);
    const signers = Map.groupBy([...own, ...(play ? [play] : [])], ({ package: name }) => name);
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
    return JSON.stringify(
      [...signers].map(([name, apps]) => ({
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: name,
          sha256_cert_fingerprints: [...new Set(apps.map(({ signer }) => fingerprintWords(signer)))],
        },
      })),
    );
  });
}

export const appReleaseDomain = {
  name: 'app-release',
  calls: [calls(appRelease, appReleaseHandlers)],
  routes: serveAssetLinks,
};

const noHeaders: Record<string, string> = {};

/** The guard of an app's download: everybody, while it is published, at a limited rate. */
export function beforeSendingApps({ db, now }: { db: Db; now: () => Date }): BeforeSending {
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
      // A withdrawn one is not handed out by a cache between.
      'cache-control': 'private, no-cache',
      'content-disposition': `attachment; filename="${row.platform}-${row.version}.apk"`,
    };
  };
}
