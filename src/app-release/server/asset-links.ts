import type { FastifyInstance } from 'fastify';
import { fingerprintWords } from '#app-release/app-words.ts';
import { appPlatforms } from '#app-release/platforms.ts';
import { offeredOf, readReleases } from '#app-release/server/release-rows.ts';
import type { Db } from '#database/schema.ts';

/** Tells Android which apps may open the shop's links: the published ones, by package and signer. */
export function serveAssetLinks(app: FastifyInstance, { db }: { db: Db }): void {
  app.get('/.well-known/assetlinks.json', async (_request, reply) => {
    const rows = await readReleases(db);
    const apps = appPlatforms.flatMap((platform) => offeredOf(rows, platform)[0]?.facts ?? []);
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
    return JSON.stringify(
      apps.map(({ package: name, signer }) => ({
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: name,
          sha256_cert_fingerprints: [fingerprintWords(signer)],
        },
      })),
    );
  });
}
