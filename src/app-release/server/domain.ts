import { appRelease } from '#app-release/contract.ts';
import { appReleaseHandlers } from '#app-release/server/handlers.ts';
import { calls } from '#database/domain.ts';
import type { FastifyInstance } from 'fastify';
import { fingerprintWords } from '#app-release/app-words.ts';
import { appPlatforms } from '#app-release/platforms.ts';
import { offeredOf, readPlaySigning, readReleases } from '#app-release/server/release-rows.ts';
import type { Db } from '#database/schema.ts';

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
