import type { appRelease } from '#app-release/contract.ts';
import { isAppPlatform } from '#app-release/platforms.ts';
import { makeRelease, publishRelease, storeAppFile, withdrawRelease } from '#app-release/server/make-release.ts';
import {
  dropPlaySigning,
  forgetInstalls,
  noteInstall,
  offeredOf,
  presentOffered,
  presentRelease,
  readPlaySigning,
  readReleases,
  setPlaySigning,
  versionsInUse,
} from '#app-release/server/release-rows.ts';
import type { AppReleaseServices } from '#app-release/server/services.ts';
import { updateFrom } from '#app-release/versions.ts';
import { pageOf } from '#database/read-page.ts';
import type { Db, Tx } from '#database/schema.ts';
import { Answer } from '#platform/http/answer.ts';
import type { Handlers } from '#platform/http/serve.ts';

export function appReleaseHandlers(services: AppReleaseServices): Handlers<typeof appRelease, Db, Tx> {
  const { config, now } = services;
  return {
    'POST /v1/app-release/check-update': async ({ db, body, ownOrigin, header, address }) => {
      const platform = body.platform.toLowerCase();
      if (!isAppPlatform(platform)) return new Answer<never>(204, null);
      const version = body.current_version;
      await noteInstall(db, { id: header('x-app-install'), platform, version, address }, now());
      const newest = updateFrom(body.current_version, offeredOf(await readReleases(db), platform));
      if (!newest) return new Answer<never>(204, null);
      // The app downloads it outside of any page, so it needs the whole address.
      const origin = config.APP_URL ?? ownOrigin();
      return { ...newest, download_url: new URL(newest.download_url, origin).href, size: Number(newest.size) };
    },

    'GET /v1/app-release/current': async ({ db, query }) => {
      const [offered] = offeredOf(await readReleases(db), query.platform);
      return { data: offered ? presentOffered(offered) : null };
    },

    'GET /v1/app-releases': async ({ db, query }) => {
      const all = await readReleases(db);
      const wanted = all.filter(({ platform }) => query.platform === undefined || platform === query.platform);
      return pageOf(
        '/v1/app-releases',
        query,
        wanted.map((row) => presentRelease(row, all)),
      );
    },

    'GET /v1/app-releases/usage': async ({ db }) => {
      await forgetInstalls(db, now());
      return { data: await versionsInUse(db, now()) };
    },

    'GET /v1/app-releases/play-signing': async ({ db }) => ({ data: await readPlaySigning(db) }),
    'PATCH /v1/app-releases/play-signing': async ({ db, body }) => ({ data: await setPlaySigning(db, body, now()) }),
    'DELETE /v1/app-releases/play-signing': ({ db }) => dropPlaySigning(db),
    'POST /v1/app-releases/files': (call) => storeAppFile(services, call),
    'POST /v1/app-releases': (call) => makeRelease(services, call),
    'POST /v1/app-releases/{id}/publish': (call) => publishRelease(services, call),
    'DELETE /v1/app-releases/{id}': (call) => withdrawRelease(services, call),
  };
}
