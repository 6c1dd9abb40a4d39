import { m } from '#messages';
import { countAttempt } from '#accounts/server/throttle.ts';
import type { Db } from '#database/schema.ts';
import { AppError } from '#platform/errors.ts';
import type { BeforeSending } from '#platform/server/files/stored-files.ts';

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
